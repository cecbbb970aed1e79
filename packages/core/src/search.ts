import type { Chunk, Order, Page } from './page.js';

/** The most rows that a search with `limit` looks at. */
export const MAX_LOOKED_AT = 20_000;

/** The rows that a search found. It may look at many rows and find few. */
export interface Found<Row, Position = number> {
  rows: Row[];
  /** The position after which the search goes on, an id for most lists; null at the end of the list. */
  next: Position | null;
  /** Number of rows that it looked at. */
  looked: number;
}

/** Reads the rows that follow an id, at most `limit` of them, and looks at a limited number of rows. */
export type Search<Row> = (page: Page) => Promise<Found<Row>>;

/** How many rows of a list are counted, and how many rows are looked at for it. */
export const COUNTED_ROWS = 20_000;

/** The number of rows of a list. */
export interface Total {
  /** At most `COUNTED_ROWS`. */
  count: number;
  /** Whether there may be more than were counted. */
  more: boolean;
}

/** Counts a further part of the rows at each call. @returns null until the number is known. */
export type CountRows = () => Promise<Total | null>;

/** A search whose rows can be counted, whatever page is read. */
export type CountedSearch<Row> = Search<Row> & { count: CountRows };

export interface SearchRange {
  after: number | undefined;
  /** The maximum number of rows; undefined for all. */
  limit: number | undefined;
  order: Order | undefined;
}

/** Like `walkSearch`, in the order of the ids. */
export function inSearch<Row extends { id: number }>(
  search: Search<Row>,
  { after, limit, order = 'asc' }: SearchRange,
  chunkRows: number,
): AsyncGenerator<Chunk<Row, number>> {
  return walkSearch(
    {
      start: after ?? (order === 'asc' ? 0 : Number.MAX_SAFE_INTEGER),
      read: (from, rows) => search({ after: from, limit: rows, order }),
      positionAfter: ({ id }) => id,
      atMost: limit ?? null,
    },
    chunkRows,
  );
}

export interface SearchedList<Row, Position> {
  start: Position;
  /** Finds rows that follow a position, at most `limit` of them. */
  read: (from: Position, limit: number) => Promise<Found<Row, Position>>;
  positionAfter: (row: Row) => Position;
  /** The maximum number of rows to find; null for all. */
  atMost: number | null;
}

/**
 * Searches chunk by chunk. With `atMost` it ends after `MAX_LOOKED_AT` rows, perhaps with fewer rows than asked for and
 * a position where the next request goes on. Without it the list is complete.
 */
export async function* walkSearch<Row, Position>(
  { start, read, positionAfter, atMost }: SearchedList<Row, Position>,
  chunkRows: number,
): AsyncGenerator<Chunk<Row, Position>> {
  let from = start;
  let left = atMost ?? Number.POSITIVE_INFINITY;
  let looked = 0;
  for (;;) {
    const wanted = Math.min(chunkRows, left);
    // The last chunk of a page is read with one more row, which shows whether another page follows.
    const found = await read(from, wanted === left ? wanted + 1 : wanted);
    const rows = found.rows.slice(0, wanted);
    left -= rows.length;
    looked += found.looked;
    const last = rows.at(-1);
    const next = found.rows.length > wanted && last !== undefined ? positionAfter(last) : found.next;
    const isLast = next === null || left === 0 || (atMost !== null && looked >= MAX_LOOKED_AT);
    yield { rows, next, isLast };
    if (isLast) return;
    from = next;
  }
}
