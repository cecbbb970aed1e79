import type { Slice } from '@mailstead/core/counts/row-counts';
import type { Database } from '../driver/database.js';

/** One statement compares so many ids: a few milliseconds of SQLite, in which the process does nothing else. */
export const IDS_PER_BLOCK = 100;

const DOMAINS = { table: 'domain', column: 'id' };

/** `after < id <= last` */
export interface IdBlock {
  after: number;
  last: number;
}

/**
 * The blocks of ids that belong to a slice, without those that have no row. A block is one range of the primary key, so
 * a slice reads no row of another. All slices together contain all rows, also those added meanwhile.
 *
 * @param column the first column of the primary key, or `id`
 */
export async function* idBlocks(
  database: Database,
  { of, remainder }: Slice,
  { table, column, ids = IDS_PER_BLOCK }: { table: string; column: string; ids?: number } = DOMAINS,
): AsyncGenerator<IdBlock> {
  for (let from = 0; ; ) {
    const [row] = await database.read(`SELECT MIN(${column}) AS first FROM ${table} WHERE ${column} >= ?`, [from]);
    if (row === undefined || row.first === null) return;
    const block = Math.floor(Number(row.first) / ids);
    const others = (remainder - (block % of) + of) % of;
    from = (block + others) * ids;
    if (others > 0) continue;
    yield { after: from - 1, last: from + ids - 1 };
    from += ids;
  }
}
