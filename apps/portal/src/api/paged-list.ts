import {
  type InfiniteData,
  infiniteQueryOptions,
  keepPreviousData,
  type QueryKey,
  type UseInfiniteQueryResult,
} from '@tanstack/react-query';
import { Patience } from './patience.js';

const PAGE_ROWS = 50;
/** Of a list that is read to its end. */
const WHOLE_PAGE_ROWS = 500;

/** Reads one page of a list. `after` is the id, or the name, of the last row of the page before. */
type ReadPage<Row, Position> = (page: {
  limit: number;
  after?: Position;
  total?: 'true';
}) => Promise<{ data?: Row[]; response: Response }>;

type ListPage<Row> = {
  rows: Row[];
  /** The `after` of the next page; null after the last one. */
  next: string | null;
  /** The number of rows of the whole list; null when it was not asked for. */
  total: Total | null;
  /** Of the answer. */
  headers: Headers;
};

/** `more`: there are more than that. */
export interface Total {
  count: number;
  more: boolean;
}

interface Paging<Row> {
  /** Rows a page. */
  limit?: number;
  /** Milliseconds until the rows are read anew; false: only when something makes them old. */
  refetchIn?: (rows: readonly Row[]) => number | false;
  /** The service counts the whole list with the first page (`total=true`). */
  isCounted?: boolean;
}

/** For the lists that the service counts. */
export const COUNTED = { isCounted: true };

/** A list that shows its first page at once and reads further pages on request. */
export function pagedQuery<Row>(queryKey: QueryKey, read: ReadPage<Row, number>, paging: Paging<Row> = {}) {
  return pagesOf(queryKey, read, Number, paging);
}

/** The same for a list whose rows have names in place of ids. */
export function pagedByName<Row>(queryKey: QueryKey, read: ReadPage<Row, string>, paging: Paging<Row> = {}) {
  return pagesOf(queryKey, read, String, paging);
}

function pagesOf<Row, Position>(
  queryKey: QueryKey,
  read: ReadPage<Row, Position>,
  positionOf: (text: string) => Position,
  { limit = PAGE_ROWS, isCounted = false, refetchIn = () => false }: Paging<Row>,
) {
  const readFrom = async (from: string | null, rows: number, counts = false): Promise<ListPage<Row>> => {
    const { data, response } = await read({
      limit: rows,
      ...(from === null ? {} : { after: positionOf(from) }),
      ...(counts ? { total: 'true' } : {}),
    });
    const { headers } = response;
    const [next, total] = [nextOf(headers.get('link')), totalOf(headers.get('total-count'))];
    return { rows: data ?? [], next, total, headers };
  };
  const options = infiniteQueryOptions({
    queryKey,
    initialPageParam: null as string | null,
    queryFn: ({ pageParam }) => readFrom(pageParam, limit, isCounted && pageParam === null),
    getNextPageParam: ({ next }) => next,
    refetchInterval: ({ state: { data } }) => (data === undefined ? false : refetchIn(rowsOf(data))),
    // The rows of the last search stay until those of the next one are there.
    placeholderData: keepPreviousData,
  });
  return Object.assign(options, { everyPage: (signal: AbortSignal) => pagesFrom(readFrom, signal) });
}

/** Reads the whole list anew, a page at a time. It waits when the service is busy. */
async function* pagesFrom<Row>(
  readFrom: (from: string | null, rows: number) => Promise<ListPage<Row>>,
  signal: AbortSignal,
): AsyncGenerator<Row[], void, undefined> {
  const patience = new Patience(signal);
  let from: string | null = null;
  do {
    const after: string | null = from;
    const { rows, next }: ListPage<Row> = await patience.call(() => readFrom(after, WHOLE_PAGE_ROWS));
    yield rows;
    from = next;
  } while (from !== null);
}

/** The pages of a list that were read so far. */
type Pages<Row> = InfiniteData<ListPage<Row>>;
export type PagedResult<Row> = UseInfiniteQueryResult<Pages<Row>, unknown>;

/**
 * Reads the next page. A live update reads the known pages instead when it comes in between, so it is asked for again.
 */
export async function readNextPage<Row>({ data, fetchNextPage }: PagedResult<Row>): Promise<void> {
  const known = data?.pages.length ?? 0;
  let now = await fetchNextPage();
  while (now.isSuccess && now.hasNextPage && now.data.pages.length <= known) now = await fetchNextPage();
}

export function rowsOf<Row>(data: Pages<Row>): Row[] {
  return data.pages.flatMap(({ rows }) => rows);
}

/** The number of rows of the whole list, as the first page brought it. */
export function totalOfList<Row>({ pages }: Pages<Row>): Total | null {
  return pages[0]?.total ?? null;
}

/** Reads a header such as `1234`, or `20000+`. */
export function totalOf(text: string | null): Total | null {
  const [, count, more] = /^(\d+)(\+?)$/.exec(text ?? '') ?? [];
  return count === undefined ? null : { count: Number(count), more: more === '+' };
}

/** Returns `after` of a header such as `</domains/?limit=50&after=120>; rel="next"`. */
export function nextOf(link: string | null): string | null {
  const target = /<([^<>]+)>; rel="next"/.exec(link ?? '')?.[1];
  if (target === undefined) return null;
  return new URL(target, 'http://service').searchParams.get('after');
}
