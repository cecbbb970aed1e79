import type { Page, ReadPage } from '@mailstead/core/page';
import type { Database } from './database.js';
import type { Filter } from './filter.js';

const IDS_AHEAD = 2_000;

interface ListSource<Row> {
  page: ReadPage<Row>;
  /** The ids of the rows of a page. */
  ids: (page: Page) => Promise<number[]>;
  /** The rows of these ids that are in the list, ordered by id. */
  rows: (ids: number[]) => Promise<Row[]>;
}

/**
 * Reads the rows of all domains of a partner. No index has them in the order of their ids: a page is merged from one range of
 * ids a domain, at a cost that grows with the domains. So from the second page on it merges the ids of many pages at
 * once, and asks of each row again whether it is in the list when it reads it.
 */
export function readAhead<Row>({ page, ids, rows }: ListSource<Row>): ReadPage<Row> {
  let ahead: number[] | null = null;
  let isEnd = false;
  return async ({ after, limit }) => {
    if (ahead === null) {
      ahead = [];
      return page({ after, limit });
    }
    const found: Row[] = [];
    let from = after;
    // Rows that were deleted after their ids were read are no end of the list.
    while (found.length < limit) {
      if (ahead.length === 0) {
        ahead = isEnd ? [] : await ids({ after: from, limit: IDS_AHEAD });
        isEnd = ahead.length < IDS_AHEAD;
      }
      const taken = ahead.splice(0, limit - found.length);
      const last = taken.at(-1);
      if (last === undefined) return found;
      from = last;
      found.push(...(await rows(taken)));
    }
    return found;
  };
}

export async function readIds(
  database: Database,
  table: string,
  column: string,
  { sql, parameters }: Filter,
  limit: number,
): Promise<number[]> {
  const rows = await database.read(`SELECT ${column} AS id FROM ${table} WHERE ${sql} ORDER BY ${column} LIMIT ?`, [
    ...parameters,
    limit,
  ]);
  return rows.map(({ id }) => Number(id));
}
