import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const DATABASE = fileURLToPath(new URL('..', import.meta.url));
const CORE = fileURLToPath(new URL('../../../../core/src', import.meta.url));

/**
 * Every statement that destroys rows, or hashes in them, by what decides about it. `by key`: the caller names the rows.
 * `by the time of the statement`: MariaDB compares with its own clock. Otherwise the class of the core decides by the
 * age of the rows. It asks `DatabaseClock` for the time, because a process with a wrong clock must not destroy anything
 * too early.
 */
const STATEMENTS: Record<'by key' | 'by the time of the statement' | `core/${string}`, string[]> = {
  'by key': [
    'aliases/alias-repository: Alias',
    'api-keys/api-key-repository: ApiKey',
    'api-keys/api-key-repository: api_key_domain',
    'api-keys/leaving-domain: api_key_domain',
    'brands/brand-repository: Brand',
    'brands/brand-repository: partner_brand',
    'derived/derived-comparison: InstallationRow',
    'derived/stale-rows: ${table}',
    // The restore of an older backup makes the positions after it skipped ones again.
    'events/event-gaps: event_gap',
    'health/write-probe: write_probe',
    'operators/idempotency-statements: idempotency',
    'operators/idempotency-store: IdempotencyRow',
    'installation/installation-lease: InstallationRow',
    'jobs/run-ledger: installation',
    'looks/sql-dns-looks: dns_look',
    'looks/sql-front-hosts: front_hosts',
    'partners/partner-words: partner_word',
    'portal-links/portal-link-repository: PortalLink',
    'retention/purge-marks: purge_mark',
    'recovery/raise-ids: installation',
    'recovery/raise-ids: portal_link',
    'recovery/raise-ids: portal_session',
    'recovery/restored-installation: installation',
    'sessions/session-repository: Session',
    'suppressions/suppression-counts: suppression',
    'tombstones/deleted-items: deleted_alias',
    'tombstones/domain-deletions: domain_deletion',
    'tombstones/hand-over-statements: ${table}',
    'tombstones/hand-over-statements: outbound_counter',
    'tombstones/restore-statements: deleted_alias',
    'tombstones/restore-statements: deleted_domain',
    'tombstones/restore-statements: deleted_mailbox',
    'tombstones/restore-statements: deleted_verification',
    'tombstones/tombstone-repository: DeletedDomainRow',
    'tombstones/tombstone-repository: DeletedVerificationRow',
    'tombstones/tombstone-repository: Domain',
    'tombstones/tombstone-repository: TombstoneRow',
    'tombstones/tombstone-repository: Verification',
    'webhooks/sql-webhook-backlog: webhook_delivery',
    'webhooks/sql-webhook-endpoints: webhook_delivery',
    'webhooks/sql-webhook-endpoints: webhook_endpoint',
  ],
  'by the time of the statement': ['health/database-writers: database_writer'],
  'core/jobs/housekeeping': ['finding/attention-rows: domain_attention', 'operators/idempotency-store: idempotency'],
  'core/jobs/purge-records': [
    'audit/audit-log: audit_log',
    'events/event-feed: audit_log',
    'jobs/heartbeats: process_heartbeat',
    'jobs/job-store: job',
    'jobs/run-ledger: job_run',
    'notifications/notification-statements: notification',
    'portal-links/portal-link-repository: portal_link',
    'sessions/session-repository: portal_session',
    'webhooks/sql-webhook-endpoints: webhook_attempt',
    'webhooks/sql-webhook-endpoints: webhook_turn',
  ],
  'core/trail/keep-trail-days': [
    'trail/trail-store: trail_gap',
    'trail/trail-store: trail_host',
    'trail/trail-store: trail_reading',
  ],
  'core/outbound/purge-outbound-rows': ['outbound/outbound-periods: table'],
  'core/relay-events/purge-relay-events': [
    'relay-events/bounce-log: bounce',
    'relay-events/relay-event-statements: relay_effect',
    'relay-events/relay-event-statements: relay_event',
  ],
  'core/retention/remove-deleted-mail': [
    'tombstones/deleted-rows: ${table}',
    'tombstones/deleted-rows: deleted_mailbox',
    'tombstones/tombstone-statements: ${table}',
  ],
  'core/relay/tenants/tidy-tenants': [
    'tenants/sql-tenants: relay_tenant',
    'tenants/sql-tenants: relay_tenant_identity',
  ],
  'core/suppressions/purge-suppressions': ['suppressions/sql-suppressions: suppression'],
  'core/usage/snapshot-usage': ['usage/usage-ledger: usage_day', 'usage/usage-ledger: usage_month'],
  'core/usage/sum-months': ['usage/usage-months: usage_day'],
};

/**
 * What decides by age otherwise: about stored mail, about domains that the rules of a deletion apply to, and about
 * expired rows of a partner without room.
 */
const OTHERS = [
  'core/retention/purge-retention',
  'core/domains/expire-pending-domains',
  'core/suppressions/create-suppression',
];
/** When the grace of what is deleted or lowered begins, and what ends a day or a month, which is then billed. */
const BEGINS_OR_ENDS = [
  'core/domains/delete-domain',
  'core/mailboxes/delete-mailbox',
  'core/domains/move-domain',
  'core/domains/change-domain',
  'core/restoration/erase-deleted',
  'core/relay/delete-identity',
  'core/usage/snapshot-usage',
];

const DESTROYS = [
  /DELETE FROM (\$\{\w+\}|\w+)/g,
  /deleteSome\(\s*'?(\w+)/g,
  /manager\s*\.delete(?:<\w+>)?\(\s*'?(\w+)/g,
  /TRUNCATE TABLE (\$\{\w+\}|\w+)/g,
  /UPDATE (\w+) SET password_hash = ''/g,
];

function sources(folder: string): [name: string, text: string][] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !/(^|\/)(testing|migrations|driver)\/|\.test\.ts$/.test(file))
    .map((file) => [file.replace(/\.ts$/, ''), readFileSync(join(folder, file), 'utf8')]);
}

/** `file: table`, once for each table of a file. */
function found(): string[] {
  const names = sources(DATABASE).flatMap(([file, text]) =>
    DESTROYS.flatMap((pattern) => [...text.matchAll(pattern)].map(([, table]) => `${file}: ${table}`)),
  );
  return [...new Set(names)].toSorted();
}

describe('what destroys', () => {
  it('is a statement of the list', () => {
    expect(found()).toEqual(Object.values(STATEMENTS).flat().toSorted());
  });

  it('asks the database for the time', () => {
    const named = Object.keys(STATEMENTS).filter((rule) => rule.startsWith('core/'));
    const core = new Map(sources(CORE).map(([file, text]) => [`core/${file}`, text]));
    for (const name of [...named, ...OTHERS, ...BEGINS_OR_ENDS]) {
      const text = core.get(name) ?? '';
      expect([name, text.includes('DatabaseClock'), /\bClock\b/.test(text)]).toEqual([name, true, false]);
    }
  });

  it('removes stored mail only where the list says', () => {
    const callers = sources(CORE).filter(([, text]) => /store\s*\.(purge|removeHome)\(/.test(text));
    expect(callers.map(([file]) => file).toSorted()).toEqual([
      'retention/purge-retention',
      'retention/remove-deleted-mail',
    ]);
  });
});
