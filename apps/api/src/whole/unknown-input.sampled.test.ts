import { request as httpRequest } from 'node:http';
import { sampled } from '@mailstead/core/testing/sampled';
import { SEED } from '../../../../scripts/fast-check.mjs';
import { fieldsOf } from '../http/fields/field-notes.js';
import type { Route } from '../http/route.js';
import { MASTER, startTestApi, type TestApi } from '../testing/api-fixture.js';

interface Sent {
  token?: string | null;
  query?: string;
  body?: string;
  type?: string;
  /** Says that a body follows, of a length that is not known yet. */
  isChunked?: boolean;
}

interface Answer {
  status: number;
  errors: { field: string; message: string }[];
}

/** Routes for browsers, probes and the relay provider. They accept any query. */
const OPEN = ['get /docs', 'get /docs/:file', 'get /health', 'get /health/ready', 'post /webhooks/relay'];

/** What a route without a body needs in its query. */
const NEEDED_QUERY: Record<string, string> = {
  'get /outbound/days': '?partner_ref=nobody',
  'get /usage': '?month=2026-01',
  'get /partners/:partner_ref/usage': '?month=2026-01',
};

/** Parameters that no route knows, and a query with each. */
const PARAMETERS = [
  ['dry_run', '?dry_run=true'],
  ['limits', '?limits=1&after=0'],
  ['a[b]', '?a[b]=c'],
  ['__proto__', '?__proto__=x'],
  ['constructor', '?constructor=x'],
  ['', '?=x'],
  ['behind_many', `?${'&'.repeat(2_000)}behind_many=1`],
] as const;
const FIELDS = ['unexpected', '__proto__', 'constructor'];

/** Bodies that are not parsed, their types, and the status. */
const UNREAD: readonly [(route: Route) => string, string, number][] = [
  [() => 'a=b', 'application/x-www-form-urlencoded', 415],
  [() => '{broken', 'application/json', 400],
  [({ bodyLimitBytes = 256 * 1_024 }) => `{"x": "${'x'.repeat(bodyLimitBytes)}"}`, 'application/json', 413],
];

/** Routes without a token whose input is checked: the document, and those that take the code of a link instead. */
const BEFORE_TOKEN = ['get /openapi.json', 'post /sessions', 'post /sessions/preview'];

