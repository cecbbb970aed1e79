import fc from '../../../scripts/fast-check.mjs';
import { byId, inChunks, type Order, type Page } from './page.js';

const rowsOf = (count: number) => Array.from({ length: count }, (_, index) => ({ id: index + 1 }));

interface Asked {
  after?: number;
  limit: number | null;
  order?: Order;
}

async function readPage(all: { id: number }[], page: Asked, chunkRows: number) {
  const read = async ({ after, limit, order }: Page) =>
    order === 'desc'
      ? all
          .filter(({ id }) => id < after)
          .reverse()
          .slice(0, limit)
      : all.filter(({ id }) => id > after).slice(0, limit);
  const rows: { id: number }[] = [];
  let next: number | null = null;
  for await (const chunk of inChunks(byId(read, page), chunkRows)) {
    rows.push(...chunk.rows);
    next = chunk.next;
    if (chunk.isLast) break;
  }
  return { rows, next };
}

describe('the pages of a list', () => {
  it('contain every row once, and only the last page has no next one', async () => {
    const sizes = fc.record({
      count: fc.integer({ min: 0, max: 40 }),
      limit: fc.integer({ min: 1, max: 12 }),
      chunkRows: fc.integer({ min: 1, max: 12 }),
      order: fc.constantFrom<Order[]>('asc', 'desc'),
    });
    await fc.assert(
      fc.asyncProperty(sizes, async ({ count, limit, chunkRows, order }) => {
        const all = rowsOf(count);
        const pages: number[] = [];
        const seen: { id: number }[] = [];
        let after: number | null | undefined;
        while (after !== null) {
          const asked: Asked = { limit, order, ...(after === undefined ? {} : { after }) };
          const page = await readPage(all, asked, chunkRows);
          pages.push(page.rows.length);
          seen.push(...page.rows);
          after = page.next;
        }
        expect(seen).toEqual(order === 'asc' ? all : [...all].reverse());
        expect(pages).toHaveLength(Math.max(1, Math.ceil(count / limit)));
      }),
    );
  });

  it('do not exist for a complete list, which has every row once', async () => {
    for (const chunkRows of [1, 4, 5, 20, 21]) {
      expect(await readPage(rowsOf(20), { after: 0, limit: null }, chunkRows)).toMatchObject({ rows: rowsOf(20) });
    }
  });
});
