import type { Database } from '../driver/database.js';
import { InstallationRow, readInstallation } from '../installation/installation.js';

/**
 * Stores in `installation` that an event was seen now. When several processes call it at once, it returns true for only
 * one of them: each updates the row only if it has not changed since it was read.
 *
 * @param at epoch milliseconds, by a clock that all processes share
 * @param endsAfterMs after this time without the event, the next one is a new occurrence
 * @returns whether this is a new occurrence
 * @throws a duplicate key error when another process inserted the row meanwhile
 */
export async function isNewOccurrence(
  database: Database,
  name: string,
  at: number,
  endsAfterMs: number,
): Promise<boolean> {
  const last = await readInstallation(database, name);
  if (last === null) {
    await database.manager.insert(InstallationRow, { name, value: String(at) });
    return true;
  }
  const { affected } = await database.manager.update(InstallationRow, { name, value: last }, { value: String(at) });
  return affected === 1 && at - Number(last) > endsAfterMs;
}
