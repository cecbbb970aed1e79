import type { DialectName } from '../driver/dialect.js';
import type { Statement } from './step.js';

/** The list of bounces, the last calls to the relay provider, and limits of a domain for a time. */
export function bouncesAndLimits(dialect: DialectName): Statement[] {
  return [
    ...(dialect === 'mysql' ? MYSQL : SQLITE),
    ['FillRelayCall', "INSERT INTO relay_call (outcome, at) VALUES ('success', 0), ('failure', 0)"],
  ];
}

const DOMAIN_COLUMNS: [column: string, type: 'time' | 'integer'][] = [
  ['held_since', 'time'],
  ['temporary_daily_limit', 'integer'],
  ['temporary_monthly_limit', 'integer'],
  ['temporary_limits_until', 'time'],
];

const TABLES: [table: string, name: string][] = [
  ['domain', 'Domain'],
  ['deleted_domain', 'DeletedDomain'],
];

const MYSQL: Statement[] = [
  ...TABLES.flatMap(([table, name]) =>
    DOMAIN_COLUMNS.map(
      ([column, type]): Statement => [
        `Add${name}${camel(column)}`,
        `ALTER TABLE \`${table}\` ADD COLUMN \`${column}\` ${type === 'time' ? 'bigint' : 'int'} NULL`,
      ],
    ),
  ),
  [
    'CreateBounce',
    'CREATE TABLE `bounce` (`id` bigint NOT NULL AUTO_INCREMENT, `domain_id` bigint NOT NULL, `partner_id` bigint NOT NULL, `at` bigint NOT NULL, `kind` varchar(16) CHARACTER SET ascii COLLATE ascii_bin NOT NULL, `recipient` varchar(320) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL, `sender` varchar(320) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NULL, `subtype` varchar(64) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NULL, `diagnostic` varchar(500) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NULL, `message_id` varchar(200) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL, INDEX `ix_bounce_domain` (`domain_id`, `partner_id`, `id`), INDEX `ix_bounce_at` (`at`), PRIMARY KEY (`id`)) ENGINE=InnoDB',
  ],
  [
    'CreateRelayCall',
    'CREATE TABLE `relay_call` (`outcome` varchar(8) CHARACTER SET ascii COLLATE ascii_bin NOT NULL, `at` bigint NOT NULL, `operation` varchar(32) CHARACTER SET ascii COLLATE ascii_bin NULL, `reason` varchar(500) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NULL, PRIMARY KEY (`outcome`)) ENGINE=InnoDB',
  ],
];

const SQLITE: Statement[] = [
  ...TABLES.flatMap(([table, name]) =>
    DOMAIN_COLUMNS.map(
      ([column]): Statement => [`Add${name}${camel(column)}`, `ALTER TABLE "${table}" ADD COLUMN "${column}" integer`],
    ),
  ),
  [
    'CreateBounce',
    'CREATE TABLE "bounce" ("id" integer PRIMARY KEY AUTOINCREMENT NOT NULL, "domain_id" integer NOT NULL, "partner_id" integer NOT NULL, "at" integer NOT NULL, "kind" varchar(16) NOT NULL, "recipient" varchar(320) NOT NULL, "sender" varchar(320), "subtype" varchar(64), "diagnostic" varchar(500), "message_id" varchar(200) NOT NULL)',
  ],
  ['IndexIxBounceDomain', 'CREATE INDEX "ix_bounce_domain" ON "bounce" ("domain_id", "partner_id", "id")'],
  ['IndexIxBounceAt', 'CREATE INDEX "ix_bounce_at" ON "bounce" ("at")'],
  [
    'CreateRelayCall',
    'CREATE TABLE "relay_call" ("outcome" varchar(8) PRIMARY KEY NOT NULL, "at" integer NOT NULL, "operation" varchar(32), "reason" varchar(500))',
  ],
];

function camel(column: string): string {
  return column.replaceAll(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
