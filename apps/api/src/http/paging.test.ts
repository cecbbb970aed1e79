import { inChunks } from '@mailstead/core/page';
import { readRanked } from './paging.js';

describe('a list that the database sorts at every read', () => {
  const all = Array.from({ length: 2_345 }, (_, rank) => rank);

  it.each<[string, { after: number; limit: number | null; chunkRows: number; reads: number }]>([
    ['complete', { after: 0, limit: null, chunkRows: 100, reads: 3 }],
    ['complete, in other chunks', { after: 0, limit: null, chunkRows: 250, reads: 3 }],
    ['from a rank', { after: 1_111, limit: null, chunkRows: 100, reads: 2 }],
    ['a page', { after: 0, limit: 700, chunkRows: 250, reads: 1 }],
    ['a page at the end', { after: 2_000, limit: 1_000, chunkRows: 100, reads: 1 }],
    ['a page after the end', { after: 5_000, limit: 10, chunkRows: 100, reads: 1 }],
  ])('is read in few reads, with every row once: %s', async (_, { after, limit, chunkRows, reads }) => {
    let asked = 0;
    const read = async (from: number, rows: number) => {
      asked += 1;
      return all.slice(from, from + rows);
    };
    const rows: number[] = [];
    const list = {
      start: after,
      read: readRanked(read, limit === null ? 1_000 : limit + 1),
      positionAfter: (_row: number, from: number, index: number) => from + index + 1,
      atMost: limit,
    };
    for await (const chunk of inChunks(list, chunkRows)) rows.push(...chunk.rows);
    expect(rows).toEqual(all.slice(after, after + (limit ?? all.length)));
    expect(asked).toBe(reads);
  });
});
