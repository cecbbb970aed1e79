import type { Database } from '../driver/database.js';

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
  const [last] = await database.read<{ value: string }>('SELECT value FROM installation WHERE name = ?', [name]);
  if (last === undefined) {
    await database.write('INSERT INTO installation (name, value) VALUES (?, ?)', [name, String(at)]);
    return true;
  }
  const { affected } = await database.write('UPDATE installation SET value = ? WHERE name = ? AND value = ?', [
    String(at),
    name,
    last.value,
  ]);
  return affected === 1 && at - Number(last.value) > endsAfterMs;
}
