import type { EntitySchema } from 'typeorm';
import { aliasSchema } from './alias-repository.js';
import { apiKeySchema } from './api-key-repository.js';
import { auditSchema } from './audit-log.js';
import { domainSchema } from './domain-schema.js';
import type { Dialect } from './driver/dialect.js';
import { databaseWriterSchema } from './health/database-writers.js';
import { writeProbeSchema } from './health/write-probe.js';
import { idempotencySchema } from './idempotency-store.js';
import { installationSchema } from './installation.js';
import { jobSchemas } from './jobs/job-schemas.js';
import { mailboxSchema } from './mailbox-repository.js';
import { notificationSchema } from './notification-outbox.js';
import { outboundSchemas } from './outbound/outbound-schemas.js';
import { partnerSchema } from './partner-repository.js';
import { relayEventSchemas } from './relay-event-inbox.js';
import { tombstoneSchemas } from './tombstones/tombstone-schemas.js';
import { verificationSchema } from './verification-repository.js';

/** The schemas of all tables. Migrations are generated from them, and a test compares both. */
export function schemas(dialect: Dialect): EntitySchema[] {
  return [
    partnerSchema(dialect),
    apiKeySchema(dialect),
    domainSchema(dialect),
    verificationSchema(dialect),
    mailboxSchema(dialect),
    aliasSchema(dialect),
    auditSchema(dialect),
    ...tombstoneSchemas(dialect),
    ...outboundSchemas(dialect),
    ...jobSchemas(dialect),
    ...relayEventSchemas(dialect),
    notificationSchema(dialect),
    idempotencySchema(dialect),
    installationSchema(dialect),
    writeProbeSchema(dialect),
    databaseWriterSchema(dialect),
  ] as EntitySchema[];
}
