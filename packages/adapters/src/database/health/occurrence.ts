import type { Database } from '../driver/database.js';
import { InstallationRow, readInstallation } from '../installation.js';

/**
 * Notes in `installation` that something was seen now, and tells whether it is a new occurrence. Of several processes that
 * ask at once, one is told so: each changes the note only while it is as it was read.
 *
 * @param at epoch milliseconds, by a clock that all processes share.
 * @param endsAfterMs after so long unseen, it is another occurrence.
 * @throws an error of a duplicate key when another process made the first note meanwhile.
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
