import { readOwnTime } from '@mailstead/core/read-time';
import type { RestoredBackup } from '@mailstead/core/recovery/restored-installation';
import type { Database } from '../driver/database.js';

/** The row of `installation` that closes the service after a restore. */
export const RESTORE_MARK = 'restore';

/** Every process reads it every second or two. */
export async function readRestoreMark(database: Database): Promise<RestoredBackup | null> {
  const rows = await database.read<{ value: string }>('SELECT value FROM installation WHERE name = ?', [RESTORE_MARK]);
  const [row] = rows;
  return row === undefined ? null : parseRestoreMark(row.value);
}

export function restoreMarkOf({ takenAt, restoredAt }: RestoredBackup): string {
  return `${takenAt.toISOString()} ${restoredAt.toISOString()}`;
}

function parseRestoreMark(value: string): RestoredBackup {
  const [takenAt = '', restoredAt = ''] = value.split(' ');
  return { takenAt: readOwnTime(takenAt), restoredAt: readOwnTime(restoredAt) };
}
