import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { until } from '@mailstead/core/testing/until';
import { UnitOfWork } from '@mailstead/core/unit-of-work';
import { MASTER, startTestApi, type TestApi } from '../testing/api-fixture.js';

const HOST = 'Host: a\r\n';
const TOKEN = `Authorization: Bearer ${MASTER}\r\n`;
const CLOSE = 'Connection: close\r\n';

const ask = (path: string, more = '') => `GET ${path} HTTP/1.1\r\n${HOST}${TOKEN}${more}\r\n`;

function create(name: string, more = ''): string {
  const body = JSON.stringify({ name });
  return `${createHead(body.length, more)}${body}`;
}

function createHead(length: number, more = ''): string {
  return `POST /domains/ HTTP/1.1\r\n${HOST}${TOKEN}${more}Content-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`;
}

/** Waits for the end of the connection, which may be a reset. */
const closed = (socket: Socket) => new Promise<void>((resolve) => socket.once('close', () => resolve()));

describe('the requests of one connection', () => {
  let api: TestApi;
  /** How many changes run, and how many ran at once. */
  let running = 0;
  let mostAtOnce = 0;
  /** The changes that were held are let go by it. */
  let letGo: (() => void) | null = null;
  let gate: Promise<void> = Promise.resolve();

  const hold = () => {
    gate = new Promise((resolve) => {
      letGo = resolve;
    });
  };

  beforeAll(async () => {
    api = await startTestApi('sqlite');
    const unitOfWork = api.container.get(UnitOfWork);
    const run = unitOfWork.run.bind(unitOfWork);
    unitOfWork.run = async (work) => {
      running += 1;
      mostAtOnce = Math.max(mostAtOnce, running);
      try {
        await gate;
        return await run(work);
      } finally {
        running -= 1;
      }
    };
  });
  beforeEach(() => {
    mostAtOnce = 0;
    api.log.lines.length = 0;
  });
  afterEach(async () => {
    letGo?.();
    await until('the end of every change', () => running === 0);
  });
  afterAll(() => api.close());

  /** Connects. `serverSide` is the server's end of the connection. */
  async function open(): Promise<{ socket: Socket; serverSide: Socket; received: () => string }> {
    const connected = once(api.server, 'connection') as Promise<[Socket]>;
    const socket = connect(Number(new URL(api.url).port), '127.0.0.1');
    socket.on('error', () => undefined);
    const parts: Buffer[] = [];
    socket.on('data', (part: Buffer) => parts.push(part));
    const [serverSide] = await connected;
    return { socket, serverSide, received: () => Buffer.concat(parts).toString() };
  }

  /** Sends these bytes. @returns everything that the server sends until it closes the connection */
  async function send(text: string): Promise<string> {
    const { socket, received } = await open();
    socket.write(text);
    await closed(socket);
    return received();
  }

  const statusesIn = (text: string) => [...text.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => Number(status));
  const pathsServed = () => api.log.lines.map(({ path }) => path);

  it('run one after the other, and are answered in their order', async () => {
    const names = Array.from({ length: 20 }, (_, index) => `n${index}.example`);
    const text = await send([...names.map((name) => create(name)), ask('/health', CLOSE)].join(''));
    expect(statusesIn(text)).toEqual([...names.map(() => 201), 200]);
    expect([...text.matchAll(/"name":"(n\d+\.example)"/g)].map(([, name]) => name)).toEqual(names);
    expect(mostAtOnce).toBe(1);
  });

  it('end with it when more than 32 wait, and hold up nobody else', async () => {
    hold();
    const flood = send(create('flood.example') + ask('/health/ready').repeat(1_500));
    expect(await flood).toBe('');
    await api.as(MASTER).get('/me').expect(200);
    expect(pathsServed()).toEqual(['/me']);
    letGo?.();
    await until('the end of the change', () => running === 0);
    await api.as(MASTER).get('/me').expect(200);
    expect(pathsServed()).not.toContain('/health/ready');
  });

  it('are not passed on by Node when they come behind the one that ended it', async () => {
    hold();
    let passedOn = 0;
    const count = () => {
      passedOn += 1;
    };
    for (const event of ['request', 'checkExpectation']) api.server.on(event, count);
    const more = (ask('/health') + ask('/health', 'Expect: tea\r\n')).repeat(300);
    const text = await send(create('ended.example') + ask('/health').repeat(33) + more);
    for (const event of ['request', 'checkExpectation']) api.server.off(event, count);
    expect([text, passedOn]).toEqual(['', 34]);
    letGo?.();
    await until('the end of the change', () => running === 0);
    await api.as(MASTER).get('/me').expect(200);
  });

  it('wait up to 32', async () => {
    const text = await send(create('most.example') + ask('/health').repeat(31) + ask('/health', CLOSE));
    expect(statusesIn(text)).toEqual([201, ...Array.from({ length: 32 }, () => 200)]);
  });

  it('are not read while one waits, and are all read afterwards', async () => {
    hold();
    const { socket, serverSide, received } = await open();
    socket.write(create('held.example') + ask('/health'));
    await until('the pause', () => serverSide.isPaused());
    const large = `X-Large: ${'x'.repeat(15_000)}\r\n`;
    for (let sent = 0; sent < 19; sent += 1) socket.write(ask('/health', large));
    socket.write(ask('/health', CLOSE));
    expect(statusesIn(received())).toEqual([]);
    letGo?.();
    await closed(socket);
    expect(statusesIn(received())).toEqual([201, ...Array.from({ length: 21 }, () => 200)]);
  });

  it.each(['destroy', 'resetAndDestroy'] as const)(
    'do not begin when the client has gone meanwhile (%s)',
    async (go) => {
      hold();
      const { socket, serverSide } = await open();
      socket.write(create(`${go.toLowerCase()}.example`) + ask('/health').repeat(5));
      await until('the change to run', () => running === 1);
      await until('the pause', () => serverSide.isPaused());
      socket[go]();
      await until('the end of the connection', () => serverSide.destroyed);
      letGo?.();
      await until('the end of the change', () => pathsServed().length > 0);
      await api.as(MASTER).get('/health/ready').expect(200);
      expect(pathsServed()).toEqual(['/domains/', '/health/ready']);
    },
  );

  it('are not served after one that closes the connection', async () => {
    const text = await send(create('last.example', CLOSE) + create('after.example'));
    expect(statusesIn(text)).toEqual([201]);
    await api.as(MASTER).get('/domains/after.example').expect(404);
  });

  it('may wait with a body that has not arrived, also when the client asks first whether to send it', async () => {
    const body = JSON.stringify({ name: 'continued.example' });
    hold();
    const { socket, serverSide, received } = await open();
    socket.write(create('before.example') + createHead(body.length, `Expect: 100-continue\r\n${CLOSE}`));
    await until('the pause', () => serverSide.isPaused());
    letGo?.();
    await until('the second head', () => received().includes('100 Continue'));
    socket.write(body);
    await closed(socket);
    expect(statusesIn(received())).toEqual([201, 100, 201]);
  });

  it('take their turn when they are refused: an expectation', async () => {
    const text = await send(create('tea.example') + ask('/health', `Expect: tea\r\n${CLOSE}`));
    expect(statusesIn(text)).toEqual([201, 417]);
  });

  it('get no answer that belongs to a CONNECT', async () => {
    hold();
    const text = await send(`${create('connect.example')}CONNECT example.org:443 HTTP/1.1\r\n${HOST}\r\n`);
    expect(text).toBe('');
  });

  it('caused no defect', () => {
    expect(api.log.defects).toEqual([]);
  });
});
