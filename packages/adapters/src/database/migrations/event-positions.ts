import type { DialectName } from '../driver/dialect.js';
import type { Statement } from './step.js';

/**
 * Makes each audit row an event: its type, the rows of its partner and domain, and its position in the feed. Rows from
 * before the upgrade get no position: those up to `before_audit_id`. The columns may be null, because processes of the
 * former release insert rows without them.
 */
export function eventPositions(dialect: DialectName): Statement[] {
  return [
    ...(dialect === 'mysql' ? MYSQL : SQLITE),
    [
      'FillEventPosition',
      'INSERT INTO event_position (id, last_position, first_kept, before_audit_id) SELECT 1, 0, 1, COALESCE(MAX(id), 0) FROM audit_log',
    ],
  ];
}

const MYSQL: Statement[] = [
  ['AddAuditLogPartnerId', 'ALTER TABLE `audit_log` ADD `partner_id` bigint NULL'],
  ['AddAuditLogDomainId', 'ALTER TABLE `audit_log` ADD `domain_id` bigint NULL'],
  [
    'AddAuditLogEventType',
    'ALTER TABLE `audit_log` ADD `event_type` varchar(64) CHARACTER SET ascii COLLATE ascii_bin NULL',
  ],
  ['AddAuditLogPosition', 'ALTER TABLE `audit_log` ADD `position` bigint NULL'],
  ['IndexIxAuditPosition', 'CREATE UNIQUE INDEX `ix_audit_position` ON `audit_log` (`position`)'],
  ['IndexIxAuditPartnerPosition', 'CREATE INDEX `ix_audit_partner_position` ON `audit_log` (`partner_id`, `position`)'],
  ['IndexIxAuditDomainPosition', 'CREATE INDEX `ix_audit_domain_position` ON `audit_log` (`domain`, `position`)'],
  [
    'CreateEventPosition',
    'CREATE TABLE `event_position` (`id` int NOT NULL, `last_position` bigint NOT NULL, `first_kept` bigint NOT NULL, `before_audit_id` bigint NOT NULL, PRIMARY KEY (`id`)) ENGINE=InnoDB',
  ],
];

const SQLITE: Statement[] = [
  ['AddAuditLogPartnerId', 'ALTER TABLE "audit_log" ADD COLUMN "partner_id" integer'],
  ['AddAuditLogDomainId', 'ALTER TABLE "audit_log" ADD COLUMN "domain_id" integer'],
  ['AddAuditLogEventType', 'ALTER TABLE "audit_log" ADD COLUMN "event_type" varchar(64)'],
  ['AddAuditLogPosition', 'ALTER TABLE "audit_log" ADD COLUMN "position" integer'],
  ['IndexIxAuditPosition', 'CREATE UNIQUE INDEX "ix_audit_position" ON "audit_log" ("position")'],
  ['IndexIxAuditPartnerPosition', 'CREATE INDEX "ix_audit_partner_position" ON "audit_log" ("partner_id", "position")'],
  ['IndexIxAuditDomainPosition', 'CREATE INDEX "ix_audit_domain_position" ON "audit_log" ("domain", "position")'],
  [
    'CreateEventPosition',
    'CREATE TABLE "event_position" ("id" integer PRIMARY KEY NOT NULL, "last_position" integer NOT NULL, "first_kept" integer NOT NULL, "before_audit_id" integer NOT NULL)',
  ],
];
