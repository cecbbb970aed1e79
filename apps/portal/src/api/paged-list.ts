import {
  type InfiniteData,
  infiniteQueryOptions,
  keepPreviousData,
  type QueryKey,
  type UseInfiniteQueryResult,
} from '@tanstack/react-query';

const PAGE_ROWS = 50;

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
  return infiniteQueryOptions({
    queryKey,
    initialPageParam: null as string | null,
    queryFn: async ({ pageParam }): Promise<ListPage<Row>> => {
      const { data, response } = await read({ limit, ...(pageParam === null ? {} : { after: positionOf(pageParam) }) });
      return { rows: data ?? [], next: nextOf(response.headers.get('link')) };
    },
    getNextPageParam: ({ next }) => next,
    // The rows of the last search stay until those of the next one are there.
    placeholderData: keepPreviousData,
  });
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
