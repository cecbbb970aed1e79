import type { ServerResponse } from 'node:http';
import { RETRY_AFTER_S } from '@mailstead/core/health-check';
import { PagedList, PlainAnswer, StatusAnswer, StreamedList, StreamedObject } from './answers.js';

type Headers = Record<string, string | number>;

/** Writes what a handler answered. A list that fails in mid-stream destroys the socket, so that a cut list never parses. */
export async function writeAnswer(
  response: ServerResponse,
  status: number,
  answer: unknown,
  headers: Headers,
  url: string,
): Promise<void> {
  if (status === 204 || answer === undefined) {
    response.writeHead(status, headers).end();
  } else if (answer instanceof StreamedList) {
    await writeList(response, status, answer.pages, headers);
  } else if (answer instanceof PagedList) {
    if (answer.nextAfter !== null) headers.Link = nextLink(url, answer.nextAfter);
    writeJson(response, status, answer.rows, headers);
  } else if (answer instanceof StreamedObject) {
    await writeObject(response, status, answer, headers);
  } else if (answer instanceof PlainAnswer) {
    response.writeHead(status, { ...headers, 'Content-Type': answer.contentType, ...answer.headers }).end(answer.body);
  } else if (answer instanceof StatusAnswer) {
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

async function writeList(
  response: ServerResponse,
  status: number,
  pages: AsyncIterable<object[]>,
  headers: Headers,
): Promise<void> {
  const reader = pages[Symbol.asyncIterator]();
  const first = await reader.next();
  const second = first.done === true ? first : await reader.next();
  // A list of one page, the usual one, needs no stream.
  if (second.done === true) {
    writeJson(response, status, first.done === true ? [] : first.value, headers);
    return;
  }
  response.writeHead(status, { ...headers, 'Content-Type': 'application/json; charset=utf-8' });
  await orDestroy(response, async () => {
    await write(response, `[${rowsOf(first.value)}`);
    await write(response, `,${rowsOf(second.value)}`);
    for (let page = await reader.next(); page.done !== true; page = await reader.next()) {
      if (response.destroyed) return;
      await write(response, `,${rowsOf(page.value)}`);
    }
    response.end(']');
  });
  await reader.return?.(undefined);
}

async function writeObject(
  response: ServerResponse,
  status: number,
  answer: StreamedObject,
  headers: Headers,
): Promise<void> {
  response.writeHead(status, { ...headers, 'Content-Type': 'application/json; charset=utf-8' });
  await orDestroy(response, async () => {
    await write(response, JSON.stringify(answer.members).slice(0, -1));
    for (const [name, pages] of Object.entries(answer.lists)) {
      await write(response, `,${JSON.stringify(name)}:[`);
      let separator = '';
      for await (const rows of pages) {
        if (response.destroyed) return;
        await write(response, separator + rowsOf(rows));
        separator = ',';
      }
      await write(response, ']');
    }
    response.end('}');
  });
}

async function orDestroy(response: ServerResponse, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    response.destroy();
    throw error;
  }
}

/** Writes with back-pressure: a slow reader stops the reading of the next page. */
async function write(response: ServerResponse, text: string): Promise<void> {
  if (response.write(text) || response.destroyed) return;
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
