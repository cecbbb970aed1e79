import type { Page, ReadPage } from '@mailstead/core/page';
import type { Database } from './database.js';
import { Filter } from './filter.js';

const IDS_AHEAD = 2_000;

interface ListSource<Row> {
  page: ReadPage<Row>;
  /** Reads the ids of the rows of a page. */
  ids: (page: Page) => Promise<number[]>;
  /** Reads the rows with these ids that belong to the list, in the order of the page. */
  rows: (ids: number[], page: Page) => Promise<Row[]>;
}

/**
 * Reads the rows of all domains of a partner, ordered by id. No index has this order: the database merges one range of
 * ids for each domain, and the cost grows with the number of domains. So from the second page on, this reads the ids of
 * many pages at once, and then the rows of each page by id. Rows that no longer belong to the list are left out.
 */
export function readAhead<Row>({ page, ids, rows }: ListSource<Row>): ReadPage<Row> {
  let ahead: number[] | null = null;
  let isEnd = false;
  return async (asked) => {
    const { after, limit } = asked;
    if (ahead === null) {
      ahead = [];
      return page(asked);
    }
    const found: Row[] = [];
    let from = after;
    // Missing rows were deleted after their ids were read: they do not mean the end of the list.
    while (found.length < limit) {
      if (ahead.length === 0) {
        ahead = isEnd ? [] : await ids({ ...asked, after: from, limit: IDS_AHEAD });
        isEnd = ahead.length < IDS_AHEAD;
      }
      const taken = ahead.splice(0, limit - found.length);
      const last = taken.at(-1);
      if (last === undefined) return found;
      from = last;
      found.push(...(await rows(taken, asked)));
    }
    return found;
  };
}

export async function readIds(
  database: Database,
  table: string,
  column: string,
  { sql, parameters }: Filter,
  page: Page,
): Promise<number[]> {
  const rows = await database.read(
    `SELECT ${column} AS id FROM ${table} WHERE ${sql} ORDER BY ${Filter.orderOf(column, page)} LIMIT ?`,
    [...parameters, page.limit],
  );
  return rows.map(({ id }) => Number(id));
}
