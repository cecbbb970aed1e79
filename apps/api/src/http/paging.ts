import { invalidField } from '@mailstead/core/errors';
import type { Actor } from '@mailstead/core/operators/actor';
import { byId, type ChunkedList, inChunks, ORDERS, type Order, type ReadPage } from '@mailstead/core/page';
import type { PartnerRef } from '@mailstead/core/partners/partner';
import {
  type CountedSearch,
  type CountRows,
  inSearch,
  type Search,
  type SearchedList,
  type SearchRange,
  walkSearch,
} from '@mailstead/core/search';
import { Enum, QueryInteger, Text } from './fields.js';
import { partnerRefQuery } from './parse.js';
import { PagedList, type ReadChunks, StreamedList } from './responses.js';
import { anyPartnerRef } from './text-rules.js';

export const MAX_PAGE_ROWS = 1_000;

/** With `?limit=` a list responds with one page. Without it the list is complete and streamed. */
export class PageQuery {
  @QueryInteger({
    min: 1,
    max: MAX_PAGE_ROWS,
    optional: true,
    description: 'Rows per page; without it the list is complete',
  })
  limit?: number;

  @QueryInteger({ min: 0, max: Number.MAX_SAFE_INTEGER, optional: true, description: 'Only rows with a greater id' })
  after?: number;
}

/** A list with ids that is read in both directions. */
export class OrderedPageQuery extends PageQuery {
  @Enum(ORDERS, {
    optional: true,
    description: '`desc`: newest first; `after` then asks for rows with a smaller id',
    example: 'desc',
  })
  order?: Order;
}

export class PartnerFilterQuery extends OrderedPageQuery {
  @Text({ max: 128, rule: anyPartnerRef, optional: true, description: 'Only rows of this partner (master and read)' })
  partner_ref?: string;

  /** A client that names another partner gets an empty list, because the scope of the query is its own partner. */
  filter(_actor: Actor): { partnerRef?: PartnerRef | undefined } {
    return {
      partnerRef: this.partner_ref === undefined ? undefined : partnerRefQuery('partner_ref', this.partner_ref),
    };
  }
}

/** A list whose rows can be counted. Its class declares `total` with `@Total()`. */
export interface CountedQuery {
  total?: 'true';
}

export type ListResponse = StreamedList | PagedList;

/** Returns a list in the order of its ids: one page when `limit` is given, else the complete list, streamed. */
export function page<Row extends { id: number }>(
  query: PageQuery & { order?: Order },
  read: ReadPage<Row>,
  present: (row: Row) => object,
): ListResponse {
  return listed(byId(read, { after: query.after, limit: query.limit, order: query.order }), present);
}

/** Adds the number of rows to a page when the query asks for it. @throws AppError validation_failed without `limit` */
export function counted({ total }: CountedQuery, list: ListResponse, count: CountRows): ListResponse {
  if (total === undefined) return list;
  if (list instanceof StreamedList) {
    throw invalidField('total', 'needs `limit`: without it the list is complete, so count its rows');
  }
  return new PagedList(list.read, count);
}

/** Like `searched`, with the number of rows when the query asks for it. */
export function searchedAndCounted<Row extends { id: number }>(
  query: OrderedPageQuery & CountedQuery,
  search: CountedSearch<Row>,
  present: (row: Row) => object,
): ListResponse {
  return counted(query, searched(query, search, present), search.count);
}

/**
 * Returns what a search finds, in the order of the ids: one page when `limit` is given, else the complete list,
 * streamed.
 */
export function searched<Row extends { id: number }>(
  { after, limit, order }: OrderedPageQuery,
  search: Search<Row>,
  present: (row: Row) => object,
): ListResponse {
  const read = found(search, present, { after, limit, order });
  return limit === undefined ? new StreamedList(read) : new PagedList(read);
}

/** Reads what a search finds; the complete list without a range. */
export function found<Row extends { id: number }>(
  search: Search<Row>,
  present: (row: Row) => object,
  range: SearchRange = { after: undefined, limit: undefined, order: undefined },
): ReadChunks {
  return async function* (chunkRows) {
    for await (const chunk of inSearch(search, range, chunkRows)) yield { ...chunk, rows: chunk.rows.map(present) };
  };
}

/** Returns a list in any order: one page when `atMost` is set, else the complete list, streamed. */
export function listed<Row, Position extends number | string>(
  list: ChunkedList<Row, Position>,
  present: (row: Row) => object,
): ListResponse {
  const read = presented(list, present);
  return list.atMost === null ? new StreamedList(read) : new PagedList(read);
}

/** Like `listed`, for a search, which may look at many rows and find few. */
export function walked<Row, Position extends number | string>(
  list: SearchedList<Row, Position>,
  present: (row: Row) => object,
): ListResponse {
  const read: ReadChunks = async function* (chunkRows) {
    for await (const chunk of walkSearch(list, chunkRows)) yield { ...chunk, rows: chunk.rows.map(present) };
  };
  return list.atMost === null ? new StreamedList(read) : new PagedList(read);
}

/**
 * Reads a ranked list in few large reads, because the database sorts all rows of the list for each read.
 *
 * @param read reads `limit` rows from the rank `from`.
 * @param rows number of rows of one read: a multiple of the rows of a chunk, or for a page one more than its rows.
 */
export function readRanked<Row>(
  read: (from: number, limit: number) => Promise<Row[]>,
  rows: number,
): (from: number, limit: number) => Promise<Row[]> {
  let known: Row[] = [];
  let start = 0;
  return async (from, limit) => {
    if (from < start || from >= start + known.length) {
      known = await read(from, rows);
      start = from;
    }
    return known.slice(from - start, from - start + limit);
  };
}

export function presented<Row, Position extends number | string>(
  list: ChunkedList<Row, Position>,
  present: (row: Row) => object,
): ReadChunks {
  return async function* (chunkRows) {
    for await (const chunk of inChunks(list, chunkRows)) yield { ...chunk, rows: chunk.rows.map(present) };
  };
}
