import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { frameOf, MAX_REQUEST_BYTES } from '@mailstead/core/frames/frame';
import { ShutdownCheck } from '@mailstead/core/health-check';
import { sampleSize } from '@mailstead/core/testing/sampled';
import { until } from '@mailstead/core/testing/until';
import { UnitOfWork } from '@mailstead/core/unit-of-work';
import { POLICY, startTestApi, type TestApi } from '../testing/api-fixture.js';
import { FRAME_LIMITS, type FrameServerLimits } from './frame-server.js';
import { FrameClient } from './testing/frame-client.js';

const LOOKS = '/outbound/looks';
const ITEMS = { items: [{ domain: 'absent.example' }] };

describe('a connection with what is no frame of the policy daemon', () => {
  let api: TestApi;

  beforeAll(async () => {
    api = await startTestApi('sqlite');
    await api.frames.listen({ host: '127.0.0.1', port: 0 });
  });
  afterAll(async () => {
    await api.frames.close(0);
    await api.close();
  });

  it.each([
    ['a first frame that is no JSON', frameOf('{"token":'), 'malformed_json'],
    ['a first frame without a token', frameOf('{}'), 'malformed_request'],
    ['a first frame with more', frameOf(JSON.stringify({ token: POLICY, id: 1 })), 'malformed_request'],
    ['a first frame that is too long', frameOf(JSON.stringify({ token: 'x'.repeat(2_000) })), 'body_too_large'],
    ['an empty frame', Buffer.alloc(4), 'body_too_large'],
    ['HTTP', Buffer.from('POST /outbound/looks HTTP/1.1\r\nHost: a\r\n\r\n'), 'body_too_large'],
    ['bytes that are not UTF-8', Buffer.from([0, 0, 0, 2, 0xc3, 0x28]), 'malformed_request'],
  ])('is closed with one error for %s', async (_, bytes, code) => {
    const client = await FrameClient.connect(api.frames.address);
    client.socket.write(bytes);
    expect(await client.endCode()).toBe(code);
    expect(client.heard).toHaveLength(1);
  });

  it.each([
    ['no JSON', frameOf('{"id":1,'), 'malformed_json'],
    ['a list', frameOf('[]'), 'malformed_request'],
    [
      'an unknown field',
      frameOf(JSON.stringify({ id: 1, path: LOOKS, body: ITEMS, dry_run: true })),
      'malformed_request',
    ],
    ['no id', frameOf(JSON.stringify({ path: LOOKS, body: ITEMS })), 'malformed_request'],
    ['an id that is no whole number', frameOf(JSON.stringify({ id: 1.5, path: LOOKS })), 'malformed_request'],
    ['no path', frameOf(JSON.stringify({ id: 1, body: ITEMS })), 'malformed_request'],
    ['a length above the maximum', frameOf('x'.repeat(MAX_REQUEST_BYTES + 1)).subarray(0, 100), 'body_too_large'],
  ])('is closed with one error for a request with %s', async (_, bytes, code) => {
    const client = await FrameClient.greeted(api.frames.address, POLICY);
    client.socket.write(bytes);
    expect(await client.endCode()).toBe(code);
    expect(client.heard).toHaveLength(2);
    const next = await FrameClient.greeted(api.frames.address, POLICY);
    expect(await next.ask(LOOKS, ITEMS)).toMatchObject({ status: 200 });
    next.close();
  });
});

