import type { Slice } from '@mailstead/core/counts/row-counts';
import { type IdBlock, idBlocks } from '../copies/id-blocks.js';
import type { NoteCorrected } from '../copies/sql-stored-copies.js';
import type { Database } from '../driver/database.js';
import { SqlUnitOfWork } from '../driver/sql-unit-of-work.js';
import type { Derived } from './derived.js';

const IDS_PER_BLOCK = 1_000;
/** All described rows. */
const ALL: Slice = { of: 1, remainder: 0 };

/**
 * Compares all derived rows with what they are computed from, and corrects wrong ones. During an update an older
 * process does not write what this release adds, so each new derived table and column needs this. Wrong rows are
 * computed again under the locks of the described rows, so a row that another transaction changes meanwhile stays
 * right.
 *
 * @returns the number of corrected rows
 */
export async function correctDerived(
  database: Database,
  slice = ALL,
  noteCorrected: NoteCorrected = () => undefined,
): Promise<number> {
  let corrected = 0;
  for (const derived of database.derived.tables) {
    const blocks = idBlocks(database, slice, { table: derived.of, column: 'id', ids: IDS_PER_BLOCK });
    for await (const block of blocks) corrected += await correctBlock(database, derived, block, noteCorrected);
  }
  return corrected;
}

/** The same for the described rows with `after < id <= last`. */
export async function correctBlock(
  database: Database,
  derived: Derived,
  { after, last }: IdBlock,
  noteCorrected: NoteCorrected,
): Promise<number> {
  const ids = await wrongRows(database, derived, after, last);
  if (ids.length === 0) return 0;
  await new SqlUnitOfWork(database).run(async () => database.refresh(derived, ids));
  noteCorrected(derived.table, ids);
  return ids.length;
}

/** @returns the described rows with a missing or wrong derived row, and those with one too many */
async function wrongRows(database: Database, derived: Derived, after: number, last: number): Promise<number[]> {
  const { table, key, columns } = derived;
  const expected = `(${derived.rows} AND d.id > ? AND d.id <= ?) AS r`;
  const same = columns.map((column) => database.dialect.isSame(`m.${column}`, `r.${column}`)).join(' AND ');
  const rows = await database.read(
    `SELECT r.${key} AS id FROM ${expected} LEFT JOIN ${table} m ON m.${key} = r.${key} WHERE NOT (${same})
      UNION ALL
     SELECT m.${key} FROM ${table} m LEFT JOIN ${expected} ON r.${key} = m.${key} WHERE m.${key} > ? AND m.${key} <= ? AND r.${key} IS NULL`,
    [after, last, after, last, after, last],
  );
  return rows.map(({ id }) => Number(id));
}
