import { onHttpDatabase } from '@mailstead/adapters/database/testing/database-fixture';
import { RestoreGate } from '@mailstead/core/recovery/restore-gate';
import { WebhookSender } from '@mailstead/core/webhooks/webhook-sender';
import { MASTER, POLICY, READ, startTestApi, type TestApi } from '../testing/api-fixture.js';
import { bounceOf, postSigned, WEBHOOK_SECRET } from '../testing/relay-events.js';
import { Receivers } from '../webhook-endpoints/testing/receivers.js';

const METRICS = 'metrics-token-of-the-tests-0123456789';

onHttpDatabase((kind) => {
  describe('while a restored database is not accepted', () => {
    let api: TestApi;
    let gate: RestoreGate;
    let acme: string;

    beforeAll(async () => {
      api = await startTestApi(kind, { RELAY_WEBHOOK_SECRET: WEBHOOK_SECRET, METRICS_TOKEN: METRICS });
      acme = await api.key('acme', { domains_allowed: 0 });
      await api.as(acme).post('/domains/', { name: 'acme.example' }).expect(201);
      gate = api.container.get(RestoreGate);
    });
    beforeEach(() => gate.set(true));
    afterAll(() => api.close());

    const counters = async () => {
      const { sent_today, bytes_this_month } = (await api.as(MASTER).get('/domains/acme.example/outbound').expect(200))
        .body;
      return { sent_today, bytes_this_month };
    };

    it('master is served, and other valid tokens and POST /sessions are 503 with Retry-After; wrong ones stay 401', async () => {
      await api.as(MASTER).get('/domains/').expect(200);
      for (const token of [acme, READ]) {
        const { body, headers } = await api.as(token).get('/domains/').expect(503);
        expect(body.code).toBe('restore_not_accepted');
        expect(Number(headers['retry-after'])).toBeGreaterThan(0);
        await api.as(token).get('/metrics').expect(503);
      }
      const { body } = await api.as(acme).post('/sessions').expect(503);
      expect(body.code).toBe('restore_not_accepted');
      await api.as('wrong-token-of-the-tests-0123456789').get('/domains/').expect(401);
      await api.as(METRICS).get('/metrics').expect(200);
      await api.as(MASTER).get('/health').expect(200);
      gate.set(false);
      await api.as(acme).get('/domains/').expect(200);
    });

    it('every look and verdict defers before all other reasons, whatever the limits say, and counts nothing', async () => {
      await api.as(MASTER).put('/domains/acme.example/outbound', { outbound_enforcement: 'monitor' }).expect(200);
      const before = await counters();
      const deferred = { allowed: false, action: 'defer', reason: 'restore_not_accepted' };
      const policy = api.as(POLICY);
      const items = ['acme.example', 'made-in-the-window.example'].map((domain) => ({ domain, count: 1, bytes: 5 }));
      for (const record of [false, true]) {
        const { body } = await policy
          .post('/outbound/increments', { items: items.map((item) => ({ ...item, record })) })
          .expect(200);
        expect(body).toEqual(items.map(({ domain }) => ({ name: domain, ...deferred })));
      }
      const looks = items.map(({ domain }) => ({ domain, recipient: 'a@elsewhere.example' }));
      const { body } = await policy.post('/outbound/looks', { items: looks }).expect(200);
      expect(body).toMatchObject([deferred, deferred]);
      const one = await policy.post('/domains/acme.example/outbound/increment', { count: 3 }).expect(200);
      expect(one.body).toEqual({ name: 'acme.example', ...deferred });
      await policy
        .post('/transfer/increments', { items: [{ domain: 'acme.example', bytes: 9, id: 'r1' }] })
        .expect(503);
      expect((await policy.get('/domains/acme.example/outbound').expect(200)).body.verdict).toMatchObject({
        action: 'defer',
        reason: 'restore_not_accepted',
      });
      expect(await counters()).toEqual(before);
      gate.set(false);
      const { body: opened } = await policy.post('/outbound/increments', { items }).expect(200);
      expect(opened).toMatchObject([{ allowed: false, reason: 'not_verified' }, { reason: 'domain_not_found' }]);
    });

    it('no mail server is told which domains stop queued mail, so mail that is held stays held', async () => {
      const domains = { domains: ['acme.example'] };
      const { body } = await api.as(POLICY).post('/mail-queue/looks', domains).expect(503);
      expect(body.code).toBe('restore_not_accepted');
      gate.set(false);
      await api.as(POLICY).post('/mail-queue/looks', domains).expect(200);
    });

    it('master gets 503 where an endpoint would be called, and nothing is posted to it', async () => {
      const receivers = new Receivers();
      Object.assign(api.container.get(WebhookSender), { post: receivers.post });
      const endpoint = { url: 'https://operator.example/hook' };
      const { body } = await api.as(MASTER).post('/webhook-endpoints', endpoint).expect(201);
      for (const act of ['test', 'confirm']) {
        const answer = await api.as(MASTER).post(`/webhook-endpoints/${body.id}/${act}`).expect(503);
        expect(answer.body.code).toBe('restore_not_accepted');
      }
      expect(receivers.received).toEqual([]);
      gate.set(false);
      await api.as(MASTER).post(`/webhook-endpoints/${body.id}/confirm`).expect(200);
      expect(receivers.received).toHaveLength(1);
    });

    it('webhooks of the relay are kept', async () => {
      const before = await api.database.read('SELECT id FROM relay_event');
      expect(
        await postSigned(api.url, bounceOf('acme.example', ['gone@elsewhere.example'], { at: api.clock.now() }), {
          at: api.clock.now(),
        }),
      ).toBe(200);
      expect(await api.database.read('SELECT id FROM relay_event')).toHaveLength(before.length + 1);
    });
  });
});
