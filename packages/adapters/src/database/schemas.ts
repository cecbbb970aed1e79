import type { EntitySchema } from 'typeorm';
import { aliasSchema } from './aliases/alias-repository.js';
import { apiKeyDomainSchema, apiKeySchema } from './api-keys/api-key-repository.js';
import { auditSchema } from './audit/audit-log.js';
import { brandSchema } from './brands/brand-repository.js';
import { mtaDomainSchemas } from './derived/mta-domain.js';
import { domainSchema } from './domains/domain-schema.js';
import { domainSuffixSchema } from './domains/domain-suffixes.js';
import type { Dialect } from './driver/dialect.js';
import { eventGapSchema } from './events/event-gaps.js';
import { eventPositionSchema } from './events/event-positions.js';
import { domainAttentionSchema } from './finding/attention-rows.js';
import { databaseWriterSchema } from './health/database-writers.js';
import { writeProbeSchema } from './health/write-probe.js';
import { installationSchema } from './installation/installation.js';
import { heartbeatSchema } from './jobs/heartbeats.js';
import { jobSchemas } from './jobs/job-schemas.js';
import { lookSchemas } from './looks/look-schemas.js';
import { mailboxSchema } from './mailboxes/mailbox-repository.js';
import { notificationSchema } from './notifications/notification-outbox.js';
import { idempotencySchema } from './operators/idempotency-store.js';
import { outboundSchemas } from './outbound/outbound-schemas.js';
import { partnerSchema } from './partners/partner-repository.js';
import { partnerWordSchema } from './partners/partner-words.js';
import { portalLinkSchema } from './portal-links/portal-link-schema.js';
import { relayCallSchema } from './relay/relay-calls.js';
import { relayStateSchema } from './relay/relay-states.js';
import { verificationSchema } from './relay/verification-repository.js';
import { bounceSchema } from './relay-events/bounce-log.js';
import { relayEventSchemas } from './relay-events/relay-event-inbox.js';
import { purgeMarkSchema } from './retention/purge-marks.js';
import { sessionSchema } from './sessions/session-repository.js';
import { suppressionSchema } from './suppressions/suppression-schema.js';
import { tenantIdentitySchema, tenantSchema } from './tenants/tenant-schemas.js';
import { domainDeletionSchema } from './tombstones/domain-deletions.js';
import { tombstoneSchemas } from './tombstones/tombstone-schemas.js';
import { trailSchemas } from './trail/trail-schemas.js';
import { usageSchemas } from './usage/usage-schemas.js';
import { webhookSchemas } from './webhooks/webhook-schemas.js';

/** The schemas of all tables. Migrations are generated from them, and a test compares both. */
export function schemas(dialect: Dialect): EntitySchema[] {
  return [
    partnerSchema(dialect),
    partnerWordSchema(dialect),
    brandSchema(dialect),
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
    eventGapSchema(dialect),
    ...tombstoneSchemas(dialect),
    domainDeletionSchema(dialect),
    ...outboundSchemas(dialect),
    ...usageSchemas(dialect),
    ...trailSchemas(dialect),
    ...jobSchemas(dialect),
    heartbeatSchema(dialect),
    ...relayEventSchemas(dialect),
    bounceSchema(dialect),
    suppressionSchema(dialect),
    tenantSchema(dialect),
    tenantIdentitySchema(dialect),
    relayCallSchema(dialect),
    relayStateSchema(dialect),
    ...lookSchemas(dialect),
    notificationSchema(dialect),
    idempotencySchema(dialect),
    installationSchema(dialect),
    writeProbeSchema(dialect),
    databaseWriterSchema(dialect),
    portalLinkSchema(dialect),
    sessionSchema(dialect),
    ...webhookSchemas(dialect),
    ...mtaDomainSchemas(dialect),
  ] as EntitySchema[];
}
