import { onHttpDatabase } from '@mailstead/adapters/database/testing/database-fixture';
import { MINUTE_MS } from '@mailstead/core/clock';
import supertest from 'supertest';
import { MASTER, POLICY, startTestApi, type TestApi } from '../testing/api-fixture.js';

const METRICS_TOKEN = 'metrics-token-of-the-tests-0123456789';
const LIMIT = 5;

onHttpDatabase((kind) => {
  describe('wrong tokens of an address', () => {
    let api: TestApi;

    const start = async (settings: Record<string, string> = {}) => {
      api = await startTestApi(kind, { AUTH_FAILURES_PER_MINUTE: String(LIMIT), METRICS_TOKEN, ...settings });
    };
    afterEach(() => api.close());

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

    it('are 401, then 429 with the time to wait; a minute after the first they are looked up again', async () => {
      await start();
      expect(await guessInTurn(LIMIT + 2)).toEqual([401, 401, 401, 401, 401, 429, 429]);
      const { body, headers } = await guess(9).expect(429);
      expect(body).toMatchObject({ code: 'too_many_wrong_tokens', status: 429 });
      expect(headers['retry-after']).toBe('60');
      api.clock.advance(MINUTE_MS);
      await guess(9).expect(401);
    });

    it('in a parallel flood get the permitted number of look-ups, while right tokens pass', async () => {
      await start();
      const key = await api.key('acme');
      await api.as(key).get('/me').expect(200);
      const flood = Promise.all(Array.from({ length: 300 }, (_, index) => guess(index)));
      const passed = await Promise.all(Array.from({ length: 20 }, () => api.as(key).get('/me')));
      const statuses = (await flood).map(({ status }) => status);
      expect(statuses.filter((status) => status === 401)).toHaveLength(LIMIT);
      expect(statuses.filter((status) => status === 429)).toHaveLength(300 - LIMIT);
      expect(new Set(passed.map(({ status }) => status))).toEqual(new Set([200]));
      await api.as(MASTER).get('/me').expect(200);
      const metrics = (await api.as(MASTER).get('/metrics').expect(200)).text;
      expect(metrics).toContain(`mailstead_requests_refused_total{code="too_many_wrong_tokens"} ${300 - LIMIT}`);
    });

    it('do not keep a revoked key valid: it is 401 at once, also during a flood', async () => {
      await start();
      const key = await api.key('acme');
      const { body } = await api.as(MASTER).get('/api-keys/').expect(200);
      await api.as(key).get('/me').expect(200);
      await guessInTurn(LIMIT + 1);
      await api.as(MASTER).delete(`/api-keys/${body[0].id}`).expect(204);
      await api.as(key).get('/me').expect(401);
    });

    it('are no requests without a token', async () => {
      await start();
      for (let index = 0; index < 20; index += 1) await supertest(api.url).get('/me').expect(401);
      await api.as(POLICY).get('/me').expect(200);
    });

    it('do not close the public routes; the metrics count wrong tokens and know their own', async () => {
      await start();
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
      await supertest(api.url).post('/webhooks/relay').send({}).expect(403);
    });

    it('count for the address of the connection, whatever X-Forwarded-For says, and a warning says so once', async () => {
      await start();
      const warned = async () => (await supertest(api.url).get('/health/ready').expect(200)).body.warnings;
      expect(await warned()).toEqual([]);
      for (let index = 0; index < LIMIT; index += 1) await guess(index, `192.0.2.${index}`).expect(401);
      await guess(9, '192.0.2.99').expect(429);
      expect(await warned()).toEqual([{ name: 'trust_proxy', detail: expect.stringContaining('TRUST_PROXY') }]);
      expect(api.log.warnings).toEqual([expect.stringContaining('TRUST_PROXY')]);
    });

    it('count for the sender that a trusted proxy names, and entries that the sender added do not help', async () => {
      await start({ TRUST_PROXY: '127.0.0.0/8, ::1' });
      for (let index = 0; index < LIMIT; index += 1) await guess(index, `198.51.100.${index}, 192.0.2.1`).expect(401);
      await guess(9, '198.51.100.9, 192.0.2.1').expect(429);
      await guess(9, '192.0.2.2').expect(401);
      expect(api.log.warnings).toEqual([]);
      expect((await supertest(api.url).get('/health/ready').expect(200)).body.warnings).toEqual([]);
    });
  });
});
