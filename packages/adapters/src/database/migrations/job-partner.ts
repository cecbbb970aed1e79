import type { DialectName } from '../driver/dialect.js';
import type { Statement } from './step.js';

/** Adds the partner of a job, and an index by which a claim skips the jobs of partners without reading their rows. */
export function jobPartner(dialect: DialectName): Statement[] {
  return dialect === 'mysql' ? MYSQL : SQLITE;
}

const MYSQL: Statement[] = [
  ['AddJobPartnerId', 'ALTER TABLE `job` ADD `partner_id` bigint NOT NULL DEFAULT 0'],
  ['IndexIxJobTurn', 'CREATE INDEX `ix_job_turn` ON `job` (`state`, `run_at`, `id`, `partner_id`)'],
  ['DropIxJobDue', 'DROP INDEX `ix_job_due` ON `job`'],
];

const SQLITE: Statement[] = [
  ['AddJobPartnerId', 'ALTER TABLE "job" ADD COLUMN "partner_id" integer NOT NULL DEFAULT (0)'],
  ['IndexIxJobTurn', 'CREATE INDEX "ix_job_turn" ON "job" ("state", "run_at", "id", "partner_id")'],
  ['DropIxJobDue', 'DROP INDEX "ix_job_due"'],
];
