import type { Migration, Statement } from './step.js';

const MYSQL: Statement[] = [
  [
    'CreateProcessHeartbeat',
    'CREATE TABLE `process_heartbeat` (`process_id` varchar(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL, `kind` varchar(8) CHARACTER SET ascii COLLATE ascii_bin NOT NULL, `process` varchar(300) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL, `seen_at` bigint NOT NULL, `has_ended` tinyint NOT NULL, INDEX `ix_process_heartbeat_seen` (`kind`, `seen_at`), PRIMARY KEY (`process_id`)) ENGINE=InnoDB',
  ],
  ['IndexIxJobRunStarted', 'CREATE INDEX `ix_job_run_started` ON `job_run` (`started_at`)'],
  [
    'IndexIxDomainPartnerCounts',
    'CREATE INDEX `ix_domain_partner_counts` ON `domain` (`partner_id`, `mailbox_count`, `alias_count`)',
  ],
];

const SQLITE: Statement[] = [
  [
    'CreateProcessHeartbeat',
    'CREATE TABLE "process_heartbeat" ("process_id" varchar(36) PRIMARY KEY NOT NULL, "kind" varchar(8) NOT NULL, "process" varchar(300) NOT NULL, "seen_at" integer NOT NULL, "has_ended" integer NOT NULL)',
  ],
  [
    'IndexIxProcessHeartbeatSeen',
    'CREATE INDEX "ix_process_heartbeat_seen" ON "process_heartbeat" ("kind", "seen_at")',
  ],
  ['IndexIxJobRunStarted', 'CREATE INDEX "ix_job_run_started" ON "job_run" ("started_at")'],
  [
    'IndexIxDomainPartnerCounts',
    'CREATE INDEX "ix_domain_partner_counts" ON "domain" ("partner_id", "mailbox_count", "alias_count")',
  ],
];

/** The table of heartbeats, the index for deleting old runs, and an index with the counts of a partner's domains. */
export const heartbeats: Migration['statements'] = [{ mysql: MYSQL, sqlite: SQLITE }];
