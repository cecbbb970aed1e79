import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import type { Database } from '../database/driver/database.js';
import { type BackupFacts, readBackupFacts, readSteps } from '../database/recovery/backup-facts.js';
import { refuseLimitedDump } from '../database/recovery/dump-limits.js';
import { readTables } from '../database/recovery/mysql-tables.js';
import type { StoredFile } from './manifest.js';
import { databaseNameOf, isClosedPipe, ProgramError, startMariadb } from './mariadb-programs.js';
import { ENCRYPTED, type Storing, storeFile } from './stored-files.js';

const PATH = 'database.sql.gz';
const MAX_TRIES = 4;
/** A table changed after the snapshot began (1412), or went (1146, 1051) or changed while it was read. */
const BROKEN_BY_DDL = /\b(1412|1146|1051)\b|Table definition has changed|doesn't exist/i;
const OPTIONS = [
  '--single-transaction',
  '--quick',
  '--no-tablespaces',
  '--skip-add-locks',
  '--skip-triggers',
  '--hex-blob',
  '--default-character-set=utf8mb4',
];

interface Dumped {
  facts: BackupFacts;
  files: StoredFile[];
}

/**
 * Dumps the tables, without the views, in one transaction. A migration that runs meanwhile breaks it; then it is made
 * again.
 */
export async function dumpMariadb(
  database: Database,
  url: string,
  storing: Storing,
  tries = MAX_TRIES,
): Promise<Dumped> {
  storing.progress.step('Dumping the database');
  await refuseLimitedDump(url);
  const stepsBefore = (await readSteps(database)).join();
  const facts = await readBackupFacts(database);
  try {
    const stored = await dump(database, url, storing);
    if ((await readSteps(database)).join() === stepsBefore) return { facts, files: [stored] };
    if (tries <= 1) throw new Error('The schema changed during each try; run the command again after the migration');
  } catch (error) {
    if (!(error instanceof ProgramError) || !BROKEN_BY_DDL.test(error.message) || tries <= 1) throw error;
  }
  const path = join(storing.folder, PATH);
  for (const each of [path, path + ENCRYPTED]) await rm(each, { force: true });
  return dumpMariadb(database, url, storing, tries - 1);
}

async function dump(database: Database, url: string, storing: Storing): Promise<StoredFile> {
  const { tables } = await readTables(database);
  const { child, ended } = startMariadb('mariadb-dump', url, [...OPTIONS, databaseNameOf(url), ...tables]);
  try {
    const stored = storeFile(PATH, child.stdout as Readable, true, storing);
    const [outcome, file] = await Promise.allSettled([ended, stored]);
    storing.signal.throwIfAborted();
    // The program also fails when its output is not taken any more, because the file cannot be written.
    const isWritten = file.status === 'fulfilled' || isClosedPipe(file.reason);
    if (outcome.status === 'rejected' && isWritten) throw outcome.reason;
    if (file.status === 'rejected') throw file.reason;
    return file.value;
  } finally {
    child.kill();
  }
}
