import type { ServerResponse } from 'node:http';
import type { Chunk } from '@mailstead/core/page';
import type { CountRows } from '@mailstead/core/search';

/** Starts reading a list in chunks of `chunkRows` rows. */
export type ReadChunks = (chunkRows: number) => AsyncIterable<Chunk<object, number | string>>;

/** A complete list. Each chunk is written as soon as it is read. */
export class StreamedList {
  constructor(readonly read: ReadChunks) {}
}

/** One page of a list, which may have several chunks. */
export class PagedList {
  constructor(
    readonly read: ReadChunks,
    /** Counts the whole list; null: nobody asked for its number of rows. */
    readonly count: CountRows | null = null,
  ) {}
}

/** A complete list that is not JSON: a text for the head and for each row. */
export class StreamedText {
  constructor(
    readonly contentType: string,
    readonly head: string,
    readonly textOf: (row: object) => string,
    readonly read: ReadChunks,
  ) {}
}

/** An object with streamed lists as its last members. */
export class StreamedObject {
  constructor(
    readonly members: Record<string, unknown>,
    readonly lists: Record<string, ReadChunks>,
  ) {}
}

/** A response that is not JSON. */
export class PlainResponse {
  constructor(
    readonly contentType: string,
    readonly body: string | Buffer,
    readonly headers: Record<string, string> = {},
    /** Null: the route's. */
    readonly status: number | null = null,
  ) {}
}

/** A response that stays open. `serve` writes to it until it returns. */
export class OpenResponse {
  constructor(
    readonly contentType: string,
    readonly serve: (response: ServerResponse) => Promise<void>,
  ) {}
}

/** A response with headers of its own. The result is one that a handler returns. */
export class WithHeaders {
  constructor(
    readonly headers: Record<string, string>,
    readonly result: unknown,
  ) {}
}

/** A JSON response with a status of its own, instead of the route's. */
export class StatusResponse {
  constructor(
    readonly status: number,
    readonly body: object,
  ) {}
}