describe('the address for frames', () => {
  let api: TestApi;
  const clients: FrameClient[] = [];

  const start = async (limits: Partial<FrameServerLimits> = {}) => {
    api = await startTestApi('sqlite', {}, { frameLimits: { ...FRAME_LIMITS, ...limits } });
    await api.frames.listen({ host: '127.0.0.1', port: 0 });
  };
  const connect = async () => {
    const client = await FrameClient.connect(api.frames.address);
    clients.push(client);
    return client;
  };
  const greeted = async () => {
    const client = await FrameClient.greeted(api.frames.address, POLICY);
    clients.push(client);
    return client;
  };
  afterEach(async () => {
    for (const client of clients.splice(0)) client.close();
    await api.frames.close(0);
    await api.close();
  });

  it('closes a connection that sends no token, and one whose frame does not end, however slowly it comes', async () => {
    await start({ greetingMs: 60, halfSentMs: 60 });
    const silent = await connect();
    const slow = await greeted();
    const bytes = frameOf(JSON.stringify({ id: 1, path: LOOKS, body: ITEMS }));
    let sent = 0;
    const drip = setInterval(() => {
      slow.socket.write(bytes.subarray(sent, sent + 1));
      sent += 1;
    }, 20);
    expect(await slow.endCode()).toBe('request_timeout');
    clearInterval(drip);
    expect(await silent.endCode()).toBe('request_timeout');
    expect(sent).toBeLessThan(bytes.length);
  });

  it('answers a long idle connection, and frames that come byte by byte and several at once', async () => {
    await start({ halfSentMs: 10_000 });
    const client = await greeted();
    const frame = (id: number) => frameOf(JSON.stringify({ id, path: LOOKS, body: ITEMS }));
    for (const byte of frame(101)) client.socket.write(Buffer.from([byte]));
    await client.next(({ id }) => id === 101);
    client.socket.write(Buffer.concat([102, 103, 104, 105].map(frame)));
    for (const id of [102, 103, 104, 105]) {
      expect(await client.next((answer) => answer.id === id)).toMatchObject({ status: 200 });
    }
  });

  it('runs at most the permitted requests of a connection at once, and answers all', async () => {
    await start({ inFlight: 3 });
    const unitOfWork = api.container.get(UnitOfWork);
    const run = unitOfWork.run.bind(unitOfWork);
    let [running, most] = [0, 0];
    unitOfWork.run = async (work) => {
      running += 1;
      most = Math.max(most, running);
      await new Promise((resolve) => setTimeout(resolve, 5));
      return run(work).finally(() => {
        running -= 1;
      });
    };
    const client = await greeted();
    const { lines } = api.log;
    const before = lines.length;
    await Promise.all(Array.from({ length: 30 }, () => client.ask('/outbound/increments', ITEMS)));
    expect(lines.length - before).toBe(30);
    expect(most).toBeLessThanOrEqual(3);
  });

  it('reads no more of a caller that does not read its answers, and ends it', async () => {
    await start({ unreadMs: 100, inFlight: 2 });
    // The kernel keeps some hundred kilobytes of a unix socket, and megabytes of a connection by TCP.
    await api.frames.close(0);
    const folder = await mkdtemp(join(tmpdir(), 'frames-'));
    const path = join(folder, 'api.sock');
    await api.frames.listen({ path });
    const client = await FrameClient.greeted(path, POLICY);
    clients.push(client);
    client.socket.pause();
    const items = Array.from({ length: 1_000 }, () => ({ domain: 'absent.example' }));
    const bytes = frameOf(JSON.stringify({ id: 1, path: LOOKS, body: { items } }));
    const count = api.log.lines.length;
    let isOver = false;
    client.socket.on('close', () => {
      isOver = true;
    });
    for (let index = 0; index < 200; index += 1) client.socket.write(bytes);
    await until('the API to end the connection', () => api.frames.connections === 0);
    expect(api.log.lines.length - count).toBeLessThan(200);
    client.socket.resume();
    await until('the end to be noticed', () => isOver);
    await api.frames.close(0);
    await rm(folder, { recursive: true });
  });

  it('ends the oldest connection without a token when there are too many, and serves the ones with a token', async () => {
    await start({ unknown: 3, connections: 2 });
    const known = [await greeted(), await greeted()];
    const unknown: FrameClient[] = [];
    for (let index = 0; index < 5; index += 1) unknown.push(await connect());
    expect(await unknown[0]?.endCode()).toBe('busy');
    expect(await unknown[1]?.endCode()).toBe('busy');
    expect(unknown.slice(2).map(({ isClosed }) => isClosed)).toEqual([false, false, false]);
    for (const client of known) expect(await client.ask(LOOKS, ITEMS)).toMatchObject({ status: 200 });
    unknown[4]?.send({ token: POLICY });
    expect(await unknown[4]?.endCode()).toBe('busy');
    known[0]?.close();
    await until('the connection to be gone', () => api.frames.connections === 1);
    expect(await (await greeted()).ask(LOOKS, ITEMS)).toMatchObject({ status: 200 });
  });

  it('ends many connections that say nothing, and serves the others meanwhile', async () => {
    const many = sampleSize(2_000, 200);
    await start({ all: many / 2 });
    const known = await greeted();
    await Promise.allSettled(Array.from({ length: many }, connect));
    expect(await known.ask(LOOKS, ITEMS)).toMatchObject({ status: 200 });
    // Some were never accepted, which only the kernel knows.
    await until('most of them to be ended', () => clients.filter(({ isClosed }) => isClosed).length > many / 2);
    expect(await (await greeted()).ask(LOOKS, ITEMS)).toMatchObject({ status: 200 });
  });

  it('refuses too many wrong tokens, and still serves a right one that it knows', async () => {
    api = await startTestApi('sqlite', { AUTH_FAILURES_PER_MINUTE: '5' });
    await api.frames.listen({ host: '127.0.0.1', port: 0 });
    await greeted();
    const codes: unknown[] = [];
    for (let index = 0; index < 7; index += 1) {
      const client = await connect();
      client.send({ token: `wrong-token-${index}-0123456789` });
      codes.push(await client.endCode());
    }
    expect(codes.slice(4)).toEqual(['invalid_token', 'too_many_wrong_tokens', 'too_many_wrong_tokens']);
    expect(await (await greeted()).ask(LOOKS, ITEMS)).toMatchObject({ status: 200 });
  });

  it('tells its callers when the process begins to stop, serves what still comes, and answers what runs at its end', async () => {
    await start();
    const client = await greeted();
    const unknown = await connect();
    api.container.get(ShutdownCheck).begin();
    await client.next(({ closing }) => closing === true);
    expect(await client.ask(LOOKS, ITEMS)).toMatchObject({ status: 200 });
    unknown.send({ token: POLICY });
    expect(await unknown.endCode()).toBe('shutting_down');
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const unitOfWork = api.container.get(UnitOfWork);
    const run = unitOfWork.run.bind(unitOfWork);
    let isRunning = false;
    unitOfWork.run = async (work) => {
      isRunning = true;
      await held;
      return run(work);
    };
    const answer = client.ask('/outbound/increments', ITEMS);
    await until('the request to run', () => isRunning);
    const closed = api.frames.close(5_000);
    release();
    expect(await answer).toMatchObject({ status: 200 });
    await closed;
    await until('the connection to end', () => client.isClosed);
  });

  it('can be a unix socket, which is free again after a process that was killed', async () => {
    await start();
    await api.frames.close(0);
    const folder = await mkdtemp(join(tmpdir(), 'frames-'));
    const path = join(folder, 'api.sock');
    await api.frames.listen({ path });
    const client = await FrameClient.greeted(path, POLICY);
    expect(await client.ask(LOOKS, ITEMS)).toMatchObject({ status: 200 });
    client.close();
    await api.frames.close(0);
    expect(await readdir(folder)).toEqual([]);
    await rm(folder, { recursive: true });
  });
});
