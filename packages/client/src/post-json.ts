import { urlToHttpOptions } from 'node:url';
import type { paths } from './generated/api-types.js';
import { httpSend, problemOf } from './http-send.js';

export interface PostJsonOptions {
  /** The base URL of the service. */
  url: string;
  token: string;
  /** Maximum duration of a request, milliseconds. */
  timeoutMs: number;
}

/** Sends a POST and returns the data of the response. Times stay text. */
export type PostJson = <Path extends JsonPath>(path: Path, body: RequestOf<Path>) => Promise<ResponseOf<Path>>;

type Json<Value> = { content: { 'application/json': Value } };

/** The paths whose POST has a body and no parameters. */
type JsonPath = {
  [Path in keyof paths]: Path extends `${string}{${string}`
    ? never
    : paths[Path] extends { post: { requestBody: Json<unknown>; responses: { 200: Json<unknown> } } }
      ? Path
      : never;
}[keyof paths];

type RequestOf<Path extends JsonPath> = paths[Path] extends { post: { requestBody: Json<infer Body> } } ? Body : never;

type ResponseOf<Path extends JsonPath> = paths[Path] extends { post: { responses: { 200: Json<infer Data> } } }
  ? Data
  : never;

/**
 * Creates a function for services that send requests for every message: `createClient` needs twice the processor time.
 * A request is sent once.
 *
 * @example const verdicts = await createPostJson({ url, token, timeoutMs })('/outbound/looks', { items });
 *
 * @throws ApiProblem for a response that is not 2xx; Error when the connection fails, when the time is over, or when
 * the response is no JSON
 */
export function createPostJson({ url, token, timeoutMs }: PostJsonOptions): PostJson {
  const address = new URL(url);
  const { protocol, hostname, port } = urlToHttpOptions(address);
  const base = address.pathname.replace(/\/+$/, '');
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
  return async (path, body) => {
    const options = { protocol, hostname, port, path: `${base}${path}`, method: 'POST', headers };
    const { incoming, body: received } = await httpSend(options, JSON.stringify(body), timeoutMs);
    const { statusCode: status = 0 } = incoming;
    const text = received.toString();
    if (status < 200 || status >= 300) throw problemOf(incoming, text);
    return JSON.parse(text);
  };
}
