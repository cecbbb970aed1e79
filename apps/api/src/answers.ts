/** A complete list, written in pages as they are read. */
export class StreamedList {
  constructor(readonly pages: AsyncIterable<object[]>) {}
}

/** One page of a list; `nextAfter` is what the next one's `after` is, null at the end. */
export class PagedList {
  constructor(
    readonly rows: object[],
    readonly nextAfter: number | string | null,
  ) {}
}

/** An object whose last members are streamed lists. */
export class StreamedObject {
  constructor(
    readonly members: Record<string, unknown>,
    readonly lists: Record<string, AsyncIterable<object[]>>,
  ) {}
}

/** An answer that is not JSON. */
export class PlainAnswer {
  constructor(
    readonly contentType: string,
    readonly body: string | Buffer,
    readonly headers: Record<string, string> = {},
  ) {}
}

/** A JSON answer with a status that depends on what was found. */
export class StatusAnswer {
  constructor(
    readonly status: number,
    readonly body: object,
  ) {}
}
