import type { Statement } from './step.js';

/** The table of processes and the Galera nodes they write to. */
export const mysqlDatabaseWriter: Statement[] = [
  [
    'CreateDatabaseWriter',
    'CREATE TABLE `database_writer` (`process_id` varchar(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL, `node_name` varchar(255) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL, `node_address` varchar(255) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL, `process` varchar(300) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL, `first_seen_at` bigint NOT NULL, `seen_at` bigint NOT NULL, INDEX `ix_database_writer_seen` (`seen_at`), PRIMARY KEY (`process_id`, `node_name`, `node_address`)) ENGINE=InnoDB',
  ],
];

export const sqliteDatabaseWriter: Statement[] = [
  [
    'CreateDatabaseWriter',
    'CREATE TABLE "database_writer" ("process_id" varchar(36) NOT NULL, "node_name" varchar(255) NOT NULL, "node_address" varchar(255) NOT NULL, "process" varchar(300) NOT NULL, "first_seen_at" integer NOT NULL, "seen_at" integer NOT NULL, PRIMARY KEY ("process_id", "node_name", "node_address"))',
  ],
  ['IndexIxDatabaseWriterSeen', 'CREATE INDEX "ix_database_writer_seen" ON "database_writer" ("seen_at")'],
];
