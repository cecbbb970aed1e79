import type { Actor } from '@mailstead/core/operators/actor';
import { everyPage, type Page, STREAM_CHUNK_ROWS } from '@mailstead/core/page';
import type { PartnerRef } from '@mailstead/core/partners/partner';
import { QueryInteger, Text } from './fields.js';
import { partnerRefField } from './parse.js';
import { type ListAnswer, paged, streamed } from './route.js';

const MAX_PAGE_ROWS = 1_000;

/** `?limit=` makes a page; without it a list is complete and streamed. */
export class PageQuery {
  @QueryInteger({
    min: 1,
    max: MAX_PAGE_ROWS,
    optional: true,
    description: 'Rows of a page; without it the list is complete',
  })
  limit?: number;

  @QueryInteger({ min: 0, max: Number.MAX_SAFE_INTEGER, optional: true, description: 'Only rows with a greater id' })
  after?: number;
}

export class PartnerFilterQuery extends PageQuery {
  @Text({ max: 128, optional: true, description: 'Only those of this partner (master and read)' })
  partner_ref?: string;

  /** A client's own partner is its scope already; naming another finds nothing, like an absent one. */
  filter(_actor: Actor): { partnerRef?: PartnerRef | undefined } {
    return {
      partnerRef: this.partner_ref === undefined ? undefined : partnerRefField('partner_ref', this.partner_ref),
    };
  }
}

/** Answers a list of rows with ids: one page, or all of it in a stream. */
export async function page<Row extends { id: number }, Answer extends object>(
  query: PageQuery,
  read: (page: Page) => Promise<Row[]>,
  present: (row: Row) => Answer,
): Promise<ListAnswer> {
  const after = query.after ?? 0;
  if (query.limit === undefined) {
    return streamed(presentPages(everyPage(read, { after, limit: STREAM_CHUNK_ROWS }), present));
  }
  const rows = await read({ after, limit: query.limit });
  const last = rows.at(-1);
  return paged(rows.map(present), rows.length === query.limit && last !== undefined ? last.id : null);
}

async function* presentPages<Row, Answer>(
  pages: AsyncIterable<Row[]>,
  present: (row: Row) => Answer,
): AsyncGenerator<Answer[]> {
  for await (const rows of pages) yield rows.map(present);
}
