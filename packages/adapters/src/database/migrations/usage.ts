import { addColumn, exact, integer } from './alterations.js';
import type { Migration, Statement } from './step.js';

const MYSQL: Statement[] = [
  [
    'CreateUsageDay',
    'CREATE TABLE `usage_day` (`month` varchar(7) CHARACTER SET ascii COLLATE ascii_bin NOT NULL, `name` varchar(253) CHARACTER SET ascii COLLATE ascii_general_ci NOT NULL, `day` varchar(10) CHARACTER SET ascii COLLATE ascii_bin NOT NULL, `partner_id` bigint NOT NULL, `plan` varchar(16) CHARACTER SET ascii COLLATE ascii_bin NULL, `external_ref` varchar(128) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NULL, `billing_ref` varchar(128) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NULL, `held` tinyint NOT NULL, `mailboxes` int NOT NULL, `storage_mb` int NULL, `sent` bigint NOT NULL, `bytes` bigint NOT NULL, `bounces` bigint NOT NULL, INDEX `ix_usage_day_partner` (`partner_id`, `month`, `name`), INDEX `ix_usage_day_day` (`day`, `name`), PRIMARY KEY (`month`, `name`, `day`, `partner_id`)) ENGINE=InnoDB',
  ],
  [
    'CreateUsageCounted',
    'CREATE TABLE `usage_counted` (`domain_id` bigint NOT NULL, `month` varchar(7) CHARACTER SET ascii COLLATE ascii_bin NOT NULL, `sent` bigint NOT NULL, `bytes` bigint NOT NULL, `bounces` bigint NOT NULL, PRIMARY KEY (`domain_id`)) ENGINE=InnoDB',
  ],
];

const SQLITE: Statement[] = [
  [
    'CreateUsageDay',
    'CREATE TABLE "usage_day" ("month" varchar(7) NOT NULL, "name" varchar(253) NOT NULL, "day" varchar(10) NOT NULL, "partner_id" integer NOT NULL, "plan" varchar(16), "external_ref" varchar(128), "billing_ref" varchar(128), "held" integer NOT NULL, "mailboxes" integer NOT NULL, "storage_mb" integer, "sent" integer NOT NULL, "bytes" integer NOT NULL, "bounces" integer NOT NULL, PRIMARY KEY ("month", "name", "day", "partner_id"))',
  ],
  ['IndexIxUsageDayPartner', 'CREATE INDEX "ix_usage_day_partner" ON "usage_day" ("partner_id", "month", "name")'],
  ['IndexIxUsageDayDay', 'CREATE INDEX "ix_usage_day_day" ON "usage_day" ("day", "name")'],
  [
    'CreateUsageCounted',
    'CREATE TABLE "usage_counted" ("domain_id" integer PRIMARY KEY NOT NULL, "month" varchar(7) NOT NULL, "sent" integer NOT NULL, "bytes" integer NOT NULL, "bounces" integer NOT NULL)',
  ],
];

/**
 * Adds the usage of ended days. A domain that exists already is counted from the first UTC day on which it is changed
 * or seen by `usage.snapshot`: what it used before is not known by day.
 */
export const usage: Migration['statements'] = [
  ...['domain', 'deleted_domain'].flatMap((table) => [
    addColumn(table, 'usage_day', exact(10)),
    addColumn(table, 'usage_mailboxes', integer({ default: 0 })),
  ]),
  { mysql: MYSQL, sqlite: SQLITE },
];
