import { streamedRows } from './streamed-rows.js';

const ROWS = [
  { domain: 'a.example', ref: 'a } in a text, and a { too' },
  { domain: 'b.example', ref: 'a " and a \\ and a \\" at the end \\' },
  { domain: 'münchen.example', inner: { plan: null } },
];

function inChunks(bytes: Uint8Array, size: number): ReadableStream<Uint8Array> {
  let at = 0;
  return new ReadableStream({
    pull: (controller) => {
      if (at >= bytes.length) return controller.close();
      controller.enqueue(bytes.slice(at, at + size));
      at += size;
    },
  });
}

async function read(body: ReadableStream<Uint8Array>): Promise<unknown[]> {
  const rows = [];
  for await (const row of streamedRows(body)) rows.push(row);
  return rows;
}

describe('the rows of a streamed list', () => {
  const bytes = new TextEncoder().encode(JSON.stringify(ROWS));

  it('are the same wherever the chunks end', async () => {
    for (let size = 1; size <= bytes.length; size += 1) expect(await read(inChunks(bytes, size))).toEqual(ROWS);
  });

  it('are none in an empty list', async () => {
    expect(await read(inChunks(new TextEncoder().encode('[]'), 1))).toEqual([]);
  });

  it('fail when the connection breaks in the middle', async () => {
    let isFirst = true;
    const broken = new ReadableStream<Uint8Array>({
      pull: (controller) => {
        if (isFirst) controller.enqueue(bytes.slice(0, 90));
        else controller.error(new TypeError('network error'));
        isFirst = false;
      },
    });
    await expect(read(broken)).rejects.toThrow('network error');
  });

  it('are not read further when nobody wants them', async () => {
    let isCancelled = false;
    const body = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.enqueue(bytes.slice(0, -1)),
      cancel: () => {
        isCancelled = true;
      },
    });
    for await (const row of streamedRows(body)) {
      expect(row).toEqual(ROWS[0]);
      break;
    }
    expect(isCancelled).toBe(true);
  });
});
