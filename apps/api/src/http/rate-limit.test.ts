import { onHttpDatabase } from '@mailstead/adapters/database/testing/database-fixture';
import { MINUTE_MS, SECOND_MS } from '@mailstead/core/clock';
import { Authenticator } from '@mailstead/core/operators/authenticator';
import supertest from 'supertest';
import { BILLING, MASTER, POLICY, READ, startTestApi, type TestApi } from '../testing/api-fixture.js';
import { Browser } from '../testing/browser.js';
import { Admission } from './admission.js';
import type { Exchange } from './exchange.js';
import { route } from './route.js';

class Items {
  items!: number[];
}
const METRICS_TOKEN = 'metrics-token-of-the-tests-0123456789';
const LIMIT = 5;
const FLOOD = 30;

onHttpDatabase((kind) => {
  describe('the rate of a partner', () => {
    let api: TestApi;
    let partners = 0;

    beforeAll(async () => {
      // A partner's bucket holds 30, a key's bucket 15.
      api = await startTestApi(kind, { RATE_LIMIT: '10' });
    });
    afterAll(() => api.close());

    const keysOf = async (count: number): Promise<string[]> => {
      partners += 1;
      const keys: string[] = [];
      for (let key = 0; key < count; key += 1) keys.push(await api.key(`partner-${partners}`));
      return keys;
    };
    const statuses = async (token: string, requests: number, path = '/me'): Promise<Record<number, number>> => {
      const counts: Record<number, number> = {};
      const answers = await Promise.all(Array.from({ length: requests }, () => api.as(token).get(path)));
      for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
      return counts;
    };

    it('is half of it for one key, all of it for all keys, and flows in again', async () => {
      const [one = '', two = '', three = ''] = await keysOf(3);
      expect(await statuses(one, 20)).toEqual({ 200: 15, 429: 5 });
      expect(await statuses(two, 20)).toEqual({ 200: 15, 429: 5 });
      expect(await statuses(three, 5)).toEqual({ 429: 5 });
      api.clock.advance(SECOND_MS);
      expect(await statuses(one, 10)).toEqual({ 200: 5, 429: 5 });
      expect(await statuses(three, 10)).toEqual({ 200: 5, 429: 5 });
    });

    it('is not used up by another partner', async () => {
      const [flooder = ''] = await keysOf(1);
      const [other = ''] = await keysOf(1);
      const [, passed] = await Promise.all([statuses(flooder, 31), statuses(other, 15)]);
      expect(passed).toEqual({ 200: 15 });
    });

    it('is in the headers of the responses of clients, also of errors', async () => {
      const [key = ''] = await keysOf(1);
      const first = await api.as(key).get('/me').expect(200);
      expect(first.headers).toMatchObject({
        'ratelimit-policy': '"partner";q=30;w=3, "key";q=15;w=3',
        ratelimit: '"partner";r=29;t=1, "key";r=14;t=1',
      });
      const { headers } = await api.as(key).get('/domains/absent.example').expect(404);
      expect(headers.ratelimit).toBe('"partner";r=28;t=1, "key";r=13;t=1');
    });

    it('refuses with 429, the time to wait and a metric', async () => {
      const [key = ''] = await keysOf(1);
      await statuses(key, 15);
      const { headers, body } = await api.as(key).get('/me').expect(429);
      expect(headers).toMatchObject({
        'retry-after': '1',
        ratelimit: '"partner";r=15;t=2, "key";r=0;t=3',
        'content-type': 'application/problem+json',
      });
      expect(body).toMatchObject({ code: 'rate_limited', status: 429, title: 'Too Many Requests' });
      const metrics = (await api.as(MASTER).get('/metrics').expect(200)).text;
      expect(metrics).toMatch(/mailstead_requests_refused_total\{code="rate_limited"\} \d+/);
    });

    it('is checked after the token, and before the kind of token and the body', async () => {
      const [key = ''] = await keysOf(1);
      await statuses(key, 15, '/audit');
      await api.as(key).get('/audit').expect(429);
      await api.as(key).post('/domains/').set('Content-Type', 'application/json').send('{broken').expect(429);
      await api.as(`${key}x`).get('/me').expect(401);
    });

    it('is charged on routes that check the token themselves, too', async () => {
      const [key = ''] = await keysOf(1);
      expect(await statuses(key, 20, '/metrics')).toEqual({ 403: 15, 429: 5 });
    });

    it.each([
      ['master', MASTER, '/me'],
      ['policy', POLICY, '/me'],
      ['billing', BILLING, '/me'],
      ['read', READ, '/me'],
    ])('does not limit %s', async (_, token, path) => {
      expect(await statuses(token, 31, path)).toEqual({ 200: 31 });
      expect((await api.as(token).get(path)).headers).not.toHaveProperty('ratelimit');
    });

    it('is shared with sessions: half of it for each of a key, a tenth for all of a link together', async () => {
      const [key = ''] = await keysOf(1);
      const domain = `shares${partners}.example`;
      await api.as(key).post('/domains/', { name: domain }).expect(201);
      const { body } = await api.as(key).post('/portal-links', { domain, scope: 'dns' }).expect(201);
      const session = new Browser(api.url);
      await session.enter(key);
      const guests = [new Browser(api.url), new Browser(api.url)];
      for (const guest of guests) await guest.enter(null, { code: body.url.split('#code=')[1] });
      // All buckets are full again.
      api.clock.advance(60 * SECOND_MS);
      const first = await guests[0]?.send('get', '/me').expect(200);
      expect(first?.headers['ratelimit-policy']).toBe('"partner";q=30;w=3, "link";q=3;w=3');
      await guests[1]?.send('get', '/me').expect(200);
      await guests[0]?.send('get', '/me').expect(200);
      expect((await guests[1]?.send('get', '/me'))?.status).toBe(429);
      const passed = [];
      for (let index = 0; index < 16; index += 1) passed.push((await session.send('get', '/me')).status);
      expect(passed).toEqual([...Array.from({ length: 15 }, () => 200), 429]);
      expect((await api.as(key).get('/me').expect(200)).headers.ratelimit).toMatch(/"key";r=14/);
    });

    it('is charged for right codes of a link too, which many people may have', async () => {
      const [key = ''] = await keysOf(1);
      const domain = `codes${partners}.example`;
      await api.as(key).post('/domains/', { name: domain }).expect(201);
      const { body } = await api.as(key).post('/portal-links', { domain, scope: 'dns' }).expect(201);
      const code = body.url.split('#code=')[1];
      const enter = () => new Browser(api.url).enter(null, { code });
      const preview = () => new Browser(api.url).send('post', '/sessions/preview', { code });
      const first = await enter();
      expect([first.status, first.headers.ratelimit]).toEqual([201, expect.stringMatching(/"link";r=2/)]);
      expect([(await preview()).status, (await enter()).status]).toEqual([200, 201]);
      for (const refused of [await enter(), await preview()]) {
        expect([refused.status, refused.body.code]).toEqual([429, 'rate_limited']);
      }
      const [row] = await api.database.read('SELECT COUNT(*) AS n FROM portal_session WHERE link_id = ?', [body.id]);
      expect(Number(row?.n)).toBe(2);
      api.clock.advance(SECOND_MS);
      expect((await enter()).status).toBe(201);
    });

    it('is charged for each item of a bulk request, which may take it below zero', async () => {
      const [token = ''] = await keysOf(1);
      const admission = api.container.get(Admission);
      const caller = await api.container
        .get(Authenticator)
        .authenticate({ header: `Bearer ${token}`, address: () => '' });
      const bulk = route<Items>({
        method: 'post',
        path: '/bulk',
        access: 'client',
        summary: '',
        body: Items,
        response: null,
        items: ({ items }) => items.length,
        run: () => null,
      });
      const exchange = { caller, rateHeaders: {} } as Exchange;
      await api.as(token).get('/me').expect(200);
      admission.chargeItems(bulk, exchange, { items: Array.from({ length: 500 }, () => 1) });
      expect(exchange.rateHeaders.RateLimit).toBe('"partner";r=0;t=50, "key";r=0;t=100');
      const { headers } = await api.as(token).get('/me').expect(429);
      expect(headers['retry-after']).toBe('97');
    });
  });

  it('a client has a rate of 100 per second when RATE_LIMIT is not set', async () => {
    const api = await startTestApi(kind, { RATE_LIMIT: '' });
    try {
      const { headers } = await api
        .as(await api.key('acme'))
        .get('/me')
        .expect(200);
      expect(headers['ratelimit-policy']).toBe('"partner";q=300;w=3, "key";q=150;w=3');
    } finally {
      await api.close();
    }
  });

  describe('wrong tokens of an address', () => {
    let api: TestApi;

    const start = async (settings: Record<string, string> = {}) => {
      api = await startTestApi(kind, { AUTH_FAILURES_PER_MINUTE: String(LIMIT), METRICS_TOKEN, ...settings });
    };

    const wrong = (index: number) => `wrong-token-${index}-0123456789`;
    const guess = (index: number, forwardedFor?: string) => {
      const request = api.as(wrong(index)).get('/me');
      return forwardedFor === undefined ? request : request.set('X-Forwarded-For', forwardedFor);
    };
    const guessInTurn = async (count: number): Promise<number[]> => {
      const statuses: number[] = [];
      for (let index = 0; index < count; index += 1) statuses.push((await guess(index)).status);
      return statuses;
    };

    describe('in one process', () => {
      beforeAll(() => start());
      // The minute of the wrong tokens before is over.
      beforeEach(() => api.clock.advance(2 * MINUTE_MS));
      afterAll(() => api.close());

      const refusals = async () => {
        const { text } = await api.as(MASTER).get('/metrics').expect(200);
        const [, count] = /^mailstead_requests_refused_total\{code="too_many_wrong_tokens"\} (\d+)$/m.exec(text) ?? [];
        return Number(count ?? 0);
      };

      it('are 401, then 429 with the time to wait; a minute after the first they are looked up again', async () => {
        expect(await guessInTurn(LIMIT + 2)).toEqual([401, 401, 401, 401, 401, 429, 429]);
        const { body, headers } = await guess(9).expect(429);
        expect(body).toMatchObject({ code: 'too_many_wrong_tokens', status: 429 });
        expect(headers['retry-after']).toBe('60');
        api.clock.advance(MINUTE_MS);
        await guess(9).expect(401);
      });

      it('in a parallel flood get the permitted number of look-ups, while right tokens pass', async () => {
        const key = await api.key('acme');
        await api.as(key).get('/me').expect(200);
        const before = await refusals();
        const flood = Promise.all(Array.from({ length: FLOOD }, (_, index) => guess(index)));
        const passed = await Promise.all(Array.from({ length: LIMIT + 1 }, () => api.as(key).get('/me')));
        const statuses = (await flood).map(({ status }) => status);
        expect(statuses.filter((status) => status === 401)).toHaveLength(LIMIT);
        expect(statuses.filter((status) => status === 429)).toHaveLength(FLOOD - LIMIT);
        expect(new Set(passed.map(({ status }) => status))).toEqual(new Set([200]));
        await api.as(MASTER).get('/me').expect(200);
        expect((await refusals()) - before).toBe(FLOOD - LIMIT);
      });

      it('do not keep a revoked key valid: it is 401 at once, also during a flood', async () => {
        const key = await api.key('revoked');
        const { body } = await api.as(MASTER).get('/api-keys/?partner_ref=revoked').expect(200);
        await api.as(key).get('/me').expect(200);
        await guessInTurn(LIMIT + 1);
        await api.as(MASTER).delete(`/api-keys/${body[0].id}`).expect(204);
        await api.as(key).get('/me').expect(401);
      });

      it('are no requests without a token', async () => {
        for (let index = 0; index <= LIMIT; index += 1) await supertest(api.url).get('/me').expect(401);
        await api.as(POLICY).get('/me').expect(200);
      });

      it('do not close the public routes; the metrics count wrong tokens and know their own', async () => {
        await api.as(METRICS_TOKEN).get('/metrics').expect(200);
        for (let index = 0; index < LIMIT; index += 1) await api.as(wrong(index)).get('/metrics').expect(401);
        await api.as(wrong(9)).get('/metrics').expect(429);
        await guess(9).expect(429);
        await api.as(METRICS_TOKEN).get('/metrics').expect(200);
        await supertest(api.url)
          .get('/health')
          .set('Authorization', `Bearer ${wrong(1)}`)
          .expect(200);
        await supertest(api.url).get('/health/ready').expect(200);
        await api.as(METRICS_TOKEN).get('/health/ready').expect(200);
        await supertest(api.url).post('/webhooks/relay').send({}).expect(403);
      });

      it('count for the address of the connection, whatever X-Forwarded-For says', async () => {
        for (let index = 0; index < LIMIT; index += 1) await guess(index, `192.0.2.${index}`).expect(401);
        await guess(9, '192.0.2.99').expect(429);
      });
    });

    describe('in a process of its own', () => {
      afterEach(() => api.close());

      it.each(['x-forwarded-for', 'x-forwarded-proto'])(
        'with %s begin no warning, and the first right token with it begins one, once',
        async (header) => {
          await start();
          const warned = async () => (await api.as(MASTER).get('/health/ready').expect(200)).body.warnings;
          const strange = (path: string) => supertest(api.url).get(path).set(header, '192.0.2.7');
          for (const path of ['/me', '/health', '/health/ready', '/docs', '/metrics']) await strange(path);
          await strange('/me')
            .set('Authorization', `Bearer ${wrong(1)}`)
            .expect(401);
          await strange('/health/ready')
            .set('Authorization', `Bearer ${wrong(1)}`)
            .expect(401);
          await supertest(api.url).post('/sessions').set(header, '192.0.2.7').send({}).expect(403);
          await supertest(api.url).post('/webhooks/relay').set(header, '192.0.2.7').send({}).expect(403);
          expect([await warned(), api.log.warnings]).toEqual([[], []]);
          for (let run = 0; run < 2; run += 1) await api.as(METRICS_TOKEN).get('/metrics').set(header, '192.0.2.7');
          expect(await warned()).toEqual([{ name: 'trust_proxy', detail: expect.stringContaining('TRUST_PROXY') }]);
          expect(api.log.warnings).toEqual([expect.stringContaining('TRUST_PROXY')]);
        },
      );

      it('count for the sender that a trusted proxy names, and entries that the sender added do not help', async () => {
        await start({ TRUST_PROXY: '127.0.0.0/8, ::1' });
        for (let index = 0; index < LIMIT; index += 1) await guess(index, `198.51.100.${index}, 192.0.2.1`).expect(401);
        await guess(9, '198.51.100.9, 192.0.2.1').expect(429);
        await guess(9, '192.0.2.2').expect(401);
        expect(api.log.warnings).toEqual([]);
        await api.as(MASTER).get('/me').set('X-Forwarded-For', '192.0.2.3').expect(200);
        expect((await api.as(MASTER).get('/health/ready').expect(200)).body.warnings).toEqual([]);
      });
    });
  });
});
