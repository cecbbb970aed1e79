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
}) => Promise<{ data?: Row[]; response: Response }>;

type ListPage<Row> = {
  rows: Row[];
  /** The `after` of the next page; null after the last one. */
  next: string | null;
};

/** A list that shows its first page at once and reads further pages on request. */
export function pagedQuery<Row>(queryKey: QueryKey, read: ReadPage<Row, number>, limit = PAGE_ROWS) {
  return pagesOf(queryKey, read, Number, limit);
}

/** The same for a list whose rows have names in place of ids. */
export function pagedByName<Row>(queryKey: QueryKey, read: ReadPage<Row, string>, limit = PAGE_ROWS) {
  return pagesOf(queryKey, read, String, limit);
}

function pagesOf<Row, Position>(
  queryKey: QueryKey,
  read: ReadPage<Row, Position>,
  positionOf: (text: string) => Position,
  limit: number,
) {
  const readFrom = async (from: string | null, rows: number): Promise<ListPage<Row>> => {
    const { data, response } = await read({ limit: rows, ...(from === null ? {} : { after: positionOf(from) }) });
    return { rows: data ?? [], next: nextOf(response.headers.get('link')) };
  };
  const options = infiniteQueryOptions({
    queryKey,
    initialPageParam: null as string | null,
    queryFn: ({ pageParam }) => readFrom(pageParam, limit),
    getNextPageParam: ({ next }) => next,
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
export type PagedResult<Row> = UseInfiniteQueryResult<InfiniteData<ListPage<Row>>, unknown>;

/**
 * Reads the next page. A live update reads the known pages instead when it comes in between, so it is asked for again.
 */
export async function readNextPage<Row>({ data, fetchNextPage }: PagedResult<Row>): Promise<void> {
  const known = data?.pages.length ?? 0;
  let now = await fetchNextPage();
  while (now.isSuccess && now.hasNextPage && now.data.pages.length <= known) now = await fetchNextPage();
}

export function rowsOf<Row>(data: InfiniteData<ListPage<Row>>): Row[] {
  return data.pages.flatMap(({ rows }) => rows);
}

/** Returns `after` of a header such as `</domains/?limit=50&after=120>; rel="next"`. */
export function nextOf(link: string | null): string | null {
  const target = /<([^>]+)>; rel="next"/.exec(link ?? '')?.[1];
  if (target === undefined) return null;
  return new URL(target, 'http://service').searchParams.get('after');
}
