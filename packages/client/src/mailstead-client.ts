import createFetchClient, { createQuerySerializer } from 'openapi-fetch';
import { ApiAddresses } from './api-addresses.js';
import { ApiProblem } from './api-problem.js';
import type { DatedClient } from './dated-client.js';
import type { paths } from './generated/api-types.js';
import { pathWithNames } from './path-names.js';
import { type RetryOptions, retryingFetch } from './retrying-fetch.js';
import { withDates } from './with-dates.js';

export interface ClientOptions extends Partial<RetryOptions> {
  /**
   * The base URL of the service, such as `https://mail.example.net`, or several, separated by commas: one that does not
   * answer, or answers 502, 503 or 504, is passed over for 5 s.
   */
  url: string;
  /** An API key, an operator's token or the master token. */
  token: string;
}

/**
 * The routes of the API by method and path, with types from its OpenAPI document. Times in responses are `Date`. Those
 * in requests may be `Date`, or text that ends with `Z` or has no zone (both UTC) or another offset.
 */
export type MailsteadClient = DatedClient;

const DEFAULTS: RetryOptions = { retries: 3, firstRetryMs: 200, maxRetryMs: 10_000, timeoutMs: 10_000 };

/**
 * Creates a client. Its methods send requests again where that is safe (`retryingFetch`). `data` of the result is
 * always set, because other responses are thrown: an `ApiProblem` for a response that is not 2xx, and the error of
 * `node:http` for a failed connection. A name for the path that is empty, `.` or `..` is a `TypeError`, and nothing is
 * sent.
 *
 * @example const { data } = await createClient({ url, token }).POST('/domains/', { body: { name: 'example.com' } });
 */
export function createClient({ url, token, ...retry }: ClientOptions): MailsteadClient {
  const addresses = new ApiAddresses(url);
  const base = new URL(addresses.current).href.replace(/(?<!\/)\/+$/, '');
  const client = createFetchClient<paths>({
    baseUrl: base,
    headers: { Authorization: `Bearer ${token}` },
    fetch: retryingFetch({ ...DEFAULTS, ...retry }, addresses, base),
    pathSerializer: pathWithNames,
    querySerializer: serializeQuery,
  });
  client.use({
    onResponse: async ({ response }) => {
      if (!response.ok) throw await ApiProblem.from(response);
    },
  });
  return withDates(client);
}

const serialize = createQuerySerializer<Record<string, unknown>>();

/** In bodies JSON does the same. */
function serializeQuery(query: Record<string, unknown>): string {
  return serialize(
    Object.fromEntries(
      Object.entries(query).map(([name, value]) => [name, value instanceof Date ? value.toISOString() : value]),
    ),
  );
}
