import type { DialectName } from '../driver/dialect.js';
import type { Statement } from './step.js';

/**
 * Adds when a row was restored after its deletion, and to tombstones when they were restored, and when their erasure
 * began. Every column may be null, because processes of the former release insert rows without them.
 */
export function restoredRows(dialect: DialectName): Statement[] {
  return dialect === 'mysql' ? MYSQL : SQLITE;
}

const TABLES = [
  ['domain', 'Domain'],
  ['mailbox', 'Mailbox'],
  ['alias', 'Alias'],
  ['deleted_domain', 'DeletedDomain'],
  ['deleted_mailbox', 'DeletedMailbox'],
  ['deleted_alias', 'DeletedAlias'],
  ['tombstone', 'Tombstone'],
] as const;

const MYSQL: Statement[] = [
  ...TABLES.map(
    ([table, name]): Statement => [`Add${name}RestoredAt`, `ALTER TABLE \`${table}\` ADD \`restored_at\` bigint NULL`],
  ),
  ['AddTombstoneClosedAt', 'ALTER TABLE `tombstone` ADD `closed_at` bigint NULL'],
  [
    'IndexIxTombstoneRestorable',
    'CREATE INDEX `ix_tombstone_restorable` ON `tombstone` (`erased_at`, `partner_id`, `id`)',
  ],
];

const SQLITE: Statement[] = [
  ...TABLES.map(
    ([table, name]): Statement => [`Add${name}RestoredAt`, `ALTER TABLE "${table}" ADD COLUMN "restored_at" integer`],
  ),
  ['AddTombstoneClosedAt', 'ALTER TABLE "tombstone" ADD COLUMN "closed_at" integer'],
  [
    'IndexIxTombstoneRestorable',
    'CREATE INDEX "ix_tombstone_restorable" ON "tombstone" ("erased_at", "partner_id", "id")',
  ],
];
