/** The order of a list by id; `desc` is newest first. */
export const ORDERS = ['asc', 'desc'] as const;
export type Order = (typeof ORDERS)[number];

/** One page of a list ordered by `id`: the rows that follow the id `after`, at most `limit` of them. */
export interface Page {
  /** Ascending: the rows with a greater id. Descending: the rows with a smaller id. */
  after: number;
  limit: number;
  /** Ascending when absent. */
  order?: Order;
}

/** Reads one page of a list. Call it again with a higher `after` for the next page. */
export type ReadPage<Row> = (page: Page) => Promise<Row[]>;

/** Rows that were read together. */
export interface Chunk<Row, Position> {
  rows: Row[];
  /** The position for the next read; null when the list has ended, for certain only after `atMost` rows. */
  next: Position | null;
  /** True when no chunk follows: the list has ended, or `atMost` rows were read. */
  isLast: boolean;
}

export interface ChunkedList<Row, Position> {
  start: Position;
  /** Reads the rows that follow a position, at most `limit` of them. */
  read: (from: Position, limit: number) => Promise<Row[]>;
  /** The position after a row. The row was at `index` in the rows read from `from`. */
  positionAfter: (row: Row, from: Position, index: number) => Position;
  /** The maximum number of rows to read; null for all. */
  atMost: number | null;
}

/**
 * Reads a list chunk by chunk. Between two chunks no connection or transaction is open, and memory contains one chunk
 * only, so a slow reader does no harm.
 */
export async function* inChunks<Row, Position>(
  list: ChunkedList<Row, Position>,
  chunkRows: number,
): AsyncGenerator<Chunk<Row, Position>> {
  let from = list.start;
  let left = list.atMost ?? Number.POSITIVE_INFINITY;
  for (;;) {
    const limit = Math.min(chunkRows, left);
    // The last chunk of a page is read with one more row, which shows whether another page follows.
    const asked = limit === left ? limit + 1 : limit;
    const found = await list.read(from, asked);
    const rows = found.slice(0, limit);
    left -= rows.length;
    const last = rows.at(-1);
    const hasMore = found.length === asked;
    const next = last === undefined || !hasMore ? null : list.positionAfter(last, from, rows.length - 1);
    const isLast = next === null || left === 0;
    yield { rows, next, isLast };
    if (isLast) return;
    from = next;
  }
}

/**
 * Describes a list that is ordered by `id`, for `inChunks`. Without `after` it begins at its first row in that order.
 */
export function byId<Row extends { id: number }>(
  read: ReadPage<Row>,
  {
    after,
    limit = null,
    order = 'asc',
  }: { after?: number | undefined; limit?: number | null | undefined; order?: Order | undefined } = {},
): ChunkedList<Row, number> {
  return {
    start: after ?? (order === 'asc' ? 0 : Number.MAX_SAFE_INTEGER),
    read: (from, rows) => read({ after: from, limit: rows, order }),
    positionAfter: ({ id }) => id,
    atMost: limit,
  };
}
