import type { ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { RequestOrigins } from '@mailstead/adapters/network/request-origins';
import { until } from '@mailstead/core/testing/until';
import supertest from 'supertest';
import { startTestApi, type TestApi } from '../testing/api-fixture.js';
import { type AnyRequest, Exchange } from './exchange.js';
import type { Route } from './route.js';
import { StrangerTurns } from './stranger-turns.js';

const HELD = '/health/ready';
const FROM = '203.0.113.7';
const MOST = 8;

/** Holds the requests of one route. */
class Held {
  running = 0;
  mostAtOnce = 0;
  private letGo: () => void = () => undefined;
  private gate: Promise<void> = Promise.resolve();

  constructor(route: Route) {
    const run = route.run.bind(route);
    route.run = async (request) => {
      this.running += 1;
      this.mostAtOnce = Math.max(this.mostAtOnce, this.running);
      await this.gate;
      this.running -= 1;
      return run(request);
    };
  }

  begin(): void {
    this.mostAtOnce = 0;
    this.gate = new Promise((resolve) => {
      this.letGo = resolve;
    });
  }

  end(): void {
    this.letGo();
  }
}

async function startHeld(environment: Record<string, string>): Promise<{ api: TestApi; held: Held }> {
  const api = await startTestApi('sqlite', environment);
  const route = api.routes.find(({ path }) => path === HELD);
  if (route === undefined) throw new Error(`No route ${HELD}`);
  return { api, held: new Held(route) };
}

describe('requests without a key', () => {
  let api: TestApi;
  let held: Held;
  let arrived = 0;

  beforeAll(async () => {
    ({ api, held } = await startHeld({ TRUST_PROXY: '127.0.0.1' }));
    api.server.on('request', () => {
      arrived += 1;
    });
  });
  beforeEach(() => {
    arrived = 0;
    held.begin();
  });
  afterEach(async () => {
    held.end();
    await until('the end of all requests', () => held.running === 0);
  });
  afterAll(() => api.close());

  const ask = (path: string, from: string) => supertest(api.url).get(path).set('X-Forwarded-For', from);
  const statusOf = async (path: string, from: string) => (await ask(path, from)).status;
  const asks = (count: number, from: (index: number) => string) =>
    Promise.all(Array.from({ length: count }, (_, index) => statusOf(HELD, from(index))));

  function socketFrom(from: string): Socket {
    const socket = connect(Number(new URL(api.url).port), '127.0.0.1');
    socket.on('error', () => undefined);
    socket.write(`GET ${HELD} HTTP/1.1\r\nHost: a\r\nX-Forwarded-For: ${from}\r\n\r\n`);
    return socket;
  }

  it('run eight at a time for each address, and every one of them is answered', async () => {
    const statuses = asks(40, () => FROM);
    await until('all requests', () => arrived === 40);
    expect(held.running).toBe(MOST);
    held.end();
    expect(await statuses).toEqual(Array.from({ length: 40 }, () => 200));
    expect(held.mostAtOnce).toBe(MOST);
  });

  it('count together for one IPv6 /64 network', async () => {
    const statuses = asks(20, (index) => `2001:db8:0:1::${index + 1}`);
    await until('all requests', () => arrived === 20);
    expect(held.running).toBe(MOST);
    held.end();
    expect(new Set(await statuses)).toEqual(new Set([200]));
  });

  it('hold up no other address, nobody with a key, no relay event and no probe', async () => {
    const statuses = asks(20, () => FROM);
    await until('all requests', () => arrived === 20);
    const other = statusOf(HELD, '203.0.113.8');
    await until('the request of the other address', () => held.running === MOST + 1);
    const key = await api.key('acme', { domains_allowed: 0 });
    await ask('/me', FROM).set('Authorization', `Bearer ${key}`).expect(200);
    await ask('/health', FROM).expect(200);
    await supertest(api.url).post('/webhooks/relay').set('X-Forwarded-For', FROM).type('text').send('{}').expect(403);
    held.end();
    expect([await other, ...(await statuses)].every((status) => status === 200)).toBe(true);
  });

  it('do not begin when their caller has gone while they waited', async () => {
    const first = asks(MOST, () => FROM);
    await until('the first requests', () => held.running === MOST);
    const closed: unknown[] = [];
    api.server.on('request', (_request, response: ServerResponse) => response.once('close', () => closed.push(1)));
    const sockets = Array.from({ length: 5 }, () => socketFrom(FROM));
    await until('those that wait', () => arrived === MOST + sockets.length);
    for (const socket of sockets) socket.destroy();
    await until('their end', () => closed.length === sockets.length);
    api.log.lines.length = 0;
    held.end();
    await first;
    await ask(HELD, FROM).expect(200);
    const ready = api.log.lines.filter(({ path }) => path === HELD);
    expect(ready.filter(({ errorCode }) => errorCode === null)).toHaveLength(MOST + 1);
    expect(held.mostAtOnce).toBe(MOST);
  });

  it('caused no defect', () => {
    expect(api.log.defects).toEqual([]);
  });
});

describe('requests without a key from this machine while TRUST_PROXY is not set', () => {
  it('are not bounded, because they may be those of everybody', async () => {
    const { api, held } = await startHeld({});
    held.begin();
    const statuses = Array.from({ length: 20 }, () => supertest(api.url).get(HELD).expect(200));
    const all = Promise.all(statuses);
    await until('all requests', () => held.running === 20);
    held.end();
    await all;
    await api.close();
  });
});

describe('the turns of strangers', () => {
  const ROUTE = { access: 'public', path: HELD } as const;

  function exchangeFrom(remoteAddress: string): Exchange {
    const request = { headers: {}, socket: { remoteAddress } } as unknown as AnyRequest;
    return new Exchange(request, { closed: false, once: () => undefined } as unknown as ServerResponse, HELD);
  }

  it('refuse with 503 when too many wait, first those of the address with the most', async () => {
    const turns = new StrangerTurns(new RequestOrigins([]), { runningPerPartner: 1, waitingPerPartner: 3, waiting: 4 });
    let letGo: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    const run = (from: string) =>
      turns
        .run(ROUTE, exchangeFrom(from), () => gate)
        .then(
          () => 'ran',
          ({ code }) => String(code),
        );
    const flood = Array.from({ length: 5 }, () => run('192.0.2.1'));
    const others = Array.from({ length: 3 }, () => run('192.0.2.2'));
    letGo();
    expect(await Promise.all(flood)).toEqual(['ran', 'ran', 'ran', 'busy', 'busy']);
    expect(await Promise.all(others)).toEqual(['ran', 'ran', 'ran']);
  });
});
