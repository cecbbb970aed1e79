import { createHmac, randomUUID } from 'node:crypto';
import { onHttpDatabase } from '@mailstead/adapters/database/testing/database-fixture';
import { DAY_MS, utcDay } from '@mailstead/core/clock';
import { ProcessRelayEvents } from '@mailstead/core/relay-events/process-relay-events';
import supertest from 'supertest';
import { MASTER, POLICY, startTestApi, type TestApi } from '../testing/api-fixture.js';

const SECRET = Buffer.from('a secret that only the tests know').toString('base64');

onHttpDatabase((kind) => {
  let api: TestApi;
  let acme: string;

  beforeAll(async () => {
    api = await startTestApi(kind, {
      RELAY_WEBHOOK_SECRET: `whsec_${SECRET}`,
      NOTIFY_WEBHOOK_URL: 'https://example.org/hook',
      NOTIFY_WEBHOOK_SECRET: `whsec_${SECRET}`,
    });
    acme = await api.key('acme');
  });
  afterAll(() => api.close());

  /** Creates a verified domain that sent this number of messages. */
  async function sending(name: string, sent: number): Promise<void> {
    await api.as(acme).post('/domains/', { name }).expect(201);
    await api.as(MASTER).put(`/domains/${name}/outbound`, { outbound_tier: 'unlimited' }).expect(200);
    await api.as(MASTER).post(`/domains/${name}/relay-verify`).expect(202);
    api.relay.says(name, 'verified');
    api.clock.advance(20_000);
    await api.as(acme).get(`/domains/${name}/relay-status`).expect(200);
    await api.as(POLICY).post(`/domains/${name}/outbound/increment`, { count: sent }).expect(200);
  }

  function bounce(
    domain: string,
    fields: {
      recipient?: string;
      messageId?: string;
      bounceType?: string;
      kind?: 'Bounce' | 'Complaint';
      shape?: string;
      at?: Date;
    } = {},
  ) {
    const {
      recipient = `${randomUUID()}@example.net`,
      messageId = randomUUID(),
      bounceType = 'Permanent',
      kind = 'Bounce',
      shape = 'notificationType',
      at = api.clock.now(),
    } = fields;
    const mail = {
      timestamp: at.toISOString(),
      messageId,
      source: `news@${domain}`,
      destination: [recipient],
      ...(shape === 'eventType' ? { tags: { 'ses:from-domain': [domain] } } : {}),
    };
    const what =
      kind === 'Bounce'
        ? {
            bounce: {
              bounceType,
              bounceSubType: 'General',
              bouncedRecipients: [{ emailAddress: recipient }],
              timestamp: at.toISOString(),
              feedbackId: randomUUID(),
            },
          }
        : {
            complaint: {
              complaintFeedbackType: 'abuse',
              complainedRecipients: [{ emailAddress: recipient }],
              timestamp: at.toISOString(),
              feedbackId: randomUUID(),
            },
          };
    return { [shape]: kind, mail, ...what };
  }

  function post(
    payload: unknown,
    { id = randomUUID(), secret = SECRET, age = 0 }: { id?: string; secret?: string; age?: number } = {},
  ) {
    const body = typeof payload === 'string' ? payload : JSON.stringify(payload);
    const timestamp = Math.floor(api.clock.now().getTime() / 1_000) - age;
    const signature = createHmac('sha256', Buffer.from(secret, 'base64'))
      .update(`${id}.${timestamp}.${body}`)
      .digest('base64');
    return supertest(api.url)
      .post('/webhooks/relay')
      .set({
        'Content-Type': 'application/json',
        'webhook-id': id,
        'webhook-timestamp': String(timestamp),
        'webhook-signature': `v1,${signature}`,
      })
      .send(body);
  }

  const process = () => api.container.get(ProcessRelayEvents).execute();
  const outbound = async (name: string) => (await api.as(acme).get(`/domains/${name}/outbound`).expect(200)).body;

  it('blocks a domain at 3 % and not before, with an audit row and a notification, once', async () => {
    await sending('rate.example', 100);
    for (let count = 0; count < 2; count += 1) await post(bounce('rate.example')).expect(200);
    await process();
    expect(await outbound('rate.example')).toMatchObject({ outbound_status: 'active', bounces: 2, bounce_rate: 0.02 });
    await post(bounce('rate.example')).expect(200);
    await process();
    expect(await outbound('rate.example')).toMatchObject({
      outbound_status: 'blocked',
      blocked_reason: 'bounce_rate',
      bounces: 3,
      bounce_rate: 0.03,
    });
    await post(bounce('rate.example')).expect(200);
    await process();
    const from = utcDay(new Date(api.clock.now().getTime() - 29 * DAY_MS));
    const counts = { from, sent: 100, bounces: 3, complaints: 0, rate: 0.03, rate_limit: 0.03 };
    expect((await outbound('rate.example')).verdict.causes).toMatchObject([{ cause: 'bounce_rate', counts }]);
    const audit = (await api.as(MASTER).get('/audit?domain=rate.example').expect(200)).body;
    expect(audit.filter(({ action }: { action: string }) => action === 'domain.outbound_block')).toHaveLength(1);
    const told = await api.database.read("SELECT data FROM notification WHERE type = 'domain.outbound_blocked'");
    expect(told).toHaveLength(1);
    const verdict = (await api.as(POLICY).post('/domains/rate.example/outbound/increment', {}).expect(200)).body;
    expect(verdict).toMatchObject({ allowed: false, action: 'reject', reason: 'outbound_blocked' });
  });

  it('does not block again for bounces before the unblock', async () => {
    await api.as(MASTER).put('/domains/rate.example/outbound', { outbound_status: 'active' }).expect(200);
    await post(bounce('rate.example')).expect(200);
    await process();
    expect(await outbound('rate.example')).toMatchObject({ outbound_status: 'active', bounces: 1 });
  });

  it('does not block for two bounces of fifty messages, nor for nine bounces of few messages', async () => {
    await sending('few.example', 20);
    for (let count = 0; count < 9; count += 1) await post(bounce('few.example')).expect(200);
    await process();
    expect((await outbound('few.example')).outbound_status).toBe('active');
    await post(bounce('few.example')).expect(200);
    await process();
    expect((await outbound('few.example')).outbound_status).toBe('blocked');
  });

  it('distinguishes events by their complete ids, whatever their length', async () => {
    await sending('long.example', 1_000);
    for (const end of ['a', 'b', 'b'])
      await post(bounce('long.example'), { id: `${'i'.repeat(254)}${end}` }).expect(200);
    await process();
    expect((await outbound('long.example')).bounces).toBe(2);
  });

  it('counts only permanent bounces, and counts none for an unknown domain', async () => {
    await sending('soft.example', 100);
    await post(bounce('soft.example', { bounceType: 'Transient' })).expect(200);
    await post(bounce('nobody.example')).expect(200);
    expect(await process()).toMatchObject({ listed: 1, unknown_domain: 1, counted: 0 });
    expect((await outbound('soft.example')).bounces).toBe(0);
  });

  it('refuses an event without a valid signature, too old, or of another format, and does not store it', async () => {
    const before = await api.database.read('SELECT id FROM relay_event');
    await post(bounce('rate.example'), { secret: Buffer.from('another secret').toString('base64') }).expect(403);
    await supertest(api.url).post('/webhooks/relay').send({}).expect(403);
    await post(bounce('rate.example'), { age: 301 }).expect(403);
    await post({ some: 'thing' }).expect(400);
    await post('not json').expect(400);
    await supertest(api.url).post('/webhooks/relay').set('Content-Type', 'text/html').send('<p>').expect(415);
    expect(await api.database.read('SELECT id FROM relay_event')).toHaveLength(before.length);
  });

  it('responds with 503 when the event cannot be stored, so that the provider sends it again', async () => {
    const openSession = api.database.openSession.bind(api.database);
    api.database.openSession = () => Promise.reject(Object.assign(new Error('away'), { code: 'ECONNREFUSED' }));
    const { body } = await post(bounce('rate.example')).expect(503);
    expect(body.code).toBe('database_unavailable');
    api.database.openSession = openSession;
    await post(bounce('rate.example')).expect(200);
  });

  it('also blocks the parent for bounces of its children', async () => {
    await sending('mother.example', 40);
    await api.as(MASTER).put('/domains/mother.example/parent', { wildcard_mode: 'any' }).expect(200);
    for (const child of ['a.mother.example', 'b.mother.example']) {
      await api.as(acme).post('/domains/', { name: child }).expect(201);
      await api.as(POLICY).post(`/domains/${child}/outbound/increment`, { count: 30 }).expect(200);
    }
    api.clock.advance(1_000);
    for (const child of ['a.mother.example', 'a.mother.example', 'b.mother.example'])
      await post(bounce(child)).expect(200);
    await process();
    expect((await outbound('a.mother.example')).outbound_status).toBe('active');
    expect(await outbound('mother.example')).toMatchObject({
      outbound_status: 'blocked',
      sent_this_month: 100,
      bounces: 3,
    });
    const verdict = (await api.as(POLICY).post('/domains/b.mother.example/outbound/increment', {}).expect(200)).body;
    expect(verdict).toMatchObject({ allowed: false, reason: 'outbound_blocked' });
  });

  it('no request of this suite caused a defect', () => {
    expect(api.log.defects).toEqual([]);
  });
});
