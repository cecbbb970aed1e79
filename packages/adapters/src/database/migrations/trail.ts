import { addIndex } from './alterations.js';
import type { Migration, Statement } from './step.js';

const MYSQL: Statement[] = [
  [
    'CreateTrail',
    'CREATE TABLE `trail` (`day` int NOT NULL, `id` varchar(33) CHARACTER SET ascii COLLATE ascii_bin NOT NULL, `row_key` varchar(22) CHARACTER SET ascii COLLATE ascii_bin NOT NULL, `at` bigint NOT NULL, `last_at` bigint NOT NULL, `direction` varchar(3) CHARACTER SET ascii COLLATE ascii_bin NOT NULL, `partner_id` bigint NOT NULL, `domain_id` bigint NOT NULL, `domain` varchar(253) CHARACTER SET ascii COLLATE ascii_bin NOT NULL, `mailbox` varchar(320) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL, `sender` varchar(320) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL, `recipient` varchar(320) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL, `size` bigint NULL, `state` varchar(12) CHARACTER SET ascii COLLATE ascii_bin NOT NULL, `state_at` bigint NOT NULL, `reason` varchar(64) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NULL, `message_id` varchar(250) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NULL, `relay_id` varchar(100) CHARACTER SET ascii COLLATE ascii_bin NULL, `times` int NOT NULL, `steps` mediumtext CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL, PRIMARY KEY (`day`, `id`), INDEX `ix_trail_key` (`row_key`), INDEX `ix_trail_domain` (`domain`, `id`), INDEX `ix_trail_mailbox` (`mailbox`, `id`), INDEX `ix_trail_recipient` (`recipient`, `partner_id`, `id`), INDEX `ix_trail_message` (`message_id`, `partner_id`, `id`), INDEX `ix_trail_partner` (`partner_id`, `id`), INDEX `ix_trail_relay` (`relay_id`)) ENGINE=InnoDB PARTITION BY RANGE (`day`) (PARTITION `rest` VALUES LESS THAN MAXVALUE)',
  ],
  [
    'CreateTrailHost',
    'CREATE TABLE `trail_host` (`host` varchar(255) CHARACTER SET ascii COLLATE ascii_bin NOT NULL, `seen_at` bigint NOT NULL, `behind_s` int NOT NULL, PRIMARY KEY (`host`)) ENGINE=InnoDB',
  ],
  [
    'CreateTrailGap',
    'CREATE TABLE `trail_gap` (`partner_id` bigint NOT NULL, `since` bigint NOT NULL, `until` bigint NOT NULL, PRIMARY KEY (`partner_id`)) ENGINE=InnoDB',
  ],
  [
    'CreateTrailReading',
    'CREATE TABLE `trail_reading` (`operator` varchar(128) CHARACTER SET ascii COLLATE ascii_bin NOT NULL, `partner_id` bigint NOT NULL, `hour` bigint NOT NULL, PRIMARY KEY (`operator`, `partner_id`, `hour`)) ENGINE=InnoDB',
  ],
];

/** The tables of the days are made when they are needed (`trail-day-tables.ts`). */
const SQLITE: Statement[] = [
  [
    'CreateTrailHost',
    'CREATE TABLE "trail_host" ("host" varchar(255) PRIMARY KEY NOT NULL, "seen_at" integer NOT NULL, "behind_s" integer NOT NULL)',
  ],
  [
    'CreateTrailGap',
    'CREATE TABLE "trail_gap" ("partner_id" integer PRIMARY KEY NOT NULL, "since" integer NOT NULL, "until" integer NOT NULL)',
  ],
  [
    'CreateTrailReading',
    'CREATE TABLE "trail_reading" ("operator" varchar(128) NOT NULL, "partner_id" integer NOT NULL, "hour" integer NOT NULL, PRIMARY KEY ("operator", "partner_id", "hour"))',
  ],
];

/** What became of messages, by day; the mail servers that report it; and the operators that read it. */
export const trail: Migration['statements'] = [
  { mysql: MYSQL, sqlite: SQLITE },
  addIndex('ix_trail_reading_hour', 'trail_reading', ['hour']),
];
