import type { Migration } from './step.js';

/** Adds the rows of months whose days are no longer kept, and the row that one process at a time locks to make them. */
export const usageMonths: Migration['statements'] = [
  {
    mysql: [
      [
        'CreateUsageMonth',
        'CREATE TABLE `usage_month` (`month` varchar(7) CHARACTER SET ascii COLLATE ascii_bin NOT NULL, `position` int NOT NULL, `partner_id` bigint NOT NULL, `name` varchar(253) CHARACTER SET ascii COLLATE ascii_general_ci NOT NULL, `plan` varchar(16) CHARACTER SET ascii COLLATE ascii_bin NULL, `external_ref` varchar(128) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL, `billing_ref` varchar(128) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL, `first_day` varchar(10) CHARACTER SET ascii COLLATE ascii_bin NOT NULL, `last_day` varchar(10) CHARACTER SET ascii COLLATE ascii_bin NOT NULL, `last_held_day` varchar(10) CHARACTER SET ascii COLLATE ascii_bin NULL, `days` int NOT NULL, `mailboxes_max` int NOT NULL, `mailbox_days` bigint NOT NULL, `storage_mb_max` int NULL, `storage_mb_days` bigint NULL, `sent` bigint NOT NULL, `bytes` bigint NOT NULL, `bytes_in` bigint NOT NULL, `bounces` bigint NOT NULL, INDEX `ix_usage_month_partner` (`partner_id`, `month`, `position`), PRIMARY KEY (`month`, `position`)) ENGINE=InnoDB',
      ],
    ],
    sqlite: [
      [
        'CreateUsageMonth',
        'CREATE TABLE "usage_month" ("month" varchar(7) NOT NULL, "position" integer NOT NULL, "partner_id" integer NOT NULL, "name" varchar(253) NOT NULL, "plan" varchar(16), "external_ref" varchar(128) NOT NULL, "billing_ref" varchar(128) NOT NULL, "first_day" varchar(10) NOT NULL, "last_day" varchar(10) NOT NULL, "last_held_day" varchar(10), "days" integer NOT NULL, "mailboxes_max" integer NOT NULL, "mailbox_days" integer NOT NULL, "storage_mb_max" integer, "storage_mb_days" integer, "sent" integer NOT NULL, "bytes" integer NOT NULL, "bytes_in" integer NOT NULL, "bounces" integer NOT NULL, PRIMARY KEY ("month", "position"))',
      ],
      [
        'IndexIxUsageMonthPartner',
        'CREATE INDEX "ix_usage_month_partner" ON "usage_month" ("partner_id", "month", "position")',
      ],
    ],
  },
  ['SeedUsageMonthsFrom', "INSERT INTO installation (name, value) VALUES ('usage_months_from', '')"],
];
