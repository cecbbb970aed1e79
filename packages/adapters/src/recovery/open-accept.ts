import { existsSync } from 'node:fs';
import { reasonOf } from '@mailstead/core/errors';
import { JobWaker } from '@mailstead/core/jobs/job-waker';
import { AcceptRestore } from '@mailstead/core/recovery/accept-restore';
import type { Config } from '../config.js';
import { SqlAuditLog } from '../database/audit/audit-log.js';
import { openDatabase, sqliteFile } from '../database/driver/open-database.js';
import { SqlUnitOfWork } from '../database/driver/sql-unit-of-work.js';
import { readSteps } from '../database/recovery/backup-facts.js';
import { SqlRestoredInstallation } from '../database/recovery/restored-installation.js';
import { refuseUnfinishedRestore } from '../database/recovery/unfinished-restore.js';
import { SystemClock } from '../system-clock.js';
import { refuseUnfinishedFolder } from './restored-folder.js';

/** The processes of the service look for due jobs when they notice that the restore is accepted. */
class NoWaker extends JobWaker {
  override wake(): void {}
}

/** The parts of the commands that show and accept a restore, beside the running service. */
export async function openAccept({ databaseUrl, dataDir }: Readonly<Config>): Promise<{
  acceptRestore: AcceptRestore;
  close: () => Promise<void>;
}> {
  if (databaseUrl === null) {
    refuseUnfinishedFolder(dataDir);
    if (!existsSync(sqliteFile(dataDir)))
      throw new Error(`Nothing waits to be accepted: DATA_DIR ${dataDir} has no database`);
  }
  const database = await openDatabase({ url: databaseUrl, dataDir, poolSize: 2 }).catch((error: unknown) => {
    throw new Error(`The database cannot be opened: ${reasonOf(error)}`, { cause: error });
  });
  try {
    await refuseUnfinishedRestore(database);
    await readSteps(database).catch((error: unknown) => {
      throw new Error('Nothing waits to be accepted: the database has no installation of Mailstead', { cause: error });
    });
  } catch (error) {
    await database.close();
    throw error;
  }
  const unitOfWork = new SqlUnitOfWork(database);
  const restored = new SqlRestoredInstallation(database, unitOfWork, new NoWaker());
  return {
    acceptRestore: new AcceptRestore(unitOfWork, restored, new SqlAuditLog(database), new SystemClock()),
    close: () => database.close(),
  };
}
