import type { Parameter } from './session.js';

/** SQLite's `SQLITE_MAX_VARIABLE_NUMBER`. `Database` refuses longer statements on MySQL too, so that they fail in any test. */
export const MAX_PARAMETERS = 32_766;

/** What one statement of a chunked list holds: far below the limits of both databases, and no faster with more. */
const PARAMETERS_PER_CHUNK = 5_000;
/**
 * Characters of text. The smallest `max_allowed_packet` that is supported is 4 MiB (`docs/operations.md`); escaped for
 * MySQL a character of stored JSON takes at most 3 bytes.
 */
const CHARACTERS_PER_CHUNK = 512 * 1_024;

/**
 * Cuts a list into pieces that fit one statement each: an IN list, or the rows of an insert. Every list whose length a
 * caller, a partner or the provider decides goes through this.
 *
 * @param parametersOf what an item adds to the statement. An item that is too large by itself is a piece of its own.
 */
export function chunksOf<Item>(
  items: readonly Item[],
  parametersOf: (item: Item) => readonly Parameter[] = onlyItself,
): Item[][] {
  const chunks: Item[][] = [];
  let chunk: Item[] = [];
  let parameters = 0;
  let characters = 0;
  for (const item of items) {
    const own = parametersOf(item);
    const length = own.reduce<number>((sum, value) => sum + (typeof value === 'string' ? value.length : 8), 0);
    const isFull = parameters + own.length > PARAMETERS_PER_CHUNK || characters + length > CHARACTERS_PER_CHUNK;
    if (isFull && chunk.length > 0) {
      chunks.push(chunk);
      chunk = [];
      parameters = 0;
      characters = 0;
    }
    chunk.push(item);
    parameters += own.length;
    characters += length;
  }
  if (chunk.length > 0) chunks.push(chunk);
  return chunks;
}

function onlyItself(item: unknown): readonly Parameter[] {
  return [item as Parameter];
}
