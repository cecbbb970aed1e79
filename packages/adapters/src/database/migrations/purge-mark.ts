import type { Migration, Statement } from './step.js';

const MYSQL: Statement[] = [
  [
    'CreatePurgeMark',
    'CREATE TABLE `purge_mark` (`domain_id` bigint NOT NULL, `purged_days` int NOT NULL, `held_days` int NULL, INDEX `ix_purge_mark_held` (`held_days`), PRIMARY KEY (`domain_id`)) ENGINE=InnoDB',
  ],
  [
    'LinkFkPurgeMarkDomain',
    'ALTER TABLE `purge_mark` ADD CONSTRAINT `fk_purge_mark_domain` FOREIGN KEY (`domain_id`) REFERENCES `domain`(`id`) ON DELETE CASCADE ON UPDATE NO ACTION',
  ],
];

const SQLITE: Statement[] = [
  [
    'CreatePurgeMark',
    'CREATE TABLE "purge_mark" ("domain_id" integer PRIMARY KEY NOT NULL, "purged_days" integer NOT NULL, "held_days" integer, CONSTRAINT "fk_purge_mark_domain" FOREIGN KEY ("domain_id") REFERENCES "domain" ("id") ON DELETE CASCADE ON UPDATE NO ACTION)',
  ],
  ['IndexIxPurgeMarkHeld', 'CREATE INDEX "ix_purge_mark_held" ON "purge_mark" ("held_days")'],
];

/**
 * Adds the retention that the purge last applied to each domain. The present retentions count as applied, so that the
 * first purge after the upgrade finds no newly lowered ones.
 */
export const purgeMark: Migration['statements'] = [
  { mysql: MYSQL, sqlite: SQLITE },
  [
    'FillPurgeMark',
    'INSERT INTO purge_mark (domain_id, purged_days, held_days) SELECT id, retention_days, NULL FROM domain WHERE retention_days <> 0',
  ],
];
