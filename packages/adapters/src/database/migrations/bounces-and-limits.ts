import { addColumn, integer, time } from './alterations.js';
import type { Migration, Statement } from './step.js';

const MYSQL: Statement[] = [
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

/** The list of bounces, the last calls to the relay provider, and limits of a domain for a time. */
export const bouncesAndLimits: Migration['statements'] = [
  ...['domain', 'deleted_domain'].flatMap((table) => [
    addColumn(table, 'held_since', time()),
    addColumn(table, 'temporary_daily_limit', integer()),
    addColumn(table, 'temporary_monthly_limit', integer()),
    addColumn(table, 'temporary_limits_until', time()),
  ]),
  { mysql: MYSQL, sqlite: SQLITE },
  ['FillRelayCall', "INSERT INTO relay_call (outcome, at) VALUES ('success', 0), ('failure', 0)"],
];
