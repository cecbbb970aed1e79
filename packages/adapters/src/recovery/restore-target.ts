import type { Readable } from 'node:stream';
import type { Database } from '../database/driver/database.js';
import type { OpenedBackup } from './open-backup.js';

/** Where a backup is restored to. */
export interface RestoreTarget {
  /** Changes nothing. @throws Error when it is not empty; what a killed restore left counts as empty */
  check(): Promise<void>;
  /** Marks it, so that no process of the service starts on it, and removes what a killed restore left. */
  claim(): Promise<void>;
  /** Reads the dump or the file of the database. */
  load(content: Readable, signal: AbortSignal): Promise<void>;
  /** Opens the loaded database, which has the schema of the backup. */
  open(): Promise<Database>;
  /** Writes the files of the data folder. */
  writeFiles(backup: OpenedBackup): Promise<void>;
  /** Removes the mark: from here on processes start. */
  finish(): Promise<void>;
  /** Removes everything that was restored, and then the mark. Does nothing before `claim`. */
  undo(): Promise<void>;
  /** Closes connections and releases locks. */
  close(): Promise<void>;
}
