/** One page of a list ordered by `id`: rows with an id greater than `after`, at most `limit` of them. */
export interface Page {
  after: number;
  limit: number;
}

/** How many rows a complete list reads from the database at once while it streams. */
export const STREAM_CHUNK_ROWS = 1_000;

/**
 * Walks a whole list in keyset pages. Nothing is held between two pages, so a slow reader
 * costs no connection, and memory holds one page.
 */
export async function* everyPage<Row extends { id: number }>(
  read: (page: Page) => Promise<Row[]>,
  from: Page = { after: 0, limit: STREAM_CHUNK_ROWS },
): AsyncGenerator<Row[]> {
  let { after } = from;
  for (;;) {
    const rows = await read({ after, limit: from.limit });
    if (rows.length > 0) yield rows;
    const last = rows.at(-1);
    if (last === undefined || rows.length < from.limit) return;
    after = last.id;
  }
}
