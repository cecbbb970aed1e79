import { request as httpRequest } from 'node:http';
import { onHttpDatabase } from '@mailstead/adapters/database/testing/database-fixture';
import { SECOND_MS } from '@mailstead/core/clock';
import { sampled } from '@mailstead/core/testing/sampled';
import supertest from 'supertest';
import { SEED } from '../../../../scripts/fast-check.mjs';
import type { Route } from '../http/route.js';
import { MASTER, startTestApi, type TestApi } from '../testing/api-fixture.js';
import { Browser } from '../testing/browser.js';

const HASH = '$2y$04$N9qo8uLOickgx2ZMRZoMyeIjZAgcfl7p92ldGxad68LJZdL17lhWy';
const WRONG_TOKEN = 'a-wrong-token-0123456789-0123456789';

/** Path values that do not parse, and the error of their resource. */
const UNREADABLE: Record<string, [value: string, code: string]> = {
  domain_name: ['not%20a%20name!', 'domain_not_found'],
  email: ['no-address', 'mailbox_not_found'],
  alias: ['no%20alias!', 'alias_not_found'],
  token: ['x', 'api_key_not_found'],
  session: ['x', 'session_not_found'],
  key_id: ['x', 'api_key_not_found'],
  link_id: ['x', 'portal_link_not_found'],
  partner_ref: ['a%20b', 'partner_not_found'],
  tier: ['x', 'tier_not_found'],
  name: ['x', 'job_not_found'],
  deleted_id: ['x', 'deleted_not_found'],
  endpoint_id: ['x', 'webhook_not_found'],
  suppression_id: ['x', 'suppression_not_found'],
  message: ['x', 'message_not_found'],
  address: ['x', 'suppression_not_found'],
};

/** Valid bodies of the routes whose body has required fields. */
const VALID: Record<string, object> = {
  'put /domains/:domain_name': { external_ref: null },
  'put /domains/:domain_name/plan': { plan: 'business' },
  'put /domains/:domain_name/retention': { retention_days: 1 },
  'put /domains/:domain_name/transfer': { transfer_monthly_mb: 1 },
  'put /domains/:domain_name/inbound': { inbound: 'open' },
  'put /domains/:domain_name/partner': { partner_ref: null },
  'put /domains/:domain_name/front-hosts': { hosts: [] },
  'post /webhook-endpoints/:endpoint_id/redeliver': { after: 0, until: 1 },
  'put /aliases/:alias': { destination: 'a@full.example' },
  'put /users/:email/quota': { quota_mb: 1 },
  'put /partners/:partner_ref/suppressions': { mode: 'list' },
  'put /partners/:partner_ref/relay': { status: 'paused' },
  'put /outbound/tiers/:tier': { daily_limit: 1, monthly_limit: 1 },
};

interface Wrong {
  query?: string;
  body?: string;
  type?: string;
}

const WRONG_INPUTS: readonly Wrong[] = [
  { body: '{broken' },
  { body: 'a', type: 'text/plain' },
  { query: '?dry_run=true' },
];

/** What is wrong, and the answer to it. */
const REFUSED: readonly [string, Wrong, number, string][] = [
  ['broken JSON', { body: '{broken', query: '?dry_run=true' }, 400, 'malformed_json'],
  ['another type', { body: '{broken', type: 'text/plain', query: '?dry_run=true' }, 415, 'unsupported_media_type'],
  ['another charset', { body: '{}', type: 'application/json; charset=utf-16' }, 400, 'malformed_request'],
  ['an unknown parameter', { query: '?dry_run=true' }, 422, 'validation_failed'],
  ['an unknown field', { body: '{"unexpected": 1}' }, 422, 'validation_failed'],
];

/** What a route needs in its query. */
const NEEDED_QUERY: Record<string, string> = { 'get /partners/:partner_ref/usage': '?month=2026-01' };

