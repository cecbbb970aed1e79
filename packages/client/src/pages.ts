import type { Dated, InputPaths } from './dated-client.js';
import type { paths } from './generated/api-types.js';
import type { MailsteadClient } from './mailstead-client.js';

/** Rows of one request, unless the filters have their own `limit`. */
const ROWS = 500;

/** The paths whose GET is a list that the API divides into pages. */
export type ListPath = {
  [Path in keyof paths]: paths[Path] extends { get: Paged } ? Path : never;
}[keyof paths];

interface Paged {
  responses: { 200: { headers: { Link: string }; content: { 'application/json': unknown[] } } };
}

/** A row of the list. */
export type Row<Path extends ListPath> = paths[Path] extends {
  get: { responses: { 200: { content: { 'application/json': (infer Item)[] } } } };
}
  ? Dated<Item>
  : never;

/** The filters of the list. `limit` is the number of rows that one request returns, not of all. */
type Filters<Path extends ListPath> = InputPaths[Path] extends { get: { parameters: { query?: infer Query } } }
  ? NonNullable<Query>
  : never;

type Parameters<Path extends ListPath> = paths[Path] extends {
  get: { parameters: { path: infer Names extends object } };
}
  ? { path: Names }
  : { path?: never };

/** `path`: the parameters of the path, such as `domain_name`. */
type PagesOptions<Path extends ListPath> = Parameters<Path> & {
  /** Ends the iteration: the running request is aborted, and the next row is not returned. */
  signal?: AbortSignal;
};

type Rest<Path extends ListPath> =
  Parameters<Path> extends { path?: never }
    ? [filters?: Filters<Path>, options?: PagesOptions<Path>]
    : [filters: Filters<Path>, options: PagesOptions<Path>];

type GetPage = (
  path: string,
  init: { params: { path?: object; query: object }; signal?: AbortSignal },
) => Promise<{ data?: unknown; response: Response }>;

/**
 * Reads all rows of a list, page by page. A page is requested when the rows before it were used, so a loop that ends
 * early sends no further request. Each page is repeated as every GET of the client.
 *
 * @example for await (const domain of pages(client, '/domains/', { q: 'shop' })) console.log(domain.name);
 *
 * @throws ApiProblem and the errors of the client; the reason of the signal when it was aborted
 */
export async function* pages<Path extends ListPath>(
  client: MailsteadClient,
  path: Path,
  ...[filters, options]: Rest<Path>
): AsyncGenerator<Row<Path>, void, undefined> {
  const { signal, path: names }: { signal?: AbortSignal; path?: object } = options ?? {};
  const get = client.GET as unknown as GetPage;
  let query: object | null = { limit: ROWS, ...filters };
  while (query !== null) {
    signal?.throwIfAborted();
    const { data, response } = await get(path, {
      params: { query, ...(names === undefined ? {} : { path: names }) },
      ...(signal === undefined ? {} : { signal }),
    });
    for (const row of data as Row<Path>[]) {
      signal?.throwIfAborted();
      yield row;
    }
    query = nextQuery(response.headers.get('link'));
  }
}

/** The next page has the same path, so only the query of its address is used: the token is sent to no other service. */
function nextQuery(link: string | null): object | null {
  const [, address] = /<([^<>]*)>\s*;\s*rel="?next"?/.exec(link ?? '') ?? [];
  if (address === undefined) return null;
  return Object.fromEntries(new URL(address, 'http://service.invalid').searchParams);
}
