import { request as httpRequest } from 'node:http';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { expectLinearCost } from '@mailstead/core/testing/linear-cost';
import { caseNumbers, sampled } from '@mailstead/core/testing/sampled';
import { SEED } from '../../../../scripts/fast-check.mjs';
import { MASTER, startTestApi, type TestApi } from '../testing/api-fixture.js';

const SMALL = 4 * 1_024;
const NAMED = 20;
/** The size of a long answer, bytes. */
const SHORT_ANSWER = 8 * 1_024;
/** The longest body whose time is measured, and the longest query and path. */
const LONGEST_BODY = 240 * 1_024;
const LONGEST_URL = 12_000;

interface Problem {
  code: string;
  detail: string;
  errors: { field: string; message: string }[];
}

interface Answer {
  status: number;
  bytes: number;
  problem: Problem;
}

interface Sent {
  method?: string;
  path: string;
  body?: Buffer;
  encoding?: string | undefined;
  token?: string | null;
}

const fast = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } };
type Encoding = [name: string | undefined, compress: (text: string) => Buffer];
const PLAIN: Encoding = [undefined, (text) => Buffer.from(text)];
const COMPRESSIONS: Encoding[] = [
  ['gzip', (text) => gzipSync(text)],
  ['br', (text) => brotliCompressSync(text, fast)],
];

/** Of no route. */
const names = (count: number) => Array.from({ length: count }, (_, index) => `_${index.toString(36)}`);
const unknownNames = (count: number) =>
  `{${names(count)
    .map((name) => `"${name}":1`)
    .join(',')}}`;
const listed = (count: number, item: string) => `[${Array.from({ length: count }, () => item).join(',')}]`;

/** Bodies of about so many bytes, each for the route that reads it furthest. */
const BODIES: [string, string, (bytes: number) => string][] = [
  ['unknown names', '/domains/', (bytes) => unknownNames(bytes / 8)],
  [
    'names that are numbers',
    '/domains/',
    (bytes) => `{${Array.from({ length: bytes / 12 }, (_, each) => `"${each * 4_099}":1`).join(',')}}`,
  ],
  ['one name many times', '/domains/', (bytes) => `{${listed(bytes / 6, '"a":1').slice(1, -1)}}`],
  ['a long name', '/domains/', (bytes) => `{"${'n'.repeat(bytes)}":1}`],
  ['a long text', '/domains/', (bytes) => `{"name":"${'a.'.repeat(bytes / 2)}"}`],
  ['a long text of one letter that has several forms', '/domains/', (bytes) => `{"name":"${'ß'.repeat(bytes / 2)}"}`],
  ['a long number', '/domains/', (bytes) => `{"retention_days":${'9'.repeat(bytes)}}`],
  ['deep lists', '/domains/', (bytes) => `{"name":${'['.repeat(bytes / 2)}${']'.repeat(bytes / 2)}}`],
  ['deep objects', '/domains/', (bytes) => `{"name":${'{"a":'.repeat(bytes / 6)}1${'}'.repeat(bytes / 6)}}`],
  ['wrong items', '/outbound/increments', (bytes) => `{"items":${listed(bytes / 3, '{}')}}`],
  ['items with unknown names', '/outbound/increments', (bytes) => `{"items":[${unknownNames(bytes / 8)}]}`],
  [
    'wrong items that are answered one by one',
    '/domains/bulk',
    (bytes) => `{"items":${listed(500, unknownNames(bytes / 4_000))}}`,
  ],
];

