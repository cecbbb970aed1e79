import { STATUS_CODES } from 'node:http';

/** Returns a response with problem details as the bytes of HTTP/1.1, for a connection without a response object. */
export function problemText(
  status: number,
  headers: Record<string, string | number>,
  problem: Record<string, unknown>,
): string {
  const body = JSON.stringify(problem);
  const all = { ...headers, Date: new Date().toUTCString(), 'Content-Length': Buffer.byteLength(body) };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`);
  return [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines, '', body].join('\r\n');
}
