import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { ListTurns } from './list-turns.js';
import { type ReadChunks, StreamedList, StreamedObject } from './responses.js';
import { writeResponse } from './write-response.js';

const CHUNKS = 60;
/** So long that all chunks are more than the buffers of a connection. */
const ROW = { text: 'x'.repeat(100_000) };
const SHORT_ROW = { text: 'x' };

describe('a streamed list', () => {
  let turns: ListTurns;
  let close: (() => void) | undefined;

  beforeEach(() => {
    turns = new ListTurns(1);
  });
  afterEach(() => close?.());

  /** A list that a client has requested. The test decides when the client reads. */
  interface Reading {
    socket: Socket;
    response: ServerResponse;
    written: Promise<void>;
    chunksRead: number;
    mostListeners: number;
    text: () => Promise<string>;
  }

  /**
   * Requests a list.
   *
   * @param answer creates the handler's return value from the chunks.
   * @param failAfter number of chunks after which reading fails.
   * @param isEmpty whether the chunk with this index has no rows.
   * @param row of each other chunk.
   */
  async function reader(
    answer: (read: ReadChunks) => object = (read) => new StreamedList(read),
    failAfter = Number.POSITIVE_INFINITY,
    isEmpty: (chunk: number) => boolean = () => false,
    row: object = ROW,
  ): Promise<Reading> {
    const reading = { chunksRead: 0, mostListeners: 0 } as Reading;
    async function* read() {
      for (reading.chunksRead = 0; reading.chunksRead < CHUNKS; reading.chunksRead += 1) {
        reading.mostListeners = Math.max(reading.mostListeners, reading.response.listenerCount('close'));
        if (reading.chunksRead === failAfter) throw new Error('no database');
        const isLast = reading.chunksRead === CHUNKS - 1;
        const rows = isEmpty(reading.chunksRead) ? [] : [row];
        yield { rows, next: isLast ? null : reading.chunksRead, isLast };
      }
    }
    const server = createServer((_, asked) => {
      reading.response = asked;
      const target = { response: asked, status: 200, headers: {}, url: '/', pending: turns.begin() };
      reading.written = writeResponse(target, answer(read));
      reading.written.catch(() => undefined);
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const before = close;
    close = () => {
      before?.();
      server.closeAllConnections();
      server.close();
    };
    reading.socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    reading.socket.on('error', () => undefined);
    reading.socket.pause().write('GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
    reading.text = async () => {
      const parts: Buffer[] = [];
      reading.socket.on('data', (part: Buffer) => parts.push(part)).resume();
      await once(reading.socket, 'close');
      return Buffer.concat(parts).toString();
    };
    await once(server, 'request');
    return reading;
  }

  const bodyOf = (text: string) =>
    JSON.parse(
      text
        .slice(text.indexOf('\r\n\r\n') + 4)
        .split('\r\n')
        .filter((_, index) => index % 2 === 1)
        .join(''),
    ) as unknown;

  it('does not add listeners with each chunk while it waits for its reader', async () => {
    const reading = await reader();
    expect(bodyOf(await reading.text())).toEqual(Array.from({ length: CHUNKS }, () => ROW));
    expect(reading.mostListeners).toBeLessThan(5);
  });

  it.each<[string, (chunk: number) => boolean, number]>([
    ['the first', (chunk) => chunk === 0, CHUNKS - 1],
    ['all but the last', (chunk) => chunk < CHUNKS - 1, 1],
    ['every second', (chunk) => chunk % 2 === 1, CHUNKS / 2],
    ['all', () => true, 0],
  ])('parses when these chunks have no rows: %s', async (_, isEmpty, rows) => {
    const list = await reader(undefined, undefined, isEmpty, SHORT_ROW);
    expect(bodyOf(await list.text())).toHaveLength(rows);
    const report = await reader(
      (read) => new StreamedObject({ used: 1 }, { first: read }),
      undefined,
      isEmpty,
      SHORT_ROW,
    );
    expect(bodyOf(await report.text())).toHaveProperty('first.length', rows);
  });

  it('reads no further chunks after its reader closed the connection', async () => {
    const { socket, ...reading } = await reader();
    socket.destroy();
    await reading.written;
    expect(reading.chunksRead).toBeLessThan(CHUNKS);
  });

  it('uses no turn while its reader does not read, so that several such readers do not delay other lists', async () => {
    const slow = await Promise.all(Array.from({ length: 4 }, () => reader()));
    const { text } = await reader(undefined, undefined, undefined, SHORT_ROW);
    expect(bodyOf(await text())).toHaveLength(CHUNKS);
    for (const { chunksRead, response } of slow) {
      expect(chunksRead).toBeLessThan(CHUNKS);
      expect(response.writableEnded).toBe(false);
    }
  });

  it('keeps at most two chunks in memory while its reader does not read', async () => {
    const { response, ...reading } = await reader();
    let mostKept = 0;
    for (let turn = 0; turn < 500; turn += 1) {
      mostKept = Math.max(mostKept, response.writableLength);
      await nextTurn();
    }
    expect(mostKept).toBeGreaterThan(0);
    expect(mostKept).toBeLessThan(2 * JSON.stringify(ROW).length + 1_000);
    expect(reading.chunksRead).toBeLessThan(CHUNKS);
  });

  it.each<[string, (read: ReadChunks) => object]>([
    ['a list', (read) => new StreamedList(read)],
    ['a report', (read) => new StreamedObject({ used: 1 }, { first: read, second: read })],
  ])(
    'that fails after its first chunk ends without the end of the response, so that it does not parse: %s',
    async (_, answer) => {
      const failing = await reader(answer, 3, undefined, SHORT_ROW);
      const text = await failing.text();
      await expect(failing.written).rejects.toThrow('no database');
      expect(text).toContain('200 OK');
      expect(text.endsWith('0\r\n\r\n')).toBe(false);
      expect(() => bodyOf(text)).toThrow(SyntaxError);
      // The turn of the failed list was released.
      const next = await reader(undefined, undefined, undefined, SHORT_ROW);
      expect(bodyOf(await next.text())).toHaveLength(CHUNKS);
    },
  );
});
