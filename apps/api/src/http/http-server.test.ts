import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { MASTER, startTestApi, type TestApi } from '../testing/api-fixture.js';
import { HTTP_TIMEOUTS } from './http-server.js';

/** Much longer than the pauses of a busy machine, and short enough to wait for. */
const SHORT = { headersMs: 1_000, requestMs: 1_500, checkEveryMs: 100, keepAliveMs: 600_000 };

const HOST = 'Host: a\r\n';
const TOKEN = `Authorization: Bearer ${MASTER}\r\n`;
const JSON_TYPE = 'Content-Type: application/json\r\n';

interface Answer {
  status: number;
  headers: Map<string, string>;
  text: string;
}

function socketOf(api: TestApi): Socket {
  const socket = connect(Number(new URL(api.url).port), '127.0.0.1');
  socket.on('error', () => undefined);
  return socket;
}

/** Sends these bytes. @returns everything that the server sends until it closes the connection. */
async function send(api: TestApi, text: string): Promise<string> {
  const socket = socketOf(api);
  const parts: Buffer[] = [];
  socket.on('data', (part: Buffer) => parts.push(part));
  socket.write(text, 'latin1');
  await once(socket, 'close');
  return Buffer.concat(parts).toString();
}

function parse(text: string): Answer {
  const [head = '', ...rest] = text.split('\r\n\r\n');
  const [first = '', ...lines] = head.split('\r\n');
  const headers = new Map(
    lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 2)]),
  );
  return { status: Number(first.split(' ')[1]), headers, text: rest.join('\r\n\r\n') };
}

/** Checks that the text is exactly one response with problem details and with the headers of all responses. */
function expectProblem(text: string, status: number, code: string): void {
  const answer = parse(text);
  expect([answer.status, answer.text]).toEqual([status, expect.stringContaining(`"code":"${code}"`)]);
  const { headers } = answer;
  expect(headers.get('content-type')).toBe('application/problem+json');
  expect(headers.get('x-api-version')).toBe('5.0.0');
  expect(headers.get('cache-control')).toBe('no-store');
  expect(headers.get('x-content-type-options')).toBe('nosniff');
  expect(headers.get('content-security-policy')).toContain("default-src 'none'");
  expect(headers.get('connection')).toBe('close');
  expect(Number(headers.get('content-length'))).toBe(Buffer.byteLength(answer.text));
  expect(headers.has('date')).toBe(true);
  const problem = JSON.parse(answer.text) as Record<string, unknown>;
  expect(problem).toMatchObject({ status, code, request_id: headers.get('x-request-id') });
}

/** As a service starts it. */
let usual: TestApi;

beforeAll(async () => {
  usual = await startTestApi('sqlite');
});
afterAll(() => usual.close());

