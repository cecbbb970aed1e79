import { connect } from 'node:net';

/** The most requests of one connection that may wait. */
const MAX_WAITING = 32;

interface RequestParts {
  headers?: Record<string, string>;
  /** Null for a GET. */
  body?: string | null;
  /** Whether the server closes the connection afterwards. */
  isLast?: boolean;
}

/** @returns the text of a request */
export function requestText(path: string, { headers = {}, body = null, isLast = false }: RequestParts = {}): string {
  const fields = Object.entries({
    Host: 'a',
    ...headers,
    ...(body === null ? {} : { 'Content-Length': String(Buffer.byteLength(body)) }),
    ...(isLast ? { Connection: 'close' } : {}),
  });
  const head = fields.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  return `${body === null ? 'GET' : 'POST'} ${path} HTTP/1.1\r\n${head}\r\n${body ?? ''}`;
}

/**
 * Sends these requests at once on one connection.
 *
 * @returns the statuses of the responses, when the server has closed the connection
 */
export async function statusesOf(port: number, requests: readonly string[]): Promise<number[]> {
  const socket = connect(port, '127.0.0.1');
  const parts: Buffer[] = [];
  socket.on('data', (part: Buffer) => parts.push(part));
  // A connection that the server ends may be reset.
  socket.on('error', () => undefined);
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  socket.write(requests.join(''));
  await closed;
  return [
    ...Buffer.concat(parts)
      .toString()
      .matchAll(/HTTP\/1\.1 (\d{3})/g),
  ].map(([, status]) => Number(status));
}

/**
 * Sends at once the request that runs and the 32 that may wait, and on another connection one more.
 *
 * @returns the statuses of the first ones, and whether the others were ended: at most the one that ran is answered
 */
export async function statusesOfMost(
  port: number,
  path: string,
  headers: Record<string, string> = {},
): Promise<{ statuses: number[]; isEndedByOneMore: boolean }> {
  const waiting = Array<string>(MAX_WAITING).fill(requestText(path, { headers }));
  const last = requestText(path, { headers, isLast: true });
  const statuses = await statusesOf(port, [...waiting, last]);
  const ended = await statusesOf(port, [requestText(path, { headers }), ...waiting, last]);
  return { statuses, isEndedByOneMore: ended.length <= 1 };
}
