import { urlToHttpOptions } from 'node:url';
import { ApiAddresses, isDownStatus } from './api-addresses.js';
import type { paths } from './generated/api-types.js';
import { httpSend, problemOf } from './http-send.js';

/** With several addresses, one that does not respond in this time is passed over. */
const NEXT_AFTER_MS = 1_000;

export interface PostJsonOptions {
  /** The base URL of the service, or several, separated by commas. */
  url: string;
  token: string;
  /** Maximum duration of a request, milliseconds, at all addresses together. */
  timeoutMs: number;
  /** Returns further headers, called for each request. */
  headers?: () => Record<string, string>;
  /** Returns another way to send a request to a base URL, which may use HTTP too. */
  sendBy?: (overHttp: SendJson) => SendJson;
}

/** A response of the API. */
export interface ApiResponse {
  status: number;
  /** Returns the data. @throws ApiProblem for a status that is not 2xx; Error when the body is no JSON */
  read: () => unknown;
}

/**
 * Sends a JSON text to a path below a base URL. @throws Error when the connection fails, or when the time is over
 */
export type SendJson = (base: string, path: string, body: string, withinMs: number) => Promise<ApiResponse>;

/** Sends a POST and returns the data of the response. Times stay text. */
export type PostJson = <Path extends JsonPath>(path: Path, body: RequestOf<Path>) => Promise<ResponseOf<Path>>;

/** The responses with JSON of a success. */
type Taken<Value> = { 200: Json<Value> } | { 202: Json<Value> };
type Json<Value> = { content: { 'application/json': Value } };

/** The paths whose POST has a body and no parameters. */
type JsonPath = {
  [Path in keyof paths]: Path extends `${string}{${string}`
    ? never
    : paths[Path] extends { post: { requestBody: Json<unknown>; responses: Taken<unknown> } }
      ? Path
      : never;
}[keyof paths];

type RequestOf<Path extends JsonPath> = paths[Path] extends { post: { requestBody: Json<infer Body> } } ? Body : never;

type ResponseOf<Path extends JsonPath> = paths[Path] extends { post: { responses: Taken<infer Data> } } ? Data : never;

/**
 * Creates a function for services that send requests for every message: `createClient` needs twice the processor time.
 * A request is sent once to each address, until one responds with another status than 502, 503 and 504. So with several
 * addresses it may arrive more than once: its items need ids, or must change nothing.
 *
 * @example const verdicts = await createPostJson({ url, token, timeoutMs })('/outbound/looks', { items });
 *
 * @throws ApiProblem for a response that is not 2xx; Error when the connection fails, when the time is over, or when
 * the response is no JSON
 */
export function createPostJson({ url, token, timeoutMs, headers = () => ({}), sendBy }: PostJsonOptions): PostJson {
  const addresses = new ApiAddresses(url);
  const overHttp = httpSender(token, headers);
  const send = sendBy === undefined ? overHttp : sendBy(overHttp);
  return async (path, body) => {
    const text = JSON.stringify(body);
    const response = await firstResponse(addresses, timeoutMs, (base, withinMs) => send(base, path, text, withinMs));
    return response.read() as ResponseOf<typeof path>;
  };
}

function httpSender(token: string, more: () => Record<string, string>): SendJson {
  const always = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
  return async (base, path, body, withinMs) => {
    const { protocol, hostname, port, path: target } = urlToHttpOptions(new URL(`${base}${path}`));
    const headers = { ...more(), ...always };
    const options = { protocol, hostname, port, path: target, method: 'POST', headers };
    const { incoming, body: received } = await httpSend(options, body, withinMs);
    const { statusCode: status = 0 } = incoming;
    const read = (): unknown => {
      const text = received.toString();
      if (status < 200 || status >= 300) throw problemOf(incoming, text);
      return JSON.parse(text);
    };
    return { status, read };
  };
}

/** @returns the first response of a service that is not down, or the last response @throws the last error */
async function firstResponse(
  addresses: ApiAddresses,
  timeoutMs: number,
  send: (base: string, withinMs: number) => Promise<ApiResponse>,
): Promise<ApiResponse> {
  const endsAt = performance.now() + timeoutMs;
  const order = addresses.inOrder();
  for (const [index, base] of order.entries()) {
    const leftMs = index === 0 ? timeoutMs : Math.max(1, Math.ceil(endsAt - performance.now()));
    const isLast = index === order.length - 1 || leftMs <= NEXT_AFTER_MS;
    try {
      const response = await send(base, isLast ? leftMs : NEXT_AFTER_MS);
      if (!isDownStatus(response.status)) {
        addresses.worked(base);
        return response;
      }
      addresses.failed(base);
      if (isLast) return response;
    } catch (error) {
      addresses.failed(base);
      if (isLast) throw error;
    }
  }
  throw new Error('There is no address');
}
