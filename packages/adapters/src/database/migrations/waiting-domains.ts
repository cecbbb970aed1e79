import type { DialectName } from '../driver/dialect.js';
import { MYSQL_TIME } from '../driver/mysql-dialect.js';
import type { Statement } from './step.js';

/**
 * Adds to domains the lowerings of their retention with the next reminder, and since when a client's domain waits to be
 * opened for the first time. Every column may be null, because processes of the former release insert rows without
 * them.
 */
export function waitingDomains(dialect: DialectName): Statement[] {
  return dialect === 'mysql' ? MYSQL : SQLITE;
}

/**
 * Domains that wait already are counted from the upgrade on. A domain is included only when its history shows that a
 * client created it and that it was never open.
 */
const PENDING = `inbound = 'pending'
  AND id IN (SELECT domain_id FROM verification WHERE verified_at IS NULL AND ownership_seen_at IS NULL)
  AND (SELECT actor_kind FROM audit_log WHERE audit_log.domain = domain.name AND action = 'domain.create' ORDER BY audit_log.id DESC LIMIT 1) = 'client'
  AND NOT EXISTS (SELECT 1 FROM audit_log WHERE audit_log.domain = domain.name AND action = 'domain.set_inbound')`;

const MYSQL: Statement[] = [
  ...['domain', 'deleted_domain'].flatMap((table): Statement[] => {
    const add = (name: string, column: string): Statement => [name, `ALTER TABLE \`${table}\` ADD ${column} NULL`];
    const of = table === 'domain' ? 'Domain' : 'DeletedDomain';
    return [
      add(`Add${of}RetentionLowerings`, '`retention_lowerings` mediumtext CHARACTER SET utf8mb4 COLLATE utf8mb4_bin'),
      add(`Add${of}RetentionReminderAt`, '`retention_reminder_at` bigint'),
      add(`Add${of}PendingSince`, '`pending_since` bigint'),
      add(`Add${of}ExpiryNotifiedAt`, '`expiry_notified_at` bigint'),
    ];
  }),
  ['IndexIxDomainPendingSince', 'CREATE INDEX `ix_domain_pending_since` ON `domain` (`pending_since`)'],
  [
    'IndexIxDomainRetentionReminder',
    'CREATE INDEX `ix_domain_retention_reminder` ON `domain` (`retention_reminder_at`)',
  ],
  ['FillDomainPendingSince', `UPDATE domain SET pending_since = ${MYSQL_TIME} WHERE ${PENDING}`],
];

const SQLITE: Statement[] = [
  ...['domain', 'deleted_domain'].flatMap((table): Statement[] => {
    const add = (name: string, column: string): Statement => [name, `ALTER TABLE "${table}" ADD COLUMN ${column}`];
    const of = table === 'domain' ? 'Domain' : 'DeletedDomain';
    return [
      add(`Add${of}RetentionLowerings`, '"retention_lowerings" text'),
      add(`Add${of}RetentionReminderAt`, '"retention_reminder_at" integer'),
      add(`Add${of}PendingSince`, '"pending_since" integer'),
      add(`Add${of}ExpiryNotifiedAt`, '"expiry_notified_at" integer'),
    ];
  }),
  ['IndexIxDomainPendingSince', 'CREATE INDEX "ix_domain_pending_since" ON "domain" ("pending_since")'],
  [
    'IndexIxDomainRetentionReminder',
    'CREATE INDEX "ix_domain_retention_reminder" ON "domain" ("retention_reminder_at")',
  ],
  [
    'FillDomainPendingSince',
    `UPDATE domain SET pending_since = CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER) WHERE ${PENDING}`,
  ],
];
