import type { ServerResponse } from 'node:http';
import { RETRY_AFTER_S } from '@mailstead/core/health-check';
import { PagedList, PlainResponse, type ReadChunks, StatusResponse, StreamedList, StreamedObject } from './answers.js';
import type { PendingRequest } from './list-turns.js';

type Headers = Record<string, string | number>;

/** Where an answer goes. */
export interface AnswerTarget {
  response: ServerResponse;
  status: number;
  headers: Headers;
  /** Of the request, for the link to the next page. */
  url: string;
  pending: PendingRequest;
}

/**
 * Writes what a handler answered. A list that fails in mid-stream destroys the socket, so that a cut list never parses.
 * The first chunk of a list is read at once, like any other answer; each further one takes a turn.
 */
export async function writeAnswer(target: AnswerTarget, answer: unknown): Promise<void> {
  const { response, status, headers } = target;
  if (status === 204 || answer === undefined) {
    response.writeHead(status, headers).end();
  } else if (answer instanceof StreamedList) {
    await writeList(target, answer.read);
  } else if (answer instanceof PagedList) {
    const { rows, next } = await collect(answer.read, target.pending);
    if (next !== null) headers.Link = nextLink(target.url, next);
    writeJson(response, status, rows, headers);
  } else if (answer instanceof StreamedObject) {
    await writeObject(target, answer);
  } else if (answer instanceof PlainResponse) {
    response.writeHead(status, { ...headers, 'Content-Type': answer.contentType, ...answer.headers }).end(answer.body);
  } else if (answer instanceof StatusResponse) {
    if (answer.status === 503) headers['Retry-After'] = RETRY_AFTER_S;
    writeJson(response, answer.status, answer.body, headers);
  } else {
    writeJson(response, status, answer, headers);
  }
}

export function writeJson(response: ServerResponse, status: number, value: unknown, headers: Headers): void {
  const body = JSON.stringify(value);
  headers['Content-Type'] ??= 'application/json; charset=utf-8';
  headers['Content-Length'] = Buffer.byteLength(body);
  response.writeHead(status, headers).end(body);
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

async function writeList(target: AnswerTarget, read: ReadChunks): Promise<void> {
  const { response, status, headers, pending } = target;
  const reader = read(pending.chunkRows)[Symbol.asyncIterator]();
  const first = await reader.next();
  // A list of one chunk, the usual one, needs no stream.
  if (first.done === true || first.value.isLast) {
    writeJson(response, status, first.done === true ? [] : first.value.rows, headers);
    return;
  }
  writeStreamHead(target);
  await orDestroy(response, async () => {
    await write(response, `[${rowsOf(first.value.rows)}`);
    await writeChunks(target, reader, ',');
    response.end(']');
  });
}

async function writeObject(target: AnswerTarget, answer: StreamedObject): Promise<void> {
  const { response, pending } = target;
  writeStreamHead(target);
  await orDestroy(response, async () => {
    await write(response, JSON.stringify(answer.members).slice(0, -1));
    for (const [name, read] of Object.entries(answer.lists)) {
      await write(response, `,${JSON.stringify(name)}:[`);
      await writeChunks(target, read(pending.chunkRows)[Symbol.asyncIterator](), '');
      await write(response, ']');
    }
    response.end('}');
  });
}

function writeStreamHead({ response, status, headers }: AnswerTarget): void {
  response.writeHead(status, { ...headers, 'Content-Type': 'application/json; charset=utf-8' });
}

/** Writes the chunks that are left. Reading and serialising one takes a turn; waiting for the reader does not. */
async function writeChunks(
  { response, pending }: AnswerTarget,
  reader: AsyncIterator<{ rows: object[]; isLast: boolean }>,
  first: '' | ',',
): Promise<void> {
  let separator = first;
  for (;;) {
    const chunk = await pending.inTurn(async () => {
      // The reader may have gone away while its list waited.
      if (response.destroyed) return null;
      const read = await reader.next();
      if (read.done === true) return null;
      if (read.value.rows.length > 0) {
        response.write(separator + rowsOf(read.value.rows));
        separator = ',';
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

/** Waits until the reader has taken what was written, so that a slow reader stops the reading of its next chunk. */
async function drained(response: ServerResponse): Promise<void> {
  if (response.destroyed || !response.writableNeedDrain) return;
  await new Promise<void>((resolve) => {
    const goOn = () => {
      response.off('drain', goOn).off('close', goOn);
      resolve();
    };
    response.on('drain', goOn).on('close', goOn);
  });
}

function rowsOf(rows: object[]): string {
  return JSON.stringify(rows).slice(1, -1);
}

function nextLink(url: string, after: number | string): string {
  const [path = '', query = ''] = url.split('?', 2);
  const parameters = new URLSearchParams(query);
  parameters.set('after', String(after));
  return `<${path}?${parameters.toString()}>; rel="next"`;
}
