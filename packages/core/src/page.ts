/** One page of a list ordered by `id`: rows with an id greater than `after`, at most `limit` of them. */
export interface Page {
  after: number;
  limit: number;
}

/** Reads the pages of one list, one after the other. */
export type ReadPage<Row> = (page: Page) => Promise<Row[]>;

/** Rows that were read in one piece. */
export interface Chunk<Row, Position> {
  rows: Row[];
  /** Where the list goes on after these rows; null when they are the end of the list. */
  next: Position | null;
  /** Nothing is read after this chunk: the list has ended, or as many rows were read as were asked for. */
  isLast: boolean;
}

export interface ChunkedList<Row, Position> {
  start: Position;
  /** Reads the rows that follow a position, at most `limit` of them. */
  read: (from: Position, limit: number) => Promise<Row[]>;
  /** The position after a row. `from` and `index`: the row was at `index` among those that followed `from`. */
  positionAfter: (row: Row, from: Position, index: number) => Position;
  /** The most rows to read; null for all. */
  atMost: number | null;
}

/**
 * Walks a list chunk by chunk. Nothing is held between two chunks, so a slow reader costs no connection, and
 * memory holds one chunk.
 */
export async function* inChunks<Row, Position>(
  list: ChunkedList<Row, Position>,
  chunkRows: number,
): AsyncGenerator<Chunk<Row, Position>> {
  let from = list.start;
  let left = list.atMost ?? Number.POSITIVE_INFINITY;
  for (;;) {
    const limit = Math.min(chunkRows, left);
    const rows = await list.read(from, limit);
    left -= rows.length;
    const last = rows.at(-1);
    const next = last === undefined || rows.length < limit ? null : list.positionAfter(last, from, rows.length - 1);
    const isLast = next === null || left === 0;
    yield { rows, next, isLast };
    if (isLast) return;
    from = next;
  }
}

/** The same for a list ordered by `id`. */
export function byId<Row extends { id: number }>(
  read: ReadPage<Row>,
  { after = 0, limit = null }: { after?: number | undefined; limit?: number | null | undefined } = {},
): ChunkedList<Row, number> {
  return {
    start: after,
    read: (from, rows) => read({ after: from, limit: rows }),
    positionAfter: ({ id }) => id,
    atMost: limit,
  };
}
