import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { ApiAddresses, isDownStatus } from './api-addresses.js';
import { problemOf } from './http-send.js';

/** The maximum time without a byte of the response, milliseconds. */
const IDLE_MS = 60_000;

export interface TextLinesOptions {
  /** The base URL of the service, or several, separated by commas. */
  url: string;
  token: string;
  /** The requested type, such as `text/csv`. */
  accept: string;
}

/**
 * Reads a long response line by line while it arrives, so that memory stays flat: `createClient` reads responses
 * completely. The request is sent once to each address, until one responds.
 *
 * @param path a path of the API with its query, such as `/usage?month=2026-11`
 * @example for await (const line of textLines({ url, token, accept: 'text/csv' }, '/usage?month=2026-11'))
 * console.log(line);
 *
 * @throws ApiProblem for a response that is not 2xx; Error when the connection fails or ends before the response does
 */
export async function* textLines(
  { url, token, accept }: TextLinesOptions,
  path: string,
): AsyncGenerator<string, void, undefined> {
  const incoming = await openFirst(new ApiAddresses(url).inOrder(), path, {
    Authorization: `Bearer ${token}`,
    Accept: accept,
  });
  const { statusCode = 0 } = incoming;
  if (statusCode < 200 || statusCode >= 300) throw problemOf(incoming, await text(incoming));
  let failure: Error | null = null;
  // readline ends its lines also when the connection is cut.
  incoming.on('error', (error) => {
    failure = error;
  });
  try {
    for await (const line of createInterface({ input: incoming, crlfDelay: Number.POSITIVE_INFINITY })) yield line;
  } finally {
    incoming.destroy();
  }
  if (failure !== null || !incoming.complete) throw failure ?? new Error('The response was cut off');
}

async function openFirst(
  [base = '', ...others]: string[],
  path: string,
  headers: Record<string, string>,
): Promise<IncomingMessage> {
  try {
    const incoming = await open(`${base}${path}`, headers);
    if (others.length === 0 || !isDownStatus(incoming.statusCode)) return incoming;
    incoming.resume();
  } catch (error) {
    if (others.length === 0) throw error;
  }
  return openFirst(others, path, headers);
}

function open(url: string, headers: Record<string, string>): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const send = url.startsWith('https:') ? httpsRequest : httpRequest;
    const request = send(url, { headers, timeout: IDLE_MS }, resolve);
    request.on('timeout', () => request.destroy(new Error(`No data within ${IDLE_MS} ms`)));
    request.on('error', reject);
    request.end();
  });
}
