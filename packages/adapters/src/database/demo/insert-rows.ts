import { chunksOf } from '../driver/chunks.js';
import type { Database, Parameter } from '../driver/database.js';

/**
 * Inserts rows, many with each statement.
 *
 * @param columns the first one has the key by which derived rows are found
 * @param same what all rows have in further columns
 * @returns the number of rows
 */
export async function insertRows(
  database: Database,
  table: string,
  columns: readonly string[],
  rows: readonly Parameter[][],
  same: Readonly<Record<string, Parameter>> = {},
): Promise<number> {
  const all = [...columns, ...Object.keys(same)];
  // Each parameter takes time, and numbers are safe in the text.
  const literals = Object.values(same).map((value) => (typeof value === 'number' ? String(value) : '?'));
  const further = Object.values(same).filter((value) => typeof value !== 'number');
  const tuple = `(${[...columns.map(() => '?'), ...literals].join(', ')})`;
  for (const chunk of chunksOf(rows, (row) => [...row, ...further])) {
    await database.write(
      `INSERT INTO ${table} (${all.join(', ')}) VALUES ${chunk.map(() => tuple).join(', ')}`,
      chunk.flatMap((row) => [...row, ...further]),
      chunk.map(([key]) => Number(key)),
    );
  }
  return rows.length;
}
