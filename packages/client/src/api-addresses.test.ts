import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect, type LookupFunction } from 'node:net';
import { freePort } from '../../../scripts/free-port.mjs';
import { PATIENCE_MS } from '../../../scripts/test-timeout.mjs';
import { ApiAddresses, neverArrived } from './api-addresses.js';
import { createClient } from './mailstead-client.js';
import { createPostJson } from './post-json.js';
import { textLines } from './text-lines.js';

describe('the addresses of an API', () => {
  it('are asked in their order, and one that failed again after 5 s', () => {
    let now = 0;
    const addresses = new ApiAddresses('http://a/, http://b,http://c', () => now);
    expect(addresses.inOrder()).toEqual(['http://a', 'http://b', 'http://c']);
    addresses.failed('http://a');
    now = 1_000;
    addresses.failed('http://b');
    expect(addresses.inOrder()).toEqual(['http://c', 'http://a', 'http://b']);
    now = 4_999;
    expect(addresses.current).toBe('http://c');
    now = 5_000;
    expect(addresses.inOrder()).toEqual(['http://a', 'http://c', 'http://b']);
    addresses.worked('http://b');
    expect(addresses.inOrder()).toEqual(['http://a', 'http://b', 'http://c']);
  });

  it('are all asked while all rest, the one that failed first before the others', () => {
    let now = 0;
    const addresses = new ApiAddresses('http://a,http://b', () => now);
    addresses.failed('http://b');
    now = 1;
    addresses.failed('http://a');
    expect([addresses.hasRested, addresses.inOrder()]).toEqual([false, ['http://b', 'http://a']]);
  });
});

it.each([
  ['http://a,', 2],
  ['http://a,http://b:99999', 2],
  [',http://b', 1],
  ['http://a,http://b,c:80', 3],
])('the list %j is refused when the client is created', (url, place) => {
  const refusal = `Address ${place} of the API must be a URL`;
  expect(() => createClient({ url, token: 't' })).toThrow(refusal);
  expect(() => createPostJson({ url, token: 't', timeoutMs: 1 })).toThrow(refusal);
});

describe('a request', () => {
  it.each([
    ['one address', [{ address: '127.0.0.1', family: 4 }]],
    [
      'two addresses',
      [
        { address: '127.0.0.1', family: 4 },
        { address: '::1', family: 6 },
      ],
    ],
  ])('did not arrive when a host with %s refuses the connection', async (_, found) => {
    const lookup = (...[, , done]: Parameters<LookupFunction>) => done(null, found);
    const socket = connect({ host: 'api.example', port: await freePort(), lookup });
    const [error] = (await once(socket, 'error')) as [unknown];
    expect(neverArrived(error)).toBe(true);
  });

  it('may have arrived when an open connection breaks, or one of several errors is such a one', () => {
    const refused = Object.assign(new Error('refused'), { syscall: 'connect' });
    const broken = Object.assign(new Error('broken'), { syscall: 'read' });
    const errors = [broken, new AggregateError([refused, broken]), new Error('late'), 'text'];
    expect(errors.filter(neverArrived)).toEqual([]);
  });
});

type Behaviour = 'answers' | 'is down' | 'is silent' | 'hangs up';

