import type { Migration, Statement } from './step.js';

const MYSQL: Statement[] = [
  [
    'CreatePartnerBrand',
    'CREATE TABLE `partner_brand` (`partner_id` bigint NOT NULL, `name` varchar(64) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NULL, `logo` mediumtext CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NULL, `colour` varchar(7) CHARACTER SET ascii COLLATE ascii_bin NULL, `support_email` varchar(254) CHARACTER SET ascii COLLATE ascii_bin NULL, `support_url` varchar(500) CHARACTER SET ascii COLLATE ascii_bin NULL, `language` varchar(2) CHARACTER SET ascii COLLATE ascii_bin NULL, `locked` tinyint NOT NULL, PRIMARY KEY (`partner_id`)) ENGINE=InnoDB',
  ],
];

const SQLITE: Statement[] = [
  [
    'CreatePartnerBrand',
    'CREATE TABLE "partner_brand" ("partner_id" integer PRIMARY KEY NOT NULL, "name" varchar(64), "logo" text, "colour" varchar(7), "support_email" varchar(254), "support_url" varchar(500), "language" varchar(2), "locked" integer NOT NULL)',
  ],
];

/** What customers see of a partner. */
export const partnerBrand: Migration['statements'] = [{ mysql: MYSQL, sqlite: SQLITE }];
