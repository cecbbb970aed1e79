import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { StreamedList } from './answers.js';
import { writeAnswer } from './write-answer.js';

const PAGES = 60;
const ROW = { text: 'x'.repeat(100_000) };

describe('a streamed list', () => {
  let response: ServerResponse;
  let written: Promise<void>;
  let pagesRead: number;
  let mostListeners: number;

  async function* pages() {
    for (pagesRead = 0; pagesRead < PAGES; pagesRead += 1) {
      mostListeners = Math.max(mostListeners, response.listenerCount('close'));
      yield [ROW];
    }
  }

  /** A reader who has asked, and reads what it wants when it wants. */
  async function reader() {
    mostListeners = 0;
    const server = createServer((_, asked) => {
      response = asked;
      written = writeAnswer(response, 200, new StreamedList(pages()), {}, '/');
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    socket.pause().write('GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
    await once(server, 'request');
    return { socket, close: () => server.close() };
  }

  it('waits for its reader without a listener more for each page', async () => {
    const { socket, close } = await reader();
    socket.resume();
    await written;
    expect(pagesRead).toBe(PAGES);
    expect(mostListeners).toBeLessThan(5);
    close();
  });

  it('reads no further pages for a reader who went away', async () => {
    const { socket, close } = await reader();
    socket.destroy();
    await written;
    expect(pagesRead).toBeLessThan(PAGES);
    close();
  });
});
