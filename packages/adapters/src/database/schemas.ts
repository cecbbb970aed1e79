import type { EntitySchema } from 'typeorm';
import { aliasSchema } from './alias-repository.js';
import { apiKeyDomainSchema, apiKeySchema } from './api-key-repository.js';
import { auditSchema } from './audit-log.js';
import { bounceSchema } from './bounce-log.js';
import { mtaDomainSchemas } from './derived/mta-domain.js';
import { domainSchema } from './domain-schema.js';
import { domainSuffixSchema } from './domain-suffixes.js';
import type { Dialect } from './driver/dialect.js';
import { eventPositionSchema } from './events/event-positions.js';
import { domainAttentionSchema } from './finding/attention-rows.js';
import { databaseWriterSchema } from './health/database-writers.js';
import { writeProbeSchema } from './health/write-probe.js';
import { idempotencySchema } from './idempotency-store.js';
import { installationSchema } from './installation.js';
import { heartbeatSchema } from './jobs/heartbeats.js';
import { jobSchemas } from './jobs/job-schemas.js';
import { mailboxSchema } from './mailbox-repository.js';
import { notificationSchema } from './notification-outbox.js';
import { outboundSchemas } from './outbound/outbound-schemas.js';
import { partnerSchema } from './partner-repository.js';
import { portalLinkSchema } from './portal-link-schema.js';
import { purgeMarkSchema } from './purge-marks.js';
import { relayCallSchema } from './relay-calls.js';
import { relayEventSchemas } from './relay-event-inbox.js';
import { relayStateSchema } from './relay-states.js';
import { sessionSchema } from './session-repository.js';
import { tombstoneSchemas } from './tombstones/tombstone-schemas.js';
import { usageSchemas } from './usage/usage-schemas.js';
import { verificationSchema } from './verification-repository.js';

/** The schemas of all tables. Migrations are generated from them, and a test compares both. */
export function schemas(dialect: Dialect): EntitySchema[] {
  return [
    partnerSchema(dialect),
    apiKeySchema(dialect),
    domainSchema(dialect),
    apiKeyDomainSchema(dialect),
    domainSuffixSchema(dialect),
    domainAttentionSchema(dialect),
    verificationSchema(dialect),
    purgeMarkSchema(dialect),
    mailboxSchema(dialect),
    aliasSchema(dialect),
    auditSchema(dialect),
    eventPositionSchema(dialect),
    ...tombstoneSchemas(dialect),
    ...outboundSchemas(dialect),
    ...usageSchemas(dialect),
    ...jobSchemas(dialect),
    heartbeatSchema(dialect),
    ...relayEventSchemas(dialect),
    bounceSchema(dialect),
    relayCallSchema(dialect),
    relayStateSchema(dialect),
    notificationSchema(dialect),
    idempotencySchema(dialect),
    installationSchema(dialect),
    writeProbeSchema(dialect),
    databaseWriterSchema(dialect),
    portalLinkSchema(dialect),
    sessionSchema(dialect),
    ...mtaDomainSchemas(dialect),
  ] as EntitySchema[];
}
