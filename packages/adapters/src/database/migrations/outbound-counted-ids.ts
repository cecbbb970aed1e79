import type { Migration, Statement } from './step.js';

const MYSQL: Statement[] = [
  [
    'CreateOutboundCountedId',
    'CREATE TABLE `outbound_counted_id` (`domain_id` bigint NOT NULL, `id_hash` varbinary(16) NOT NULL, `outcome` varbinary(400) NOT NULL, `counted_at` bigint NOT NULL, INDEX `ix_outbound_counted_id_at` (`counted_at`), PRIMARY KEY (`domain_id`, `id_hash`)) ENGINE=InnoDB',
  ],
];

const SQLITE: Statement[] = [
  [
    'CreateOutboundCountedId',
    'CREATE TABLE "outbound_counted_id" ("domain_id" integer NOT NULL, "id_hash" blob NOT NULL, "outcome" blob NOT NULL, "counted_at" integer NOT NULL, PRIMARY KEY ("domain_id", "id_hash"))',
  ],
  ['IndexIxOutboundCountedIdAt', 'CREATE INDEX "ix_outbound_counted_id_at" ON "outbound_counted_id" ("counted_at")'],
];

/**
 * A smaller table of counted increment ids. The ids in `outbound_increment` stay there for their 24 hours, and
 * processes of the former release may still add to them. A later release may drop that table.
 */
export const outboundCountedIds: Migration['statements'] = [{ mysql: MYSQL, sqlite: SQLITE }];
