import { request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { brotliCompressSync, constants, deflateSync, gzipSync } from 'node:zlib';
import { sampleSize } from '@mailstead/core/testing/sampled';
import { until } from '@mailstead/core/testing/until';
import supertest from 'supertest';
import { MASTER, startTestApi, type TestApi } from '../testing/api-fixture.js';
import { DEFAULT_BODY_LIMIT_BYTES } from './read-body.js';
import type { Route } from './route.js';

interface Answer {
  status: number;
  code: string | undefined;
  detail: string | undefined;
  headers: Record<string, unknown>;
}

const COMPRESSIONS: [string, (text: string) => Buffer][] = [
  ['gzip', gzipSync],
  ['x-gzip', gzipSync],
  ['deflate', deflateSync],
  ['br', (text) => brotliCompressSync(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } })],
];

describe('a request body', () => {
  let api: TestApi;
  let key: string;

  beforeAll(async () => {
    api = await startTestApi('sqlite');
    key = await api.key('acme');
  });
  afterAll(() => api.close());

  /** Sends these bytes, with this token unless `anonymous`. */
  const send = (
    method: string,
    path: string,
    bytes: Buffer,
    { type = 'application/json', encoding = '', anonymous = false, token = MASTER } = {},
  ) =>
    new Promise<Answer>((resolve, reject) => {
      const headers = {
        ...(anonymous ? {} : { Authorization: `Bearer ${token}` }),
        ...(encoding === '' ? {} : { 'Content-Encoding': encoding }),
        'Content-Type': type,
        'Content-Length': bytes.length,
      };
      const request = httpRequest(`${api.url}${path}`, { method, headers }, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () => {
          const text = Buffer.concat(chunks).toString();
          const problem = text.startsWith('{') ? (JSON.parse(text) as Partial<Answer>) : {};
          resolve({
            status: response.statusCode ?? 0,
            code: problem.code,
            detail: problem.detail,
            headers: response.headers,
          });
        });
      });
      request.on('error', reject).end(bytes);
    });

  const json = (value: unknown) => JSON.stringify(value);
  const pathOf = ({ path }: Route) => path.replace(':domain_name', 'absent.example').replace(/:\w+/, '999999');
  const reading = () => api.routes.filter(({ anyInput, raw }) => anyInput !== true || raw);

  it.each(COMPRESSIONS)('compressed with %s is read', async (encoding, compress) => {
    const name = `${encoding}.example`;
    expect((await send('POST', '/domains/', compress(json({ name })), { encoding })).status).toBe(201);
    await api.as(MASTER).get(`/domains/${name}`).expect(200);
  });

  const BROKEN: [string, (whole: Buffer) => Buffer][] = [
    ['is cut', (whole) => whole.subarray(0, whole.length - 9)],
    ['has only three bytes', (whole) => whole.subarray(0, 3)],
    [
      'has changed bytes',
      (whole) => Buffer.from(whole.map((byte, at) => (at > 3 && at % 3 === 1 ? byte ^ 0xff : byte))),
    ],
    ['is not compressed', () => Buffer.from('{}')],
  ];

  /**
   * In a quick test each route gets one fault in two compressions. The webhook, which needs no token, gets all pairs.
   */
  const every = sampleSize(1, 2 * BROKEN.length);
  it.each(
    COMPRESSIONS.flatMap((compression, row) => BROKEN.map((broken, column) => ({ compression, broken, row, column }))),
  )(
    'compressed with $compression.0 that $broken.0 is 400 on a route, and on the webhook without a token',
    async ({ compression: [encoding, compress], broken: [, breakUp], row, column }) => {
      const bytes = breakUp(compress(json({ name: 'broken.example', x: 'a longer text, so that it is compressed' })));
      const routes = reading().filter(({ raw }, index) => raw || (index + row * BROKEN.length + column) % every === 0);
      expect(routes.some(({ raw }) => raw)).toBe(true);
      for (const route of routes) {
        const sent = { encoding, anonymous: route.raw, token: route.access === 'key' ? key : MASTER };
        const { status, code } = await send(route.method.toUpperCase(), pathOf(route), bytes, sent);
        expect([route.path, status, code]).toEqual([route.path, 400, 'malformed_request']);
      }
    },
  );

  it.each(COMPRESSIONS)('compressed with %s is limited by its size before compression', async (encoding, compress) => {
    const bomb = compress('x'.repeat(64 * DEFAULT_BODY_LIMIT_BYTES));
    expect(bomb.length).toBeLessThan(DEFAULT_BODY_LIMIT_BYTES);
    for (const path of ['/domains/', '/webhooks/relay']) {
      expect(await send('POST', path, bomb, { encoding })).toMatchObject({ status: 413, code: 'body_too_large' });
    }
    const most = compress(json({ x: 'x'.repeat(DEFAULT_BODY_LIMIT_BYTES - 8) }));
    expect((await send('POST', '/domains/', most, { encoding })).status).toBe(422);
    const more = compress(json({ x: 'x'.repeat(DEFAULT_BODY_LIMIT_BYTES - 7) }));
    expect((await send('POST', '/domains/', more, { encoding })).status).toBe(413);
  });

  it.each(['zstd', 'compress', 'gzip, gzip', 'x'])(
    'with the content encoding %s is 415, and the response names the encodings that are read',
    async (encoding) => {
      for (const path of ['/domains/', '/webhooks/relay']) {
        const { status, code, headers } = await send('POST', path, Buffer.from('{}'), { encoding });
        expect([status, code, headers['accept-encoding']]).toEqual([
          415,
          'unsupported_content_encoding',
          'gzip, deflate, br',
        ]);
      }
    },
  );

  it.each(['utf-16', 'UTF-16LE', 'utf-7', 'utf-32', 'iso-8859-1', 'latin1', 'us-ascii', 'x', '"utf-16"', ''])(
    'in the charset "%s" is 400',
    async (charset) => {
      const bytes = Buffer.from(json({ name: 'charset.example' }), charset.includes('16') ? 'utf16le' : 'utf8');
      for (const path of ['/domains/', '/webhooks/relay']) {
        const { status, code } = await send('POST', path, bytes, { type: `application/json; charset=${charset}` });
        expect([status, code]).toEqual([400, 'malformed_request']);
      }
    },
  );

  it.each([
    'application/json; charset=utf-8',
    'application/json;charset=UTF-8',
    'application/json; charset="utf-8"',
    'application/json; charset=utf8',
    'application/json; version=1; charset=utf-8',
    'application/json; boundary',
    'application/json;',
    'APPLICATION/JSON',
  ])('of the type "%s" is read as UTF-8', async (type) => {
    const { status, code } = await send('POST', '/domains/', Buffer.from(json({ name: 'müller' })), { type });
    expect([status, code]).toEqual([422, 'validation_failed']);
  });

  it('with two charsets is 400 when one of them is not UTF-8', async () => {
    const type = 'application/json; charset=utf-8; charset=utf-16';
    expect((await send('POST', '/domains/', Buffer.from('{}'), { type })).status).toBe(400);
  });

  it.each([
    ['UTF-16LE', Buffer.from('{"name":"x.example"}', 'utf16le')],
    ['UTF-16LE with a byte order mark', Buffer.from('\ufeff{"name":"x.example"}', 'utf16le')],
    ['UTF-8 with a byte order mark', Buffer.from('\ufeff{"name":"x.example"}')],
    ['UTF-7', Buffer.from('+AHs-"name":"x.example"+AH0-')],
    ['latin1', Buffer.from('{"name":"m\u00fcller.example"}', 'latin1')],
    ['half a surrogate pair as UTF-8', Buffer.from('7b226e616d65223a22eda080227d', 'hex')],
    ['an overlong slash', Buffer.from('7b226e616d65223a22c0af227d', 'hex')],
    ['a cut character', Buffer.from('7b226e616d65223a22c3', 'hex')],
  ])('with bytes in %s is 400, whatever charset it claims', async (_, bytes) => {
    for (const type of ['application/json', 'application/json; charset=utf-8']) {
      expect((await send('POST', '/domains/', bytes, { type })).status).toBe(400);
      const webhook = await send('POST', '/webhooks/relay', bytes, { type, anonymous: true });
      expect([400, 403]).toContain(webhook.status);
    }
  });

  it('that the caller aborts ends its request, also when it is compressed', async () => {
    const before = api.log.lines.length;
    for (const encoding of ['identity', 'gzip']) {
      const socket = connect(Number(new URL(api.url).port), '127.0.0.1');
      const arrived = new Promise((resolve) => api.server.once('request', resolve));
      socket.write(
        `POST /webhooks/relay HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Encoding: ${encoding}\r\nContent-Length: 100\r\n\r\n`,
      );
      socket.write(gzipSync('{"name":"x.example"}').subarray(0, 20));
      await arrived;
      socket.destroy();
    }
    await until('two lines in the log', () => api.log.lines.length >= before + 2);
    expect(api.log.lines.slice(before).map(({ errorCode }) => errorCode)).toEqual([
      'malformed_request',
      'malformed_request',
    ]);
  });

  it('of no bytes is no body, in whatever way that is said', async () => {
    for (const encoding of ['', 'gzip']) {
      const answer = await send('PUT', '/domains/absent.example/suspend', Buffer.alloc(0), { encoding });
      expect(answer.status).toBe(404);
    }
    const empty = await send('PUT', '/domains/absent.example/suspend', gzipSync(''), { encoding: 'gzip' });
    expect(empty.status).toBe(404);
  });

  it('with a key twice has the last value', async () => {
    const { body } = await supertest(api.url)
      .post('/domains/')
      .set({ Authorization: `Bearer ${MASTER}`, 'Content-Type': 'application/json' })
      .send('{"name": "first.example", "name": "last.example"}')
      .expect(201);
    expect(body.name).toBe('last.example');
  });

  it('never caused a defect', () => {
    expect(api.log.defects).toEqual([]);
  });
});
