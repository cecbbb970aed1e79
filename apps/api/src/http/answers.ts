import type { Chunk } from '@mailstead/core/page';

/** Starts reading a list, the given number of rows at once. */
export type ReadChunks = (chunkRows: number) => AsyncIterable<Chunk<object, number | string>>;

/** A complete list, written in chunks as they are read. */
export class StreamedList {
  constructor(readonly read: ReadChunks) {}
}

/** One page of a list, which may be several chunks. */
export class PagedList {
  constructor(readonly read: ReadChunks) {}
}

/** An object whose last members are streamed lists. */
export class StreamedObject {
  constructor(
    readonly members: Record<string, unknown>,
    readonly lists: Record<string, ReadChunks>,
  ) {}
}

/** An answer that is not JSON. */
export class PlainResponse {
  constructor(
    readonly contentType: string,
    readonly body: string | Buffer,
    readonly headers: Record<string, string> = {},
  ) {}
}

/** A JSON answer with a status that depends on what was found. */
export class StatusResponse {
  constructor(
    readonly status: number,
    readonly body: object,
  ) {}
}
