import { connect } from 'node:net';
import { fileURLToPath } from 'node:url';
import { until } from '@mailstead/core/testing/until';
import { BuiltPage } from '../portal/built-page.js';
import { startTestApi, type TestApi } from '../testing/api-fixture.js';
import type { PlainResponse } from './responses.js';
import type { RouteRequest } from './route.js';
import { SharedBytes } from './shared-bytes.js';

const FOLDER = fileURLToPath(new URL('../../../portal/dist/page', import.meta.url));
const BUNDLE = '/docs/swagger-ui-bundle.js';
const FILES = ['swagger-ui.css', 'swagger-ui-bundle.js', 'api.md', 'start.js', 'error-codes', 'favicon.svg'];

describe('the bytes of a file', () => {
  it('are read once, also for requests at the same time', async () => {
    let reads = 0;
    const bytes = new SharedBytes(async (name) => {
      reads += 1;
      return Buffer.from(name);
    });
    const [first, second] = await Promise.all([bytes.of('a.js'), bytes.of('a.js')]);
    expect(second).toBe(first);
    expect(await bytes.of('a.js')).toBe(first);
    expect((await bytes.of('b.js')).toString()).toBe('b.js');
    expect(reads).toBe(2);
  });

  it('are read anew after an error', async () => {
    const outcomes = [() => Promise.reject(new Error('EMFILE')), async () => Buffer.from('content')];
    const bytes = new SharedBytes(() => outcomes.shift()?.() ?? Promise.reject(new Error('read once more')));
    await expect(bytes.of('a.js')).rejects.toThrow('EMFILE');
    expect((await bytes.of('a.js')).toString()).toBe('content');
  });

  it('of the portal are the same for every response', async () => {
    const page = new BuiltPage(FOLDER);
    const name = /assets\/([^"]+\.js)/.exec((await page.html()) ?? '')?.[1] ?? '';
    for (const encoding of ['br', 'gzip', 'identity']) {
      const read = async () => (await page.asset(name, encoding))?.read();
      expect(await read()).toBeInstanceOf(Buffer);
      expect(await read()).toBe(await read());
    }
  });
});

describe('the files of the reference', () => {
  let api: TestApi;

  beforeAll(async () => {
    api = await startTestApi('sqlite');
  });
  afterAll(() => api.close());

  it.each([...FILES.map((file) => ['/docs/:file', file]), ['/docs', ''], ['/openapi.json', '']])(
    'are the same bytes for every response: %s %s',
    async (path, file) => {
      const [route] = api.routes.filter((each) => each.path === path);
      if (route === undefined) throw new Error(`No route ${path}`);
      const request = { params: { file } } as unknown as RouteRequest<object, object, unknown>;
      const body = async () => ((await route.run(request)) as PlainResponse).body;
      expect(await body()).toBeInstanceOf(Buffer);
      expect(await body()).toBe(await body());
    },
  );

  it('take no memory of a client that asks 1,192 times on each of two connections and reads nothing', async () => {
    const size = (await (await fetch(api.url + BUNDLE)).arrayBuffer()).byteLength;
    const before = process.memoryUsage().arrayBuffers;
    const ends: Promise<unknown>[] = [];
    api.server.on('connection', (serverSide) => {
      ends.push(new Promise((resolve) => serverSide.once('close', resolve)));
    });
    const clients = [1, 2].map(() => {
      const socket = connect(Number(new URL(api.url).port), '127.0.0.1');
      socket.on('error', () => undefined);
      socket.pause().write(`GET ${BUNDLE} HTTP/1.1\r\nHost: a\r\n\r\n`.repeat(1_192));
      return socket;
    });
    await until('both connections', () => ends.length === 2);
    await Promise.all(ends);
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(4 * size);
    for (const socket of clients) socket.destroy();
  });
});
