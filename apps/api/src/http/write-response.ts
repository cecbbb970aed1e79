import type { ServerResponse } from 'node:http';
import { RETRY_AFTER_S } from '@mailstead/core/health-check';
import type { CountRows } from '@mailstead/core/search';
import { withTimeout } from '@mailstead/core/with-timeout';
import type { PendingRequest } from './list-turns.js';
import {
  OpenResponse,
  PagedList,
  PlainResponse,
  type ReadChunks,
  StatusResponse,
  StreamedList,
  StreamedObject,
  StreamedText,
  WithHeaders,
} from './responses.js';

type Headers = Record<string, string | number>;

const JSON_TYPE = 'application/json; charset=utf-8';

/** How the rows of a streamed list are written. */
interface RowsFormat {
  textOf: (rows: object[]) => string;
  /** Between two chunks with rows. */
  separator: '' | ',';
}

const JSON_ROWS: RowsFormat = { textOf: rowsOf, separator: ',' };

/** The response to write to, with its status and headers. */
export interface ResponseTarget {
  response: ServerResponse;
  status: number;
  headers: Headers;
  /** The URL of the request, for the link to the next page. */
  url: string;
  pending: PendingRequest;
}

/**
 * Writes the return value of a handler. The first chunk of a list is read at once. Each further chunk waits for a turn
 * of `ListTurns`. When a read fails after the first chunk, the socket is destroyed, so that the client cannot parse the
 * incomplete list.
 */
export async function writeResponse(target: ResponseTarget, result: unknown): Promise<void> {
  const { response, status, headers } = target;
  if (result instanceof WithHeaders) {
    await writeResponse({ ...target, headers: { ...headers, ...result.headers } }, result.result);
  } else if (status === 204 || result === undefined) {
    response.writeHead(status, headers).end();
  } else if (result instanceof StreamedList) {
    await writeList(target, result.read);
  } else if (result instanceof PagedList) {
    const { rows, next } = await collect(result.read, target.pending);
    // The next page first, because some clients read only the beginning.
    if (next !== null) headers.Link = [nextLink(target.url, next), headers.Link ?? []].flat().join(', ');
    if (result.count !== null) headers['Total-Count'] = await totalOf(result.count, target.pending);
    writeJson(response, status, rows, headers);
  } else if (result instanceof StreamedObject) {
    await writeObject(target, result);
  } else if (result instanceof StreamedText) {
    await writeText(target, result);
  } else if (result instanceof OpenResponse) {
    await writeOpen(target, result);
  } else if (result instanceof PlainResponse) {
    writePlain(response, result.status ?? status, result, headers);
  } else if (result instanceof StatusResponse) {
    if (result.status === 503) headers['Retry-After'] = RETRY_AFTER_S;
    writeJson(response, result.status, result.body, headers);
  } else {
    writeJson(response, status, result, headers);
  }
}

function writePlain(response: ServerResponse, status: number, result: PlainResponse, headers: Headers): void {
  const { contentType, body } = result;
  if (status === 503) headers['Retry-After'] = RETRY_AFTER_S;
  const length = { 'Content-Type': contentType, 'Content-Length': Buffer.byteLength(body) };
  response.writeHead(status, { ...headers, ...(status === 304 ? {} : length), ...result.headers }).end(body);
}

export function writeJson(response: ServerResponse, status: number, value: unknown, headers: Headers): void {
  const body = JSON.stringify(value);
  headers['Content-Type'] ??= JSON_TYPE;
  headers['Content-Length'] = Buffer.byteLength(body);
  response.writeHead(status, headers).end(body);
}

/** Each part of the count waits for a turn, like a chunk of a list. */
async function totalOf(countPart: CountRows, pending: PendingRequest): Promise<string> {
  for (;;) {
    const total = await pending.inTurn(countPart);
    if (total !== null) return `${total.count}${total.more ? '+' : ''}`;
  }
}

async function collect(
  read: ReadChunks,
  pending: PendingRequest,
): Promise<{ rows: object[]; next: number | string | null }> {
  const rows: object[] = [];
  const reader = read(pending.chunkRows)[Symbol.asyncIterator]();
  for (let chunk = await reader.next(); chunk.done !== true; chunk = await pending.inTurn(() => reader.next())) {
    rows.push(...chunk.value.rows);
    if (chunk.value.isLast) return { rows, next: chunk.value.next };
  }
  return { rows, next: null };
}

