import { addColumn, addIndex } from './alterations.js';
import type { Migration } from './step.js';

/** Addresses to which domains and partners do not send. */
export const suppressions: Migration['statements'] = [
  {
    mysql: [
      [
        'CreateSuppression',
        'CREATE TABLE `suppression` (`id` bigint NOT NULL AUTO_INCREMENT, `partner_id` bigint NOT NULL, `domain_id` bigint NOT NULL, `address` varchar(254) CHARACTER SET ascii COLLATE ascii_bin NOT NULL, `reason` varchar(9) CHARACTER SET ascii COLLATE ascii_bin NOT NULL, `note` varchar(128) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NULL, `since` bigint NOT NULL, `expires_at` bigint NULL, `spelling` varchar(254) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NULL, `lift` varchar(7) CHARACTER SET ascii COLLATE ascii_bin NULL, UNIQUE INDEX `uq_suppression_address` (`partner_id`, `domain_id`, `address`), PRIMARY KEY (`id`)) ENGINE=InnoDB',
      ],
    ],
    sqlite: [
      [
        'CreateSuppression',
        'CREATE TABLE "suppression" ("id" integer PRIMARY KEY AUTOINCREMENT NOT NULL, "partner_id" integer NOT NULL, "domain_id" integer NOT NULL, "address" varchar(254) NOT NULL, "reason" varchar(9) NOT NULL, "note" varchar(128), "since" integer NOT NULL, "expires_at" integer, "spelling" varchar(254), "lift" varchar(7), CONSTRAINT "uq_suppression_address" UNIQUE ("partner_id", "domain_id", "address"))',
      ],
    ],
  },
  addIndex('ix_suppression_partner', 'suppression', ['partner_id', 'id']),
  addIndex('ix_suppression_domain', 'suppression', ['domain_id', 'id']),
  addIndex('ix_suppression_beginning', 'suppression', ['partner_id', 'address']),
  addIndex('ix_suppression_address', 'suppression', ['address']),
  addIndex('ix_suppression_reason', 'suppression', ['partner_id', 'reason', 'expires_at']),
  addIndex('ix_suppression_since', 'suppression', ['since', 'domain_id', 'reason']),
  addIndex('ix_suppression_expiry', 'suppression', ['expires_at', 'partner_id']),
  addColumn('partner', 'suppression_mode', (columns) => columns.exact(8, { default: 'list' })),
  addColumn('partner', 'suppression_count', (columns) => columns.integer({ default: 0 })),
];