describe('a request to several addresses', () => {
  let servers: Server[];
  let behaviours: Behaviour[];
  /** The idempotency key, or the body's id, of each request that arrived at each server. */
  let seen: { server: number; key: string; body: string }[];
  /** The first two of them. */
  let list: string;
  let three: string;

  beforeEach(async () => {
    seen = [];
    behaviours = ['answers', 'answers', 'answers'];
    servers = [0, 1, 2].map((server) =>
      createServer((request, response) => {
        let body = '';
        request.on('data', (chunk: Buffer) => (body += chunk.toString()));
        request.on('end', () => {
          seen.push({ server, key: String(request.headers['idempotency-key']), body });
          if (behaviours[server] === 'hangs up') request.socket.destroy();
          else if (behaviours[server] === 'is down') response.writeHead(503).end('{}');
          else if (behaviours[server] === 'answers') response.writeHead(200).end('[]');
        });
      }).listen(0, '127.0.0.1'),
    );
    await Promise.all(servers.map((server) => once(server, 'listening')));
    three = servers.map((server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}`).join(',');
    list = three.split(',').slice(0, 2).join(',');
  });
  afterEach(() => {
    for (const server of servers) {
      server.closeAllConnections();
      server.close();
    }
  });

  const client = () =>
    createClient({
      url: list,
      token: 't',
      firstRetryMs: PATIENCE_MS,
      maxRetryMs: PATIENCE_MS,
      timeoutMs: behaviours.includes('is silent') ? 2_000 : PATIENCE_MS,
    });
  const asked = () => seen.map(({ server }) => server);

  it.each<Behaviour>(['is down', 'is silent', 'hangs up'])(
    'of policyd goes on to the next, with the same body, when the first %s',
    async (how) => {
      behaviours = [how, 'answers'];
      const post = createPostJson({ url: list, token: 't', timeoutMs: PATIENCE_MS });
      const items = [{ domain: 'a.example', id: 'one' }];
      expect(await post('/outbound/increments', { items })).toEqual([]);
      expect(asked()).toEqual([0, 1]);
      expect(new Set(seen.map(({ body }) => body)).size).toBe(1);
      behaviours = ['answers', 'answers'];
      await post('/outbound/increments', { items });
      expect(asked()).toEqual([0, 1, 1]);
    },
  );

  it.each<Behaviour>(['is down', 'is silent', 'hangs up'])(
    'of the client goes on to the next at once, with the same key, when the first %s',
    async (how) => {
      behaviours = [how, 'answers'];
      await client().POST('/domains/', { body: { name: 'a.example' } });
      expect(asked()).toEqual([0, 1]);
      expect(new Set(seen.map(({ key }) => key)).size).toBe(1);
    },
  );

  it.each<Behaviour>(['is down', 'is silent', 'hangs up'])(
    'without a key is not repeated after it may have arrived (the first %s)',
    async (how) => {
      behaviours = [how, 'answers'];
      await expect(client().POST('/outbound/reset-daily', {})).rejects.toThrow(/503|No answer|hang up/);
      expect(asked()).toEqual([0]);
    },
  );

  it('ends when its signal aborts, and neither asks the next one nor passes the first over', async () => {
    behaviours = ['is silent', 'answers'];
    const mailstead = client();
    const leaving = new AbortController();
    const arrivals = servers.map((server) => once(server, 'request'));
    const call = mailstead.GET('/me', { signal: leaving.signal }).catch(({ name }: Error) => name);
    await arrivals[0];
    leaving.abort();
    expect(await call).toBe('AbortError');
    seen = [];
    behaviours = ['answers', 'answers'];
    await mailstead.GET('/me');
    expect(asked()).toEqual([0]);
  });

  it('of policyd goes on to the third, and finds the one that is back while all rest', async () => {
    behaviours = ['is down', 'hangs up', 'answers'];
    const post = createPostJson({ url: three, token: 't', timeoutMs: PATIENCE_MS });
    await post('/outbound/looks', { items: [] });
    expect(asked()).toEqual([0, 1, 2]);
    behaviours = ['is down', 'is down', 'is down'];
    await expect(post('/outbound/looks', { items: [] })).rejects.toMatchObject({ status: 503 });
    behaviours = ['answers', 'is down', 'is down'];
    seen = [];
    expect(await post('/outbound/looks', { items: [] })).toEqual([]);
    expect(asked()).toEqual([2, 0]);
  });

  it('without a key goes on to the next when the first refuses the connection', async () => {
    servers[0]?.close();
    await client().POST('/outbound/reset-daily', {});
    expect(asked()).toEqual([1]);
  });

  it('for a long response goes on to the next when the first is down or refuses', async () => {
    behaviours = ['is down', 'answers'];
    const read = async () => {
      const lines: string[] = [];
      for await (const line of textLines({ url: list, token: 't', accept: 'text/csv' }, '/usage')) lines.push(line);
      return lines;
    };
    expect(await read()).toEqual(['[]']);
    servers[0]?.closeAllConnections();
    servers[0]?.close();
    expect(await read()).toEqual(['[]']);
  });

  it('fails with the last answer when all are down', async () => {
    behaviours = ['is down', 'is down'];
    const post = createPostJson({ url: list, token: 't', timeoutMs: PATIENCE_MS });
    await expect(post('/outbound/looks', { items: [] })).rejects.toMatchObject({ status: 503 });
    expect(asked()).toEqual([0, 1]);
  });
});
