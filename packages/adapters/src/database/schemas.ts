import type { EntitySchema } from 'typeorm';
import { aliasSchema } from './alias-repository.js';
import { apiKeySchema } from './api-key-repository.js';
import { auditSchema } from './audit-log.js';
import { databaseWriterSchema } from './database-writers.js';
import type { Dialect } from './dialect.js';
import { domainSchema } from './domain-schema.js';
import { jobSchemas } from './job-schemas.js';
import { mailboxSchema } from './mailbox-repository.js';
import { outboundSchemas } from './outbound-schemas.js';
import { partnerSchema } from './partner-repository.js';
import { tombstoneSchemas } from './tombstone-schemas.js';
import { verificationSchema } from './verification-repository.js';
import { writeProbeSchema } from './write-probe.js';

/** Every table of the service. The migrations are generated from these, and a test compares the two. */
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
    writeProbeSchema(dialect),
    databaseWriterSchema(dialect),
  ] as EntitySchema[];
}
