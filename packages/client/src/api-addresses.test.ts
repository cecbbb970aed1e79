import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PATIENCE_MS } from '../../../scripts/test-timeout.mjs';
import { ApiAddresses } from './api-addresses.js';
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

type Behaviour = 'answers' | 'is down' | 'is silent' | 'hangs up';

describe('a request to several addresses', () => {
  let servers: Server[];
  let behaviours: Behaviour[];
  /** The idempotency key, or the body's id, of each request that arrived at each server. */
  let seen: { server: number; key: string; body: string }[];
  let list: string;

  beforeEach(async () => {
    seen = [];
    behaviours = ['answers', 'answers'];
    servers = [0, 1].map((server) =>
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
    list = servers.map((server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}`).join(',');
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
