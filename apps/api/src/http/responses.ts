import type { Chunk } from '@mailstead/core/page';

/** Starts reading a list in chunks of `chunkRows` rows. */
export type ReadChunks = (chunkRows: number) => AsyncIterable<Chunk<object, number | string>>;

/** A complete list. Each chunk is written as soon as it is read. */
export class StreamedList {
  constructor(readonly read: ReadChunks) {}
}

/** One page of a list, which may have several chunks. */
export class PagedList {
  constructor(readonly read: ReadChunks) {}
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
  ) {}
}

/** A JSON response with a status of its own, instead of the route's. */
export class StatusResponse {
  constructor(
    readonly status: number,
    readonly body: object,
  ) {}
}
