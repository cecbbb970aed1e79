import { ApiProblem } from '@mailstead/client/api-problem';
import { createPostJson, type SendJson } from '@mailstead/client/post-json';
import { until } from '@mailstead/core/testing/until';
import { PATIENCE_MS } from '../../../../scripts/test-timeout.mjs';
import { addressesByUrl, FramedSender } from './framed-sender.js';
import { FramedApi } from './testing/framed-api.js';

const BASE = 'http://api.example:8080';
const LOOKS = '/outbound/looks';
const TRACEPARENT = `00-${'ab'.repeat(16)}-${'cd'.repeat(8)}-00`;
const BODY = '{"items":[]}';

describe('previews and counts by frames', () => {
  let api: FramedApi;
  let sender: FramedSender;
  let send: SendJson;
  let byHttp: { base: string; path: string; withinMs: number }[];
  let changes: (string | null)[];
  let now: number;

  beforeEach(async () => {
    api = await FramedApi.start();
    [byHttp, changes, now] = [[], [], 0];
    sender = new FramedSender(new Map([[BASE, api.address]]), {
      token: 'the-token',
      traceparent: () => TRACEPARENT,
      onChange: (_, problem) => changes.push(problem),
      now: () => now,
    });
    send = sender.over(async (base, path, _, withinMs) => {
      byHttp.push({ base, path, withinMs });
      return { status: 200, read: () => 'by HTTP' };
    });
  });
  afterEach(() => api.stop());

  const look = async (withinMs = PATIENCE_MS) => (await send(BASE, LOOKS, BODY, withinMs)).read();

  it('go to the address of their API, with the token first, the body as it is, and the trace', async () => {
    api.onRequest = ({ id }, answer) => answer({ id, status: 200, body: [{ name: 'exämple' }] });
    expect(await look()).toEqual([{ name: 'exämple' }]);
    await (await send(BASE, '/outbound/increments', BODY, PATIENCE_MS)).read();
    expect(api.tokens).toEqual(['the-token']);
    expect(api.requests).toEqual([
      { id: 1, path: LOOKS, traceparent: TRACEPARENT, body: { items: [] } },
      { id: 2, path: '/outbound/increments', traceparent: TRACEPARENT, body: { items: [] } },
    ]);
    expect([byHttp, changes, sender.connections]).toEqual([[], [], 1]);
  });

  it('all else, and what is for another API, goes by HTTP', async () => {
    await send(BASE, '/transfer/increments', BODY, 700);
    await send('http://other.example', LOOKS, BODY, 800);
    expect(byHttp).toEqual([
      { base: BASE, path: '/transfer/increments', withinMs: 700 },
      { base: 'http://other.example', path: LOOKS, withinMs: 800 },
    ]);
    expect(api.tokens).toEqual([]);
  });

  it('get their own answers, in whatever order they come', async () => {
    const held: (() => void)[] = [];
    api.onRequest = ({ id }, answer) => held.push(() => answer({ id, status: 200, body: id }));
    const asked = [look(), look(), look()];
    await until('all to arrive', () => held.length === 3);
    for (const answer of held.toReversed()) answer();
    expect(await Promise.all(asked)).toEqual([1, 2, 3]);
    expect(api.sockets).toHaveLength(1);
  });

  it('throw the problem of an answer, and leave its status to the choice of the next API', async () => {
    const problem = {
      code: 'validation_failed',
      detail: 'no',
      errors: [{ field: 'items', message: 'bad' }],
      request_id: 'r',
    };
    api.onRequest = ({ id }, answer) => answer({ id, status: 422, problem });
    const response = await send(BASE, LOOKS, BODY, PATIENCE_MS);
    expect(response.status).toBe(422);
    expect(() => response.read()).toThrow(ApiProblem);
    const { request_id: requestId, ...same } = problem;
    const error = await look().catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ status: 422, requestId, ...same });
    expect(byHttp).toEqual([]);
  });

  it.each([
    ['does not listen', async () => api.stop()],
    [
      'refuses the token',
      async () => Object.assign(api, { greeting: { id: null, status: 401, problem: { code: 'x' } } }),
    ],
    ['is stopping', async () => Object.assign(api, { greeting: { id: null, status: 503, problem: {} } })],
    ['speaks something else', async () => Object.assign(api, { greeting: ['not', 'ours'] })],
  ])('go by HTTP while the address %s, for 5 s without another try', async (_, breakIt) => {
    await breakIt();
    expect(await look()).toBe('by HTTP');
    expect(await look()).toBe('by HTTP');
    expect(changes).toHaveLength(1);
    const tries = api.tokens.length;
    now = 4_999;
    expect(await look()).toBe('by HTTP');
    expect(api.tokens).toHaveLength(tries);
    expect(api.requests).toEqual([]);
    if (_ === 'does not listen') api = await FramedApi.start();
    else {
      now = 5_001;
      api.greeting = { id: null, status: 200 };
      expect(await look()).toEqual([]);
      expect(changes).toEqual([expect.any(String), null]);
    }
  });

  it('wait at most a second for the answer to the token, then go by HTTP with the time that is left', async () => {
    api.greeting = null;
    expect(await look()).toBe('by HTTP');
    // A timer may end a little early.
    expect(byHttp[0]?.withinMs).toBeLessThanOrEqual(PATIENCE_MS - 990);
  });

  it('are never sent again by HTTP when the API may have got them: no answer in time, or a broken connection', async () => {
    await look();
    api.onRequest = () => undefined;
    await expect(look(30)).rejects.toThrow('No answer within');
    now = 10_000;
    api.onRequest = (_, __, socket) => socket.destroy();
    await expect(look()).rejects.toThrow('The API closed the connection');
    expect(byHttp).toEqual([]);
    expect(api.requests).toHaveLength(3);
    now = 10_001;
    expect(await look()).toBe('by HTTP');
  });

  it('that are late do not end a connection on which others are answered, and their answer is dropped', async () => {
    await look();
    const late: (() => void)[] = [];
    api.onRequest = ({ id }, answer) => {
      if (id === 2) late.push(() => answer({ id, status: 200, body: 'late' }));
      else answer({ id, status: 200, body: 'in time' });
    };
    const first = look(300).catch(String);
    await until('the first to arrive', () => late.length === 1);
    expect(await look()).toBe('in time');
    expect(await first).toMatch(/No answer within \d+ ms/);
    late[0]?.();
    now = 6_000;
    expect(await look()).toBe('in time');
    expect(api.sockets).toHaveLength(1);
  });

  it('finish on a connection that the API will close, and the next ones use another one', async () => {
    const held: (() => void)[] = [];
    api.onRequest = ({ id }, answer) => held.push(() => answer({ id, status: 200, body: id }));
    const running = look();
    await until('it to arrive', () => held.length === 1);
    api.tell({ id: null, closing: true });
    await until('the link to leave', () => sender.connections === 0);
    const next = look();
    await until('the next to arrive', () => held.length === 2);
    expect(api.sockets).toHaveLength(2);
    for (const answer of held) answer();
    expect(await Promise.all([running, next])).toEqual([1, 1]);
    await until('the first connection to end', () => api.sockets[0]?.destroyed ?? false);
  });

  it('end a connection whose frames are too long or no JSON', async () => {
    api.onRequest = (_, __, socket) => socket.write(Buffer.from([0xff, 0xff, 0xff, 0xff]));
    await expect(look()).rejects.toThrow('A frame has 1 to');
    now = 10_000;
    api.onRequest = (_, __, socket) => socket.write(Buffer.from([0, 0, 0, 1, 0x7b]));
    await expect(look()).rejects.toThrow(SyntaxError);
  });

  it('go to the next API after one second when the first is frozen, with the same body, as by HTTP', async () => {
    const other = await FramedApi.start();
    const list = `${BASE}/, http://other.example:8080`;
    const two = new FramedSender(addressesByUrl(list, [api.address, other.address]), {
      token: 'the-token',
      traceparent: () => TRACEPARENT,
      onChange: () => undefined,
    });
    api.onRequest = () => undefined;
    other.onRequest = ({ id }, answer) => answer({ id, status: 200, body: ['other'] });
    const post = createPostJson({
      url: list,
      token: 'the-token',
      timeoutMs: PATIENCE_MS,
      sendBy: (http) => two.over(http),
    });
    const item = { domain: 'a.example', id: 'mx:1' };
    const begun = performance.now();
    expect(await post('/outbound/increments', { items: [item] })).toEqual(['other']);
    expect(performance.now() - begun).toBeGreaterThanOrEqual(990);
    expect([api.requests, other.requests].map(([first]) => first?.body)).toEqual([
      { items: [item] },
      { items: [item] },
    ]);
    await post('/outbound/increments', { items: [item] });
    expect([api.requests.length, other.requests.length]).toEqual([1, 2]);
    await other.stop();
  });

  it('of an API after the last address, or with off, go by HTTP', () => {
    const address = { path: '/run/a' };
    expect(addressesByUrl('http://a, http://b/,http://c', [null, address])).toEqual(new Map([['http://b', address]]));
  });
});
