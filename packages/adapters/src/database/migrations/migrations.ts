import type { Dialect } from '../driver/dialect.js';
import { addColumn, addIndex, big, document, dropIndex, exact, integer, ref, text, time } from './alterations.js';
import { bouncesAndLimits } from './bounces-and-limits.js';
import { mysqlDatabaseWriter, sqliteDatabaseWriter } from './database-writer.js';
import { dnsLooks } from './dns-looks.js';
import { dnsRecords } from './dns-records.js';
import { domainAttention } from './domain-attention.js';
import { domainDeletion } from './domain-deletion.js';
import { eventGap } from './event-gap.js';
import { eventPositions } from './event-positions.js';
import { finding } from './finding.js';
import { frontHosts } from './front-hosts.js';
import { heartbeats } from './heartbeats.js';
import { mysqlMtaDomain } from './mta-domain.js';
import { mysqlInitial } from './mysql-initial.js';
import { mysqlRefusedSenders } from './mysql-refused-senders.js';
import { mysqlViews } from './mysql-views.js';
import { mysqlViewsChanges } from './mysql-views-changes.js';
import { mysqlViewsDestinations } from './mysql-views-destinations.js';
import { mysqlViewsTime } from './mysql-views-time.js';
import { outboundCountedIds } from './outbound-counted-ids.js';
import { outboundPartnerDays } from './outbound-partner-days.js';
import { ownKeys } from './own-keys.js';
import { partnerBrand } from './partner-brand.js';
import { partnerSuspensions } from './partner-suspensions.js';
import { partnerWords } from './partner-words.js';
import { purgeMark } from './purge-mark.js';
import { relayConfiguration } from './relay-configuration.js';
import { seeds } from './seeds.js';
import { sessions } from './sessions.js';
import { sqliteInitial } from './sqlite-initial.js';
import { type Migration, type Step, stepsOf } from './step.js';
import { stopMessages } from './stop-messages.js';
import { suppressions } from './suppressions.js';
import { tenants } from './tenants.js';
import { mysqlTombstones, sqliteTombstones } from './tombstones.js';
import { trail } from './trail.js';
import { usage } from './usage.js';
import { usageMonths } from './usage-months.js';
import { waitingDomains } from './waiting-domains.js';
import { webhooks } from './webhooks.js';
import { writeProbe } from './write-probe.js';

