import type { Parameter } from './session.js';

/**
 * SQLite's `SQLITE_MAX_VARIABLE_NUMBER`. `Database` enforces it on MySQL too, so that every test finds a larger
 * statement.
 */
export const MAX_PARAMETERS = 32_766;

/** The most parameters of one chunk. Far below the limits of both databases; larger chunks are not faster. */
const PARAMETERS_PER_CHUNK = 5_000;
/**
 * The most characters of text in one chunk. The smallest supported `max_allowed_packet` is 4 MiB
 * (`docs/operations.md`). A character of stored JSON, escaped for MySQL, takes at most 3 bytes.
 */
const CHARACTERS_PER_CHUNK = 512 * 1_024;

/**
 * Splits a list into chunks that fit into one statement, as an IN list or as the rows of an insert. Use it for every
 * list whose length depends on a caller, a partner or the provider.
 *
 * @param parametersOf the parameters that an item adds to the statement. An item that exceeds the limits alone is one
 * chunk.
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
