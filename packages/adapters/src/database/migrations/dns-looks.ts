import type { Migration, Statement } from './step.js';

const MYSQL: Statement[] = [
  [
    'CreateDnsLook',
    'CREATE TABLE `dns_look` (`domain_id` bigint NOT NULL, `partner_id` bigint NOT NULL, `due_at` bigint NOT NULL, `lacks` varchar(32) CHARACTER SET ascii COLLATE ascii_bin NOT NULL, `suspected` varchar(32) CHARACTER SET ascii COLLATE ascii_bin NOT NULL, `suspected_at` bigint NULL, `hold` varchar(8) CHARACTER SET ascii COLLATE ascii_bin NULL, INDEX `ix_dns_look_due` (`partner_id`, `due_at`), INDEX `ix_dns_look_hold` (`hold`), PRIMARY KEY (`domain_id`)) ENGINE=InnoDB',
  ],
  [
    'LinkFkDnsLookDomain',
    'ALTER TABLE `dns_look` ADD CONSTRAINT `fk_dns_look_domain` FOREIGN KEY (`domain_id`) REFERENCES `domain`(`id`) ON DELETE CASCADE ON UPDATE NO ACTION',
  ],
  [
    'CreateDnsLookState',
    'CREATE TABLE `dns_look_state` (`id` int NOT NULL, `day` varchar(10) CHARACTER SET ascii COLLATE ascii_bin NOT NULL, `new_lacks` int NOT NULL, `round` varchar(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL, `round_until` bigint NOT NULL, `problem` varchar(500) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NULL, PRIMARY KEY (`id`)) ENGINE=InnoDB',
  ],
];

const SQLITE: Statement[] = [
  [
    'CreateDnsLook',
    'CREATE TABLE "dns_look" ("domain_id" integer PRIMARY KEY NOT NULL, "partner_id" integer NOT NULL, "due_at" integer NOT NULL, "lacks" varchar(32) NOT NULL, "suspected" varchar(32) NOT NULL, "suspected_at" integer, "hold" varchar(8), CONSTRAINT "fk_dns_look_domain" FOREIGN KEY ("domain_id") REFERENCES "domain" ("id") ON DELETE CASCADE ON UPDATE NO ACTION)',
  ],
  ['IndexIxDnsLookDue', 'CREATE INDEX "ix_dns_look_due" ON "dns_look" ("partner_id", "due_at")'],
  ['IndexIxDnsLookHold', 'CREATE INDEX "ix_dns_look_hold" ON "dns_look" ("hold")'],
  [
    'CreateDnsLookState',
    'CREATE TABLE "dns_look_state" ("id" integer PRIMARY KEY NOT NULL, "day" varchar(10) NOT NULL, "new_lacks" integer NOT NULL, "round" varchar(36) NOT NULL, "round_until" integer NOT NULL, "problem" varchar(500))',
  ],
];

/** Adds the looks at the DNS records of domains. Housekeeping plans the looks of the domains that exist. */
export const dnsLooks: Migration['statements'] = [
  { mysql: MYSQL, sqlite: SQLITE },
  [
    'SeedDnsLookState',
    "INSERT INTO dns_look_state (id, day, new_lacks, round, round_until, problem) VALUES (1, '', 0, '', 0, NULL)",
  ],
];