async function writeList(target: ResponseTarget, read: ReadChunks): Promise<void> {
  const { response, status, headers, pending } = target;
  const reader = read(pending.chunkRows)[Symbol.asyncIterator]();
  const first = await reader.next();
  // Most lists have one chunk. They are written without streaming.
  if (first.done === true || first.value.isLast) {
    writeJson(response, status, first.done === true ? [] : first.value.rows, headers);
    return;
  }
  writeStreamHead(target, JSON_TYPE);
  await orDestroy(response, async () => {
    const text = rowsOf(first.value.rows);
    await write(response, `[${text}`);
    await writeChunks(target, reader, JSON_ROWS, text === '' ? '' : ',');
    response.end(']');
  });
}

async function writeObject(target: ResponseTarget, result: StreamedObject): Promise<void> {
  const { response, pending } = target;
  writeStreamHead(target, JSON_TYPE);
  await orDestroy(response, async () => {
    await write(response, JSON.stringify(result.members).slice(0, -1));
    for (const [name, read] of Object.entries(result.lists)) {
      await write(response, `,${JSON.stringify(name)}:[`);
      await writeChunks(target, read(pending.chunkRows)[Symbol.asyncIterator](), JSON_ROWS, '');
      await write(response, ']');
    }
    response.end('}');
  });
}

/** Reads the first chunk before the head is written, so that an error in it has a status of its own. */
async function writeText(target: ResponseTarget, { contentType, head, textOf, read }: StreamedText): Promise<void> {
  const { response, pending } = target;
  const textOfRows = (rows: object[]) => rows.map(textOf).join('');
  const reader = read(pending.chunkRows)[Symbol.asyncIterator]();
  const first = await reader.next();
  writeStreamHead(target, contentType);
  await orDestroy(response, async () => {
    await write(response, head + (first.done === true ? '' : textOfRows(first.value.rows)));
    if (first.done !== true && !first.value.isLast) {
      await writeChunks(target, reader, { textOf: textOfRows, separator: '' }, '');
    }
    response.end();
  });
}

function writeStreamHead({ response, status, headers }: ResponseTarget, contentType: string): void {
  response.writeHead(status, { ...headers, 'Content-Type': contentType });
}

/**
 * Writes the remaining chunks. Each chunk is read and serialised in a turn of `ListTurns`. A list that waits for a slow
 * client has no turn.
 */
async function writeChunks(
  { response, pending }: ResponseTarget,
  reader: AsyncIterator<{ rows: object[]; isLast: boolean }>,
  { textOf, separator: between }: RowsFormat,
  first: '' | ',',
): Promise<void> {
  let separator = first;
  for (;;) {
    const chunk = await pending.inTurn(async () => {
      // The client may have closed the connection while this list waited for its turn.
      if (response.destroyed) return null;
      const read = await reader.next();
      if (read.done === true) return null;
      if (read.value.rows.length > 0) {
        response.write(separator + textOf(read.value.rows));
        separator = between;
      }
      return read.value;
    });
    if (chunk === null || chunk.isLast) return;
    await drained(response);
  }
}

async function orDestroy(response: ServerResponse, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    response.destroy();
    throw error;
  }
}

async function write(response: ServerResponse, text: string): Promise<void> {
  if (!response.write(text)) await drained(response);
}

/** Other requests and lists do not wait for a response that stays open. */
async function writeOpen({ response, status, headers, pending }: ResponseTarget, result: OpenResponse): Promise<void> {
  pending.end();
  // Proxies pass on each part at once.
  const open = { 'Content-Type': result.contentType, 'X-Accel-Buffering': 'no' };
  response.writeHead(status, { ...headers, ...open });
  response.flushHeaders();
  if (response.req.method !== 'HEAD') await orDestroy(response, () => result.serve(response));
  response.end();
}

/** @returns whether the client received the written bytes within this time. */
export async function drainedWithin(response: ServerResponse, ms: number): Promise<boolean> {
  let isLate = false;
  await withTimeout(drained(response), ms, () => {
    isLate = true;
    return undefined;
  });
  return !isLate && !response.destroyed;
}

/** Waits until the client has received the written bytes, so that no more chunks are read for a slow client. */
async function drained(response: ServerResponse): Promise<void> {
  if (response.destroyed || !response.writableNeedDrain) return;
  await new Promise<void>((resolve) => {
    const finish = () => {
      response.off('drain', finish).off('close', finish);
      resolve();
    };
    response.on('drain', finish).on('close', finish);
  });
}

function rowsOf(rows: object[]): string {
  return JSON.stringify(rows).slice(1, -1);
}

/**
 * Returns the header that links to the next page. The link is a path, so that clients resolve it against the URL that
 * they called, whatever the request says about its host.
 */
function nextLink(url: string, after: number | string): string {
  const [path = '', ...query] = url.split('?');
  const parameters = new URLSearchParams(query.join('?'));
  parameters.set('after', String(after));
  // Encodes characters that a client sent without encoding, and no percent sign twice.
  return `<${encodeURI(path).replaceAll('%25', '%')}?${parameters.toString()}>; rel="next"`;
}