describe('hostile input', () => {
  let api: TestApi;

  beforeAll(async () => {
    api = await startTestApi('sqlite');
  });
  afterAll(() => api.close());

  const send = ({ method = 'POST', path, body = Buffer.alloc(0), encoding, token = MASTER }: Sent) =>
    new Promise<Answer>((resolve, reject) => {
      const headers = {
        ...(token === null ? {} : { Authorization: `Bearer ${token}` }),
        ...(encoding === undefined ? {} : { 'Content-Encoding': encoding }),
        ...(body.length === 0 ? {} : { 'Content-Type': 'application/json', 'Content-Length': body.length }),
      };
      const request = httpRequest(`${api.url}${path}`, { method, headers, agent: false }, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () => {
          const text = Buffer.concat(chunks).toString();
          const problem = (text.startsWith('{') ? JSON.parse(text) : {}) as Problem;
          resolve({ status: response.statusCode ?? 0, bytes: text.length, problem });
        });
      });
      request.on('error', reject).end(body);
    });
  const post = (path: string, value: string, token: string | null = MASTER) =>
    send({ path, body: Buffer.from(value), token });
  const unknownIn = ({ errors }: Problem) => errors.filter(({ message }) => message === 'is not a known field');

  describe('in a body', () => {
    it('of 26,000 unknown names is named by its first 20 and how many more', async () => {
      const { status, bytes, problem } = await post('/domains/', unknownNames(26_000));
      expect([status, problem.code]).toEqual([422, 'validation_failed']);
      expect(unknownIn(problem).map(({ field }) => field)).toEqual(names(NAMED));
      expect(problem.errors).toContainEqual({ field: '', message: 'has 25980 more fields that are not known' });
      expect(problem.errors).toContainEqual({ field: 'name', message: 'is required' });
      expect(problem.errors).toHaveLength(NAMED + 2);
      expect(problem.detail).toContain('The request has 25980 more fields that are not known');
      expect(bytes).toBeLessThan(SHORT_ANSWER);
    });

    it.each(['/sessions', '/sessions/preview'])(
      'for %s without a token has at most 4 KiB, compressed or not',
      async (path) => {
        for (const [encoding, compress] of [PLAIN, ...COMPRESSIONS]) {
          const fits = `{"x":"${'x'.repeat(SMALL - 8)}"}`;
          const answer = await send({ path, body: compress(fits), encoding, token: null });
          expect([encoding, answer.status]).toEqual([encoding, 422]);
          const more = `{"x":"${'x'.repeat(SMALL - 7)}"}`;
          const refused = await send({ path, body: compress(more), encoding, token: null });
          expect([encoding, refused.status, refused.problem.code]).toEqual([encoding, 413, 'body_too_large']);
          const attack = await send({ path, body: compress(unknownNames(32_000)), encoding, token: null });
          expect([encoding, attack.status]).toEqual([encoding, 413]);
          expect(attack.bytes).toBeLessThan(1_024);
        }
      },
    );

    it('of the most unknown names that fit gets a short answer without a token', async () => {
      const { status, bytes, problem } = await post('/sessions/preview', unknownNames(500), null);
      expect([status, unknownIn(problem).length]).toEqual([422, NAMED]);
      expect(problem.errors).toContainEqual({ field: '', message: 'has 480 more fields that are not known' });
      expect(problem.errors).toContainEqual({ field: 'code', message: 'is required' });
      expect(bytes).toBeLessThan(SHORT_ANSWER);
    });

    it('with a long name is named by the beginning of the name', async () => {
      const { status, bytes, problem } = await post('/domains/', `{"${'😀'.repeat(30_000)}":1}`);
      expect(status).toBe(422);
      expect(unknownIn(problem)).toEqual([{ field: `${'😀'.repeat(64)}…`, message: 'is not a known field' }]);
      expect(bytes).toBeLessThan(SHORT_ANSWER);
    });

    it('for a route without fields is named by its first 20 and how many more', async () => {
      const { status, problem } = await send({
        method: 'PUT',
        path: '/domains/absent.example/suspend',
        body: Buffer.from(unknownNames(1_000)),
      });
      expect([status, unknownIn(problem).length]).toEqual([422, NAMED]);
      expect(problem.errors).toContainEqual({ field: '', message: 'has 980 more fields that are not known' });
    });

    it('with wrong items is named by the first 20 items and how many more, each with all its wrong fields', async () => {
      const right = '{"domain":"a.example","count":1,"record":true}';
      const items = [right, ...Array.from({ length: 900 }, () => '{"count":-1}'), right].join(',');
      const { status, bytes, problem } = await post('/outbound/increments', `{"items":[${items}]}`);
      expect(status).toBe(422);
      const named = new Set(problem.errors.flatMap(({ field }) => /^items\[(\d+)\]/.exec(field)?.[1] ?? []));
      expect([...named].map(Number)).toEqual(Array.from({ length: NAMED }, (_, index) => index + 1));
      expect(problem.errors).toContainEqual(expect.objectContaining({ field: 'items[1].count' }));
      expect(problem.errors).toContainEqual(expect.objectContaining({ field: 'items[1].domain' }));
      expect(problem.errors).toContainEqual({ field: 'items', message: 'has 880 more items that are wrong' });
      expect(bytes).toBeLessThan(2 * SHORT_ANSWER);
    });

    it('with unknown names in items is named by 20 names in all', async () => {
      const items = listed(900, unknownNames(30));
      const { problem, bytes } = await post('/outbound/increments', `{"items":${items}}`);
      expect(unknownIn(problem)).toHaveLength(NAMED);
      expect(problem.errors).toContainEqual({ field: 'items', message: 'has 880 more items that are wrong' });
      expect(problem.errors).toContainEqual({ field: '', message: 'has 580 more fields that are not known' });
      expect(bytes).toBeLessThan(2 * SHORT_ANSWER);
    });

    it('with unknown names in items that are answered one by one is named by 20 names in all', async () => {
      const response = await api
        .as(MASTER)
        .post('/domains/bulk', { items: Array.from({ length: 100 }, () => ({ name: 'x.com', a: 1, b: 1, c: 1 })) })
        .expect(200);
      const problems = (response.body as { problem: Problem }[]).map(({ problem }) => problem);
      expect(problems.flatMap(unknownIn)).toHaveLength(NAMED);
      expect(problems[0]?.errors.map(({ field }) => field)).toEqual(['a', 'b', 'c']);
      expect(problems[99]).toMatchObject({
        code: 'validation_failed',
        detail: 'The item has 3 more fields that are not known',
        errors: [{ field: '', message: 'has 3 more fields that are not known' }],
      });
    });

    const turns = caseNumbers(BODIES.length);
    it.each(BODIES.map((body, turn) => [...body, turn] as const))(
      'of %s takes time in proportion to its size, compressed or not',
      async (_, path, bodyOf, turn) => {
        const compressions = sampled(turns, 4).includes(turn) ? sampled(COMPRESSIONS, 1, SEED + turn) : [];
        for (const [encoding, compress] of [PLAIN, ...compressions]) {
          const input = (bytes: number) => ({ path, body: compress(bodyOf(bytes)), encoding });
          await expectLinearCost(LONGEST_BODY, input, send);
        }
      },
    );
  });

  describe('in a query', () => {
    it('of thousands of unknown parameters is named by its first 20 and how many more', async () => {
      const { status, bytes, problem } = await send({ method: 'GET', path: `/domains/?${names(3_000).join('&')}` });
      expect(status).toBe(422);
      expect(problem.errors.filter(({ message }) => message === 'is not a known parameter')).toHaveLength(NAMED);
      expect(problem.errors).toContainEqual({ field: '', message: 'has 2980 more parameters that are not known' });
      expect(problem.errors).toHaveLength(NAMED + 1);
      expect(bytes).toBeLessThan(SHORT_ANSWER);
    });

    it('that repeats a parameter thousands of times is named once', async () => {
      const { status, problem } = await send({ method: 'GET', path: `/domains/?${'limit=1&'.repeat(1_500)}` });
      expect([status, problem.errors]).toEqual([422, [{ field: 'limit', message: 'must be given once' }]]);
    });

    it('with a long name is named by the beginning of the name', async () => {
      const { status, problem } = await send({ method: 'GET', path: `/domains/?${'n'.repeat(12_000)}=1` });
      expect([status, problem.errors]).toEqual([
        422,
        [{ field: `${'n'.repeat(64)}…`, message: 'is not a known parameter' }],
      ]);
    });

    it.each<[string, (bytes: number) => string]>([
      ['unknown names', (bytes) => names(bytes / 5).join('&')],
      ['separators', (bytes) => '&'.repeat(bytes)],
      ['one long value', (bytes) => `q=${'%C3%9F'.repeat(bytes / 6)}`],
      ['wrong escapes', (bytes) => `q=${'%'.repeat(bytes)}`],
    ])('of %s takes time in proportion to its size', async (_, queryOf) => {
      for (const path of ['/domains/', '/partners']) {
        const input = (bytes: number) => ({ method: 'GET', path: `${path}?${queryOf(bytes)}` });
        await expectLinearCost(LONGEST_URL, input, send);
      }
    });
  });

  describe('in a path', () => {
    it('that is long gets a short answer', async () => {
      for (const path of [`/domains/${'a.'.repeat(6_000)}`, `/users/${'a@'.repeat(6_000)}`, `/${'a/'.repeat(6_000)}`]) {
        const { status, bytes } = await send({ method: 'GET', path });
        expect(status).toBe(404);
        expect(bytes).toBeLessThan(1_024);
      }
    });

    it.each<[string, (bytes: number) => string]>([
      ['many segments', (bytes) => '/a'.repeat(bytes / 2)],
      ['many slashes', (bytes) => '/'.repeat(bytes)],
      ['a long name of a domain', (bytes) => `/domains/${'a.'.repeat(bytes / 2)}`],
      ['a long name of a domain in Unicode', (bytes) => `/domains/${'%C3%9F'.repeat(bytes / 6)}`],
      ['a long address', (bytes) => `/users/${'a@'.repeat(bytes / 2)}`],
      ['a long id', (bytes) => `/aliases/${'9'.repeat(bytes)}`],
      ['wrong escapes', (bytes) => `/domains/${'%'.repeat(bytes)}`],
      ['hashes', (bytes) => `/docs${'#'.repeat(bytes)}`],
    ])('with %s takes time in proportion to its size', async (_, pathOf) => {
      await expectLinearCost(LONGEST_URL, (bytes) => ({ method: 'GET', path: pathOf(bytes) }), send);
    });
  });

  it('never caused a defect', () => {
    expect(api.log.defects).toEqual([]);
  });
});