/** Sends unknown input to every other route of the application: it must be refused. */
describe('unknown input', () => {
  let api: TestApi;
  let client: string;

  beforeAll(async () => {
    api = await startTestApi('sqlite');
    client = await api.key('acme');
  });
  afterAll(() => api.close());

  const label = ({ method, path }: Route) => `${method} ${path}`;
  const guarded = () => api.routes.filter((route) => !OPEN.includes(label(route)));
  const withBody = () => guarded().filter(({ body }) => body !== undefined);
  const withoutBody = () => guarded().filter(({ body }) => body === undefined);

  /** Calls a route with parameters of resources that do not exist. */
  const call = (
    route: Route,
    {
      token = route.access === 'key' ? client : MASTER,
      query = '',
      body = '',
      type = 'application/json',
      isChunked = false,
    }: Sent,
  ) =>
    new Promise<Answer>((resolve, reject) => {
      const path = route.path.replace(':domain_name', 'absent.example').replace(/:\w+/, '999999');
      const request = httpRequest(
        `${api.url}${path}${query}`,
        {
          method: route.method.toUpperCase(),
          headers: {
            ...(token === null ? {} : { Authorization: `Bearer ${token}` }),
            ...(isChunked ? { 'Transfer-Encoding': 'chunked' } : {}),
            ...(body === '' ? {} : { 'Content-Type': type, 'Content-Length': Buffer.byteLength(body) }),
          },
        },
        (response) => {
          const chunks: Buffer[] = [];
          response.on('data', (chunk: Buffer) => chunks.push(chunk));
          response.on('end', () => {
            const text = Buffer.concat(chunks).toString();
            const problem = text.startsWith('{') ? (JSON.parse(text) as Partial<Answer>) : {};
            resolve({ status: response.statusCode ?? 0, errors: problem.errors ?? [] });
          });
        },
      );
      request.on('error', reject).end(body);
    });

  /** Calls every route with one of the inputs, in the slow tests with each. */
  async function callEach<T>(inputs: readonly T[], send: (route: Route, input: T) => Promise<void>): Promise<void> {
    for (const [index, route] of guarded().entries()) {
      for (const input of sampled(inputs, 1, SEED + index)) await send(route, input);
    }
  }

  it('in parameters is refused on every route', () =>
    callEach(PARAMETERS, async (route, [field, query]) => {
      const { status, errors } = await call(route, { query });
      expect([label(route), status]).toEqual([label(route), 422]);
      expect(errors).toContainEqual({ field, message: 'is not a known parameter' });
    }));

  it('such as a repeated parameter is refused, for each parameter of every route', async () => {
    let parameters = 0;
    for (const route of guarded()) {
      for (const field of route.query === undefined ? [] : fieldsOf(route.query).keys()) {
        const { status, errors } = await call(route, { query: `?${field}=1&${field}=2` });
        expect([label(route), field, status]).toEqual([label(route), field, 422]);
        expect(errors).toContainEqual({ field, message: 'must be given once' });
        parameters += 1;
      }
    }
    expect(parameters).toBeGreaterThan(10);
  });

  it('in fields is refused on every route', () =>
    callEach(FIELDS, async (route, field) => {
      const { status, errors } = await call(route, { body: `{"${field}": {"name": "x.example"}}` });
      expect([label(route), status]).toEqual([label(route), 422]);
      expect(errors).toContainEqual({ field, message: 'is not a known field' });
    }));

  it('in parameters and fields is reported in one response', async () => {
    const query = `?${PARAMETERS.map(([, text]) => text.slice(1)).join('&')}`;
    const body = `{${FIELDS.map((field) => `"${field}": {"name": "x.example"}`).join()}}`;
    const unknown = [
      ...PARAMETERS.map(([field]) => ({ field, message: 'is not a known parameter' })),
      ...FIELDS.map((field) => ({ field, message: 'is not a known field' })),
    ];
    for (const route of guarded()) {
      const { status, errors } = await call(route, { query, body });
      expect([label(route), status, errors]).toEqual([label(route), 422, expect.arrayContaining(unknown)]);
    }
  });

  it('such as a body that is no object is refused on every route', () =>
    callEach(['[]', 'null', '"text"', '5'], async (route, body) => {
      const { status, errors } = await call(route, { body });
      expect([label(route), status, errors]).toEqual([
        label(route),
        422,
        expect.arrayContaining([{ field: '', message: 'must be an object' }]),
      ]);
    }));

  it('such as a body of another type, with invalid JSON or too large is refused on every route', () =>
    callEach(UNREAD, async (route, [bodyFor, type, refused]) => {
      const { status } = await call(route, { body: bodyFor(route), type });
      expect([label(route), status]).toEqual([label(route), refused]);
    }));

  it('does not include an empty body on a route without fields', async () => {
    // Some clients announce a body before they know that there is none, and name no type.
    const empty: Sent[] = [{ body: '{}' }, { isChunked: true }];
    for (const [index, route] of withoutBody().entries()) {
      const query = NEEDED_QUERY[label(route)] ?? '';
      const expected = (await call(route, { query })).status;
      expect([label(route), [400, 415, 422, 500].includes(expected)]).toEqual([label(route), false]);
      for (const sent of sampled(empty, 1, SEED + index)) {
        expect([label(route), sent, (await call(route, { query, ...sent })).status]).toEqual([
          label(route),
          sent,
          expected,
        ]);
      }
    }
  });

  it('is checked after the token and before the resource', () =>
    callEach([null, client], async (route, token) => {
      const { status } = await call(route, { query: '?dry_run=true', body: '{"unexpected": 1}', token });
      const withoutToken = BEFORE_TOKEN.includes(label(route)) ? 422 : 401;
      const forClient = route.access === 'master' || route.path === '/metrics' ? 403 : 422;
      expect([label(route), token, status]).toEqual([label(route), token, token === null ? withoutToken : forClient]);
    }));

  it('never has an effect', async () => {
    const body = JSON.stringify({ name: 'dry-run.example' });
    const create = withBody().find((route) => label(route) === 'post /domains/') as Route;
    expect((await call(create, { query: '?dry_run=true', body })).status).toBe(422);
    await api.as(MASTER).get('/domains/dry-run.example').expect(404);
    expect((await call(create, { body })).status).toBe(201);
    const remove = withoutBody().find((route) => label(route) === 'delete /domains/:domain_name') as Route;
    const dryRun = { ...remove, path: '/domains/dry-run.example' };
    expect((await call(dryRun, { query: '?dry_run=true' })).status).toBe(422);
    expect((await call(dryRun, { body: '{"dry_run": true}' })).status).toBe(422);
    await api.as(MASTER).get('/domains/dry-run.example').expect(200);
  });

  it('in the query is accepted by the routes for browsers, probes and the relay provider, and by no other route', async () => {
    const open = api.routes.filter(({ anyInput }) => anyInput === true);
    expect(open.map(label).sort()).toEqual(OPEN);
    for (const route of open.filter(({ method }) => method === 'get')) {
      const known = (await call(route, {})).status;
      expect([label(route), (await call(route, { query: '?_=1699999999' })).status]).toEqual([label(route), known]);
    }
  });

  it('never caused a defect', () => {
    expect(api.log.defects).toEqual([]);
  });
});