/** Append new migrations with a later number; never change an old one. */
const MIGRATIONS: readonly Migration[] = [
  { at: 1772323200000, statements: [{ mysql: mysqlInitial, sqlite: sqliteInitial }] },
  { at: 1772323201000, statements: seeds },
  { at: 1772323202000, only: 'mysql', statements: mysqlViews },
  { at: 1772323210000, only: 'mysql', statements: mysqlViewsDestinations },
  // A separate counter for forwarded mail: strangers' mail that aliases send on.
  { at: 1772323211000, statements: [addColumn('outbound_counter', 'forwarded_today', integer({ default: 0 }))] },
  { at: 1772323212000, statements: [{ mysql: mysqlTombstones, sqlite: sqliteTombstones }] },
  { at: 1772323212500, statements: writeProbe },
  { at: 1772323213000, statements: [{ mysql: mysqlDatabaseWriter, sqlite: sqliteDatabaseWriter }] },
  {
    // The failed attempts of a relay event, and an index in the order of processing.
    at: 1772323214000,
    statements: [
      addColumn('relay_event', 'attempts', integer({ default: 0 })),
      addColumn('relay_event', 'next_attempt_at', time({ default: 0, nullable: true })),
      addColumn('relay_event', 'reason', text(500)),
      addIndex('ix_relay_event_due', 'relay_event', ['processed_at', 'next_attempt_at', 'id']),
      dropIndex('ix_relay_event_pending', 'relay_event'),
    ],
  },
  { at: 1772323215000, statements: dnsRecords },
  // The service's own id of the request. Older rows, and rows written by jobs, have none.
  { at: 1772323216000, statements: [addColumn('audit_log', 'request_uid', exact(36))] },
  // What a sender sent through other domains, in its row of its own domain. Rows of the present day start at 0.
  { at: 1772323218000, statements: [addColumn('outbound_sender', 'sent_elsewhere', integer({ default: 0 }))] },
  { at: 1772323218500, statements: outboundCountedIds },
  { at: 1772323219000, statements: waitingDomains },
  { at: 1772323219500, statements: purgeMark },
  { at: 1772323220000, statements: heartbeats },
  {
    // The partner of a job, and an index by which a claim skips the jobs of partners without reading their rows.
    at: 1772323230000,
    statements: [
      addColumn('job', 'partner_id', ref({ default: 0 })),
      addIndex('ix_job_turn', 'job', ['state', 'run_at', 'id', 'partner_id']),
      dropIndex('ix_job_due', 'job'),
    ],
  },
  { at: 1772323240000, statements: ownKeys },
  { at: 1772323241000, statements: sessions },
  { at: 1772323242000, statements: eventPositions },
  { at: 1772323243000, statements: finding },
  { at: 1772323243500, statements: domainAttention },
  { at: 1772323244000, statements: bouncesAndLimits },
  {
    // When a row was restored after its deletion, when a tombstone was, and when its erasure began.
    at: 1772323245000,
    statements: [
      ...['domain', 'mailbox', 'alias', 'deleted_domain', 'deleted_mailbox', 'deleted_alias', 'tombstone'].map(
        (table) => addColumn(table, 'restored_at', time()),
      ),
      addColumn('tombstone', 'closed_at', time()),
      addIndex('ix_tombstone_restorable', 'tombstone', ['erased_at', 'partner_id', 'id']),
    ],
  },
  { at: 1772323247000, statements: partnerSuspensions },
  {
    // The reference of the subscription that pays for a domain.
    at: 1772323248000,
    statements: ['domain', 'deleted_domain'].map((table) => addColumn(table, 'billing_ref', exact(128))),
  },
  { at: 1772323248000, sharesNumbers: true, statements: usage },
  { at: 1772323250000, only: 'mysql', statements: mysqlMtaDomain },
  { at: 1772323260000, statements: relayConfiguration },
  { at: 1772323270000, statements: outboundPartnerDays },
  // The successor of a key's last rotation.
  { at: 1772323310000, statements: [addColumn('api_key', 'successor_id', ref())] },
  {
    // For the domains that need attention for one reason, and for the suspended partners.
    at: 1772323325000,
    statements: [
      addIndex('ix_domain_attention_reason', 'domain_attention', ['reason', 'period', 'domain_id']),
      addIndex('ix_domain_attention_partner', 'domain_attention', ['partner_id', 'reason', 'period', 'domain_id']),
      addIndex('ix_partner_stage', 'partner', ['stage']),
    ],
  },
  { at: 1772323330000, statements: partnerBrand },
  {
    // For the beginning of a reference, and of the name of a key.
    at: 1772323345000,
    statements: [
      addIndex('ix_domain_partner_external_ref', 'domain', ['partner_id', 'external_ref']),
      addIndex('ix_mailbox_partner_external_ref', 'mailbox', ['partner_id', 'external_ref']),
      addIndex('ix_api_key_name', 'api_key', ['name']),
    ],
  },
  { at: 1772323346000, only: 'mysql', statements: mysqlViewsChanges },
  {
    // The received part of the bytes.
    at: 1772323347000,
    statements: [
      addColumn('outbound_counter', 'bytes_in_month', big({ default: 0 })),
      ...['outbound_history', 'usage_day', 'usage_counted'].map((table) =>
        addColumn(table, 'bytes_in', big({ default: 0 })),
      ),
    ],
  },
  {
    // Whether mail with a sender of the domain may come from outside.
    at: 1772323360000,
    statements: ['domain', 'deleted_domain'].map((table) =>
      addColumn(table, 'external_senders', exact(8, { default: 'allow' })),
    ),
  },
  { at: 1772323361000, only: 'mysql', statements: mysqlRefusedSenders },
  // The trace in which a job was added.
  { at: 1772323362000, statements: [addColumn('job', 'trace_id', exact(32))] },
  // The oldest release whose processes can live with the schema, which later migrations may raise (`servedFrom`).
  {
    at: 1772323400000,
    statements: [['SeedServedFrom', "INSERT INTO installation (name, value) VALUES ('served_from', '5.1.0')"]],
  },
  { at: 1772323410000, statements: eventGap },
  { at: 1772323420000, statements: webhooks },
  { at: 1772323600000, statements: domainDeletion },
  { at: 1772323700000, statements: usageMonths },
  { at: 1772323800000, statements: suppressions },
  { at: 1772323900000, statements: trail },
  { at: 1772323970000, statements: tenants },
  { at: 1772324000000, only: 'mysql', statements: mysqlViewsTime },
  // Which release a process runs. Former processes write none.
  { at: 1772324054000, statements: [addColumn('process_heartbeat', 'software_version', exact(20))] },
  // The certificate with which an event was verified last.
  { at: 1772324056000, statements: [addColumn('relay_state', 'certificate', document())] },
  {
    // When the right to log in to a mailbox was last taken away.
    at: 1772324056500,
    statements: ['mailbox', 'deleted_mailbox'].map((table) => addColumn(table, 'revoked_at', time())),
  },
  // The read receipts of a mailbox on a day.
  { at: 1772324057000, statements: [addColumn('outbound_sender', 'receipts', integer({ default: 0 }))] },
  { at: 1772324058000, statements: dnsLooks },
  { at: 1772324059000, statements: frontHosts },
  { at: 1772324060000, statements: stopMessages },
  {
    // The number of the state that callers changed last.
    at: 1772324061000,
    statements: [
      ...['domain', 'deleted_domain', 'mailbox', 'deleted_mailbox', 'api_key', 'partner'].map((table) =>
        addColumn(table, 'revision', integer({ default: 1 })),
      ),
      addColumn('partner', 'brand_revision', integer({ default: 1 })),
    ],
  },
  { at: 1772324062000, statements: partnerWords },
  {
    // The failed attempts of webhooks by their age, at which they are deleted.
    at: 1772324076000,
    statements: [
      addIndex('ix_webhook_attempt_failed', 'webhook_attempt', ['is_failed', 'at']),
      dropIndex('ix_webhook_attempt_at', 'webhook_attempt'),
    ],
  },
];

/** @returns the number of each migration */
export function migrationNumbers(): number[] {
  return MIGRATIONS.map(({ at }) => at);
}

/** @returns all steps of a database, oldest first */
export function steps(dialect: Dialect): Step[] {
  return stepsOf(MIGRATIONS, dialect.name);
}
