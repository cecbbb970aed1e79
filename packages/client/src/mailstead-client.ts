import createFetchClient, { type Client } from 'openapi-fetch';
import { ApiProblem } from './api-problem.js';
import type { paths } from './generated/api-types.js';
import { type RetryOptions, retryingFetch } from './retrying-fetch.js';

export interface ClientOptions extends Partial<RetryOptions> {
  /** The base URL of the service, such as `https://mail.example.net`. */
  url: string;
  /** An API key, an operator's token or the master token. */
  token: string;
}

/** The routes of the API by method and path, with types from its OpenAPI document. */
export type MailsteadClient = Client<paths>;

const DEFAULTS: RetryOptions = { retries: 3, firstRetryMs: 200, maxRetryMs: 10_000, timeoutMs: 10_000 };

/**
 * Creates a client. Its methods send requests again where that is safe (`retryingFetch`). `data` of the result is always
 * set, because other responses are thrown: an `ApiProblem` for a response that is not 2xx, and the error of `node:http`
 * for a failed connection.
 *
 * @example const { data } = await createClient({ url, token }).POST('/domains/', { body: { name: 'example.com' } });
 */
export function createClient({ url, token, ...retry }: ClientOptions): MailsteadClient {
  const client = createFetchClient<paths>({
    baseUrl: url.replace(/\/+$/, ''),
    headers: { Authorization: `Bearer ${token}` },
    fetch: retryingFetch({ ...DEFAULTS, ...retry }),
  });
  client.use({
    onResponse: async ({ response }) => {
      if (!response.ok) throw await ApiProblem.from(response);
    },
  });
  return client;
}