onHttpDatabase((kind) => {
  let api: TestApi;
  let client: string;

  beforeAll(async () => {
    api = await startTestApi(kind);
    client = await api.key('acme', { domains_allowed: 1, mailboxes_per_domain: 1, aliases_per_mailbox: 1 });
    await api.as(client).post('/domains/', { name: 'full.example' }).expect(201);
    await api.as(client).post('/users/', { email: 'a@full.example', password_hash: HASH }).expect(201);
    await api.as(client).post('/aliases/', { address: 'b@full.example', destination: 'a@full.example' }).expect(201);
  });
  afterAll(() => api.close());

  const label = ({ method, path }: Route) => `${method} ${path}`;
  const guarded = () => api.routes.filter(({ access }) => access !== 'public');
  const parameterOf = ({ path }: Route) => /:(\w+)/.exec(path)?.[1];
  const pathOf = (route: Route) => route.path.replaceAll(/:(\w+)/g, (_, name: string) => UNREADABLE[name]?.[0] ?? 'x');

  /** The widest caller of the route, so that only the input can be wrong. */
  const tokenOf = ({ access }: Route) => (access === 'key' ? client : MASTER);
  const call = (route: Route, { token = tokenOf(route), query = '', body = '', type = 'application/json' }) =>
    new Promise<[status: number, code: string | undefined]>((resolve, reject) => {
      const headers = {
        Authorization: `Bearer ${token}`,
        ...(body === '' ? {} : { 'Content-Type': type, 'Content-Length': Buffer.byteLength(body) }),
      };
      const options = { method: route.method.toUpperCase(), headers };
      const request = httpRequest(`${api.url}${pathOf(route)}${query}`, options, (response) => {
        let text = '';
        response.on('data', (chunk: Buffer) => {
          text += chunk.toString();
        });
        response.on('end', () => {
          const problem = text.startsWith('{') ? (JSON.parse(text) as { code?: string }) : {};
          resolve([response.statusCode ?? 0, problem.code]);
        });
      });
      request.on('error', reject).end(body);
    });

  it('an unknown method or path is found before a wrong token', async () => {
    for (const route of guarded()) {
      const wrongMethod = { ...route, method: 'patch' } as unknown as Route;
      expect([label(route), ...(await call(wrongMethod, { token: WRONG_TOKEN, body: '{broken' }))]).toEqual([
        label(route),
        405,
        'method_not_allowed',
      ]);
    }
  });

  /** Calls each route with one of the wrong inputs, in the slow tests with all. */
  async function callEach<T>(
    routes: Route[],
    wrongs: readonly T[],
    send: (route: Route, wrong: T) => Promise<void>,
  ): Promise<void> {
    for (const [index, route] of routes.entries()) {
      for (const wrong of sampled(wrongs, 1, SEED + index)) await send(route, wrong);
    }
  }

  it('a wrong token is found before wrong input and before a path value that does not parse', () =>
    callEach(guarded(), WRONG_INPUTS, async (route, wrong) => {
      const answer = await call(route, { ...wrong, token: WRONG_TOKEN });
      expect([label(route), ...answer]).toEqual([label(route), 401, 'invalid_token']);
    }));

  it('a wrong kind of token is found before wrong input and before a path value that does not parse', () => {
    const ofMaster = guarded().filter(({ access }) => access === 'master');
    return callEach(ofMaster, WRONG_INPUTS, async (route, wrong) => {
      const answer = await call(route, { ...wrong, token: client });
      expect([label(route), ...answer]).toEqual([label(route), 403, 'master_token_required']);
    });
  });

  it('what is wrong in the request is found before a path value that does not parse', () =>
    callEach(guarded(), REFUSED, async (route, [what, wrong, status, code]) => {
      expect([label(route), what, ...(await call(route, wrong))]).toEqual([label(route), what, status, code]);
    }));

  it('a body that is too large is found before a path value that does not parse', async () => {
    for (const route of sampled(guarded(), 40)) {
      const body = `{"x": "${'x'.repeat(route.bodyLimitBytes ?? 256 * 1_024)}"}`;
      const answer = await call(route, { body, query: '?dry_run=true' });
      expect([label(route), ...answer]).toEqual([label(route), 413, 'body_too_large']);
    }
  });

  it('a path value that does not parse is the 404 of its resource, when all else is right', async () => {
    const routes = guarded().filter((route) => parameterOf(route) !== undefined);
    expect(routes.length).toBeGreaterThan(25);
    for (const route of routes) {
      const body = route.body === undefined ? '' : JSON.stringify(VALID[label(route)] ?? {});
      const query = NEEDED_QUERY[label(route)] ?? '';
      const code = UNREADABLE[parameterOf(route) ?? '']?.[1];
      expect([label(route), ...(await call(route, { body, query }))]).toEqual([label(route), 404, code]);
    }
  });

  it.each<[string, string, object, number, string]>([
    [
      'wrong input before an absent domain',
      '/users/',
      { email: 'x@absent.example', password: 7 },
      422,
      'validation_failed',
    ],
    [
      'an absent domain before a full quota',
      '/users/',
      { email: 'x@absent.example', password_hash: HASH },
      404,
      'domain_not_found',
    ],
    ['a duplicate domain before a full quota', '/domains/', { name: 'full.example' }, 400, 'domain_exists'],
    ['a full quota of domains', '/domains/', { name: 'more.example' }, 403, 'domain_quota_exceeded'],
    [
      'a duplicate mailbox before a full quota',
      '/users/',
      { email: 'a@full.example', password_hash: HASH },
      400,
      'mailbox_exists',
    ],
    [
      'an address in use before a full quota',
      '/users/',
      { email: 'b@full.example', password_hash: HASH },
      400,
      'address_in_use',
    ],
    [
      'a full quota of mailboxes',
      '/users/',
      { email: 'c@full.example', password_hash: HASH },
      403,
      'mailbox_quota_exceeded',
    ],
    [
      'a duplicate alias before a full quota',
      '/aliases/',
      { address: 'b@full.example', destination: 'a@full.example' },
      400,
      'alias_exists',
    ],
    [
      'an alias on a mailbox before a full quota',
      '/aliases/',
      { address: 'a@full.example', destination: 'a@full.example' },
      400,
      'address_in_use',
    ],
    [
      'a full quota of aliases',
      '/aliases/',
      { address: 'd@full.example', destination: 'a@full.example' },
      403,
      'alias_quota_exceeded',
    ],
  ])('a creation finds %s', async (_, path, body, status, code) => {
    const response = await api.as(client).post(path, body);
    expect([response.status, response.body.code]).toEqual([status, code]);
  });

  it('caused no defect', () => {
    expect(api.log.defects).toEqual([]);
  });

  /**
   * Each row has one thing wrong more than the next one, and meets the check that comes first. The last ones are those
   * of the body, the thing, the duplicate and the quota.
   */
  describe('of one request', () => {
    let strict: TestApi;
    let browser: Browser;

    beforeAll(async () => {
      strict = await startTestApi(kind, { AUTH_FAILURES_PER_MINUTE: '3', RATE_LIMIT: '10' });
      const key = await strict.key('acme', { domains_allowed: 1, mailboxes_per_domain: 1 });
      await strict.as(key).post('/domains/', { name: 'full.example' }).expect(201);
      await strict.as(key).post('/users/', { email: 'a@full.example', password_hash: HASH }).expect(201);
      browser = new Browser(strict.url);
    });
    afterAll(() => strict.close());

    interface Wrongs {
      method?: 'patch' | 'post';
      cookie?: string;
      origin?: string;
      csrf?: string | null;
      body?: string;
      path?: string;
    }
    const answer = async ({ method = 'post', cookie, origin, csrf, body, path = '/domains/' }: Wrongs) => {
      const agent = supertest(strict.url);
      const request = agent[method](path).set('Cookie', cookie ?? String(browser.cookie));
      if (origin !== undefined) request.set('Origin', origin);
      const token = csrf === undefined ? browser.csrf : csrf;
      if (token !== null) request.set('X-CSRF-Token', token);
      const { status, body: problem } = await request.set('Content-Type', 'application/json').send(body ?? '{}');
      return [status, (problem as { code?: string }).code];
    };
    const ALL: Wrongs = { origin: 'https://evil.example', csrf: null, body: '{broken' };

    it('is the same for a session as for a token, with CSRF and origin before the kind of caller', async () => {
      const { body: made } = await strict.as(MASTER).get('/api-keys/').expect(200);
      const [{ id }] = made as [{ id: number }];
      const master = strict.as(MASTER);
      const change = (changes: object) => master.put(`/api-keys/${id}`, changes).expect(200);
      const suspend = (verb: 'suspend' | 'activate') => master.put(`/partners/acme/${verb}`).expect(200);
      const key = `client-token-acme-1-0123456789`;
      const wrong = `__Host-mailstead=${'x'.repeat(43)}`;
      expect((await browser.enter(key)).status).toBe(201);

      expect(await answer({ ...ALL, method: 'patch', cookie: wrong })).toEqual([405, 'method_not_allowed']);
      for (let index = 0; index < 3; index += 1) {
        expect(await answer({ ...ALL, cookie: wrong })).toEqual([401, 'invalid_session']);
      }
      expect(await answer({ ...ALL, cookie: wrong })).toEqual([429, 'too_many_wrong_tokens']);

      await change({ scope: 'read' });
      await suspend('suspend');
      const spent = [];
      for (let index = 0; index < 15; index += 1) spent.push(await answer(ALL));
      expect(new Set(spent.map(String))).toEqual(new Set(['403,origin_not_allowed']));
      expect(await answer(ALL)).toEqual([429, 'rate_limited']);
      strict.clock.advance(60 * SECOND_MS);

      expect(await answer(ALL)).toEqual([403, 'origin_not_allowed']);
      expect(await answer({ ...ALL, origin: strict.url })).toEqual([403, 'csrf_token_required']);
      const within: Wrongs = { body: '{broken' };
      expect(await answer({ ...within, path: '/partners/acme/suspend' })).toEqual([405, 'method_not_allowed']);
      expect(await answer({ ...within, path: '/api-keys/' })).toEqual([403, 'master_token_required']);
      expect(await answer(within)).toEqual([403, 'key_read_only']);
      await change({ scope: 'manage', domains: ['full.example'] });
      expect(await answer(within)).toEqual([403, 'key_limited_to_domains']);
      await change({ domains: null });
      expect(await answer(within)).toEqual([403, 'partner_suspended']);
      await suspend('activate');
      expect(await answer(within)).toEqual([400, 'malformed_json']);
      expect(await answer({ body: '{"name":7}' })).toEqual([422, 'validation_failed']);
      const box = (email: string): Wrongs => ({
        path: '/users/',
        body: JSON.stringify({ email, password_hash: HASH }),
      });
      expect(await answer(box('a@absent.example'))).toEqual([404, 'domain_not_found']);
      expect(await answer(box('a@full.example'))).toEqual([400, 'mailbox_exists']);
      expect(await answer(box('b@full.example'))).toEqual([403, 'mailbox_quota_exceeded']);
    });
  });
});
