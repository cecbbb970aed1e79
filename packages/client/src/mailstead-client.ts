import createFetchClient, { type Client } from 'openapi-fetch';
import { ApiProblem } from './api-problem.js';
import type { paths } from './generated/api-types.js';
import { type RetryOptions, retryingFetch } from './retrying-fetch.js';

export interface ClientOptions extends Partial<RetryOptions> {
  /** Where the service is, as `https://mail.example.net`. */
  url: string;
  /** An API key, an operator's token or the master token. */
  token: string;
}

/** Every route of the API by method and path, typed by its OpenAPI document. */
export type MailsteadClient = Client<paths>;

const DEFAULTS: RetryOptions = { retries: 3, firstRetryMs: 200, maxRetryMs: 10_000, timeoutMs: 10_000 };

/**
 * Makes a client. Whatever is not 2xx is thrown as `ApiProblem`, so `data` is always there; a failed connection throws
 * the error of `node:http`. What may be sent twice is sent again (`retryingFetch`).
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