describe('a response that Node would write itself', () => {
  it.each([
    ['no HTTP at all', 'hello\r\n\r\n', 400, 'malformed_request'],
    ['another version of HTTP', `GET /health HTTP/9.9\r\n${HOST}\r\n`, 400, 'malformed_request'],
    ['HTTP/2 without an upgrade', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400, 'malformed_request'],
    ['an unknown method', `BREW /health HTTP/1.1\r\n${HOST}\r\n`, 400, 'malformed_request'],
    ['a header without a name', `GET /health HTTP/1.1\r\n: x\r\n${HOST}\r\n`, 400, 'malformed_request'],
    ['a zero byte in a header', `GET /health HTTP/1.1\r\nX: a\0b\r\n${HOST}\r\n`, 400, 'malformed_request'],
    [
      'two lengths of the body',
      `POST /domains/ HTTP/1.1\r\n${HOST}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n`,
      400,
      'malformed_request',
    ],
    ['no Host', 'GET /health HTTP/1.1\r\n\r\n', 400, 'malformed_request'],
    ['large headers', `GET /health HTTP/1.1\r\n${HOST}X: ${'x'.repeat(20_000)}\r\n\r\n`, 431, 'headers_too_large'],
    ['a large target', `GET /${'x'.repeat(20_000)} HTTP/1.1\r\n${HOST}\r\n`, 431, 'headers_too_large'],
    [
      'a large chunk extension',
      `POST /webhooks/relay HTTP/1.1\r\n${HOST}${JSON_TYPE}Transfer-Encoding: chunked\r\n\r\n2;${'x'.repeat(20_000)}\r\n{}\r\n`,
      413,
      'body_too_large',
    ],
    [
      'a chunk without a length, on a route with a token',
      `POST /domains/ HTTP/1.1\r\n${HOST}${TOKEN}${JSON_TYPE}Transfer-Encoding: chunked\r\n\r\nxyz\r\n`,
      400,
      'malformed_request',
    ],
    [
      'an expectation',
      `GET /health HTTP/1.1\r\n${HOST}Expect: tea\r\nConnection: close\r\n\r\n`,
      417,
      'expectation_failed',
    ],
    ['a CONNECT', `CONNECT example.org:443 HTTP/1.1\r\n${HOST}\r\n`, 405, 'method_not_allowed'],
  ])('is problem details with all headers, and is logged: %s', async (_, request, status, code) => {
    const before = usual.log.lines.length;
    const text = await send(usual, request);
    expectProblem(text, status, code);
    const lines = usual.log.lines.slice(before);
    expect(lines).toEqual([expect.objectContaining({ status, errorCode: code, path: expect.any(String) })]);
    expect(lines[0]?.requestUid).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('has the request id of the caller, when the parser read it', async () => {
    const id = 'X-Request-Id: my-id\r\n';
    for (const request of [
      `GET /health HTTP/1.1\r\n${id}\r\n`,
      `CONNECT a:1 HTTP/1.1\r\n${HOST}${id}\r\n`,
      `GET /health HTTP/1.1\r\n${HOST}${id}Expect: tea\r\nConnection: close\r\n\r\n`,
    ]) {
      expect(parse(await send(usual, request)).headers.get('x-request-id')).toBe('my-id');
    }
  });

  it('is not written before the response to an earlier request on the connection', async () => {
    const body = '{"name":"earlier.example"}';
    const text = await send(
      usual,
      `POST /domains/ HTTP/1.1\r\n${HOST}${TOKEN}${JSON_TYPE}Content-Length: ${body.length}\r\n\r\n${body}garbage\r\n\r\n`,
    );
    const answer = parse(text);
    expect([answer.status, answer.headers.get('connection')]).toEqual([201, 'close']);
    expect(JSON.parse(answer.text)).toMatchObject({ name: 'earlier.example' });
  });

  it('is not needed without Host in HTTP/1.0, and for an upgrade, which is ignored', async () => {
    expect(parse(await send(usual, 'GET /health HTTP/1.0\r\n\r\n')).status).toBe(200);
    const upgrade = 'Connection: Upgrade, close\r\nUpgrade: websocket\r\n';
    expect(parse(await send(usual, `GET /health HTTP/1.1\r\n${HOST}${upgrade}\r\n`)).status).toBe(200);
    const body = '{"name":"upgrade.example"}';
    const head = `POST /domains/ HTTP/1.1\r\n${HOST}${TOKEN}${JSON_TYPE}Content-Length: ${body.length}\r\n`;
    expect(parse(await send(usual, `${head}Connection: Upgrade, close\r\nUpgrade: h2c\r\n\r\n${body}`)).status).toBe(
      201,
    );
  });

  it('caused no defect', () => {
    expect(usual.log.defects).toEqual([]);
  });
});

const post = (path: string, more = '') =>
  `POST ${path} HTTP/1.1\r\n${HOST}${TOKEN}${JSON_TYPE}${more}Content-Length: 100\r\n\r\n`;

/** What arrives of a request, and no more. */
const PARTS = [
  ['nothing', ''],
  ['a part of its headers', `GET /health HTTP/1.1\r\n${HOST}`],
  ['the headers of a body', post('/domains/')],
  ['a part of a body', `${post('/domains/')}{"name":`],
  ['a part of a body that is too large', `${post('/domains/').replace(': 100', ': 900000')}{`],
  [
    'a part of a compressed body',
    `${post('/domains/', 'Content-Encoding: gzip\r\n')}${gzipSync('{}').toString('latin1').slice(0, 15)}`,
  ],
  [
    'a part of a body of another type',
    post('/domains/').replace('json', 'xml').replace('Content-Length: 100', 'Transfer-Encoding: chunked'),
  ],
  ['the body of a relay event', `POST /webhooks/relay HTTP/1.1\r\n${HOST}${JSON_TYPE}Content-Length: 100\r\n\r\n{`],
] as const;
/** Requests that are answered before their body arrived. */
const ANSWERED = [post('/domains/').replace(TOKEN, ''), post('/health').replace('POST', 'GET')];

describe('the time limit of a request', () => {
  let api: TestApi;
  /** What the server sends until it closes each connection. */
  let texts: Map<string, string>;

  beforeAll(async () => {
    api = await startTestApi('sqlite', {}, { timeouts: SHORT });
    const sent = [...PARTS.map(([, part]) => part), ...ANSWERED.map((request) => `${request}{`)];
    texts = new Map(await Promise.all(sent.map(async (part) => [part, await send(api, part)] as const)));
  });
  afterAll(() => api.close());

  it('is 10 s for its headers and 30 s for its body, exceeded by at most 10 s', () => {
    expect([usual.server.headersTimeout, usual.server.requestTimeout]).toEqual([10_000, 30_000]);
    expect(HTTP_TIMEOUTS.checkEveryMs).toBeLessThanOrEqual(10_000);
    expect(usual.server.timeout).toBe(0);
  });

  it('does not end a connection that waits for its next request: KEEP_ALIVE_SECONDS does', async () => {
    const other = await startTestApi('sqlite', { KEEP_ALIVE_SECONDS: '605' });
    for (const [{ url }, seconds] of [
      [usual, 65],
      [other, 605],
    ] as const) {
      const { headers } = await fetch(`${url}/health`);
      expect(headers.get('keep-alive')).toBe(`timeout=${seconds}`);
    }
    await other.close();
  });

  it.each(PARTS)('ends the connection with problem details when only %s arrived', (_, sent) => {
    const text = texts.get(sent) ?? '';
    const isKnownBefore = /900000|xml/.exec(sent)?.[0];
    if (isKnownBefore === '900000') expectProblem(text, 413, 'body_too_large');
    else if (isKnownBefore === 'xml') expectProblem(text, 415, 'unsupported_media_type');
    else expectProblem(text, 408, 'request_timeout');
    expect(parse(text).headers.get('connection')).toBe('close');
  });

  it.each(ANSWERED)('also ends a connection whose request was answered before its body: %j', (request) => {
    const text = texts.get(`${request}{`) ?? '';
    expect([200, 401]).toContain(parse(text).status);
    expect(text.match(/HTTP\/1\.1/g)).toHaveLength(1);
  });

  it('does not apply to the response of a slow reader, nor to an idle connection', async () => {
    await fill(api);
    const idle = socketOf(api);
    idle.write(`GET /health HTTP/1.1\r\n${HOST}\r\n`);
    await once(idle, 'data');
    const slow = socketOf(api);
    slow.pause().write(`GET /users/ HTTP/1.1\r\n${HOST}${TOKEN}Connection: close\r\n\r\n`);
    await once(api.server, 'request');
    // This connection, which is the youngest, is closed by a time limit that is over for the other two, too.
    await send(api, post('/domains/'));
    const parts: Buffer[] = [];
    slow.on('data', (part: Buffer) => parts.push(part)).resume();
    await once(slow, 'close');
    expect(Buffer.concat(parts).toString().trimEnd().endsWith(']\r\n0')).toBe(true);
    idle.write(`GET /health HTTP/1.1\r\n${HOST}Connection: close\r\n\r\n`);
    const [answer] = (await once(idle, 'data')) as [Buffer];
    expect(parse(answer.toString()).status).toBe(200);
  });

  it('does not hide that a list is incomplete: bytes after a request end its streamed response', async () => {
    const connected = once(api.server, 'connection') as Promise<[Socket]>;
    const socket = socketOf(api);
    const parts: Buffer[] = [];
    socket.on('data', (part: Buffer) => parts.push(part));
    socket.write(`GET /users/ HTTP/1.1\r\n${HOST}${TOKEN}\r\n`);
    await once(socket, 'data');
    socket.pause();
    const [serverSide] = await connected;
    socket.write('garbage\r\n\r\n');
    await once(serverSide, 'close');
    socket.resume();
    await once(socket, 'close');
    const text = Buffer.concat(parts).toString();
    expect(text.match(/HTTP\/1\.1/g)).toHaveLength(1);
    expect(text).not.toMatch(/\]\r\n0\r\n/);
  });

  it('caused no defect', () => {
    expect(api.log.defects).toEqual([]);
  });
});

/** Creates so many mailboxes that their list is larger than the buffers of a connection. */
async function fill(api: TestApi): Promise<void> {
  const { database } = api;
  await api.as(MASTER).post('/domains/', { name: 'many.example' }).expect(201);
  const [domain] = await database.read("SELECT id, partner_id FROM domain WHERE name = 'many.example'");
  await database.write(
    `INSERT INTO mailbox
       (domain_id, partner_id, email, local_part, name, password_hash, quota_mb, outbound_daily_limit, active, home, created_at)
     WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000)
     SELECT ?, ?, 'm' || i || '@many.example', 'm' || i, ?, 'x', 1, 0, 1, 'h' || i, 1 FROM n`,
    [Number(domain?.id), Number(domain?.partner_id), '😀'.repeat(120)],
  );
}
