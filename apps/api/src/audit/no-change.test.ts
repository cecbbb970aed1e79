import { randomBytes } from 'node:crypto';
import { onHttpDatabase } from '@mailstead/adapters/database/testing/database-fixture';
import { MASTER, startTestApi, type TestApi } from '../testing/api-fixture.js';

const DOMAIN = '/domains/same.example';
const PASSWORD_HASH = '$2b$04$N9qo8uLOickgx2ZMRZoMyeIjZAgcfl7p92ldGxad68LJZdL17lhWy';

onHttpDatabase((kind) => {
  let api: TestApi;
  let key: string;
  let aliasId: number;
  let madeKeyId: number;

  beforeAll(async () => {
    api = await startTestApi(kind, {
      NOTIFY_WEBHOOK_URL: 'https://example.org/hook',
      NOTIFY_WEBHOOK_SECRET: `whsec_${randomBytes(32).toString('base64')}`,
    });
    key = await api.key('acme', { domains_allowed: 0 });
    for (const name of ['same.example', 'sub.same.example']) {
      await api.as(key).post('/domains/', { name }).expect(201);
    }
    for (const email of ['a@same.example', 'b@same.example']) {
      await api.as(key).post('/users/', { email, password_hash: PASSWORD_HASH }).expect(201);
    }
    madeKeyId = (await api.as(key).post('/me/keys', {}).expect(201)).body.id;
    const alias = { address: 'sales@same.example', destination: 'a@same.example' };
    aliasId = (await api.as(key).post('/aliases/', alias).expect(201)).body.id;
  });
  afterAll(() => api.close());

  /** Changes of every PUT route, in an order in which each of them has an effect. A route may have several. */
  const changes = (): [route: string, path: string, body: object, token?: string][] => [
    ['/api-keys/:token', `/api-keys/${key}`, { domains_allowed: 9, expires_at: '2030-01-01T00:00:00' }],
    ['/api-keys/:token', `/api-keys/${key}`, { active: true, aliases_per_mailbox: 7 }],
    ['/users/:email', '/users/a@same.example', { name: 'Ann', quota_mb: 100, outbound_daily_limit: 5, active: false }],
    ['/users/:email', '/users/a@same.example', { name: null }, key],
    ['/domains/:domain_name', DOMAIN, { external_ref: 'order-17' }, key],
    ['/partners/:partner_ref', '/partners/acme', { name: 'Acme', external_ref: 'customer-7' }],
    ['/me/keys/:key_id', `/me/keys/${madeKeyId}`, { name: 'shop', expires_at: '2030-01-01T00:00:00' }, key],
    ['/partners/:partner_ref/suspend', '/partners/acme/suspend', { stage: 'changes' }],
    ['/partners/:partner_ref/activate', '/partners/acme/activate', {}],
    ['/users/:email/quota', '/users/a@same.example/quota', { quota_mb: 200 }],
    ['/aliases/:alias', `/aliases/${aliasId}`, { destination: 'b@same.example' }, key],
    ['/domains/:domain_name/plan', `${DOMAIN}/plan`, { plan: 'business' }],
    ['/domains/:domain_name/plan', `${DOMAIN}/plan`, { plan: 'business', override: true }],
    ['/domains/:domain_name/retention', `${DOMAIN}/retention`, { retention_days: 30 }],
    ['/domains/:domain_name/transfer', `${DOMAIN}/transfer`, { transfer_monthly_mb: 77 }],
    ['/domains/:domain_name/inbound', `${DOMAIN}/inbound`, { inbound: 'open' }],
    [
      '/domains/:domain_name/outbound',
      `${DOMAIN}/outbound`,
      { outbound_tier: 'high', outbound_enforcement: 'monitor' },
    ],
    ['/domains/:domain_name/outbound', `${DOMAIN}/outbound`, { outbound_status: 'blocked' }],
    ['/domains/:domain_name/outbound', `${DOMAIN}/outbound`, { daily_limit: 50, monthly_limit: null }],
    ['/domains/:domain_name/outbound', `${DOMAIN}/outbound`, { daily_limit: 20, monthly_limit: 30 }, key],
    ['/domains/:domain_name/outbound', `${DOMAIN}/outbound`, { outbound_status: 'active' }],
    ['/domains/:domain_name/parent', `${DOMAIN}/parent`, { wildcard_mode: 'any' }],
    ['/domains/:domain_name/parent', '/domains/sub.same.example/parent', { parent: 'same.example' }],
    ['/domains/:domain_name/parent', '/domains/sub.same.example/parent', { parent: null }],
    ['/domains/:domain_name/suspend', `${DOMAIN}/suspend`, {}, key],
    ['/domains/:domain_name/activate', `${DOMAIN}/activate`, {}, key],
    ['/domains/:domain_name/suspend', `${DOMAIN}/suspend`, { cause: 'abuse' }],
    ['/domains/:domain_name/activate', `${DOMAIN}/activate`, {}],
    ['/domains/:domain_name/partner', `${DOMAIN}/partner`, { partner_ref: 'other' }],
    ['/outbound/tiers/:tier', '/outbound/tiers/basic', { daily_limit: 201, monthly_limit: 3_000 }],
  ];

  async function written(): Promise<Record<string, number>> {
    const count = async (table: string) =>
      Number((await api.database.read(`SELECT COUNT(*) AS found FROM ${table}`))[0]?.found);
    return {
      audit: await count('audit_log'),
      notifications: await count('notification'),
      jobs: api.jobs.jobs.length,
    };
  }

  it('the first PUT writes an audit row; the same PUT again writes no row, no notification and no job', async () => {
    const none: string[] = [];
    for (const [, path, body, token = MASTER] of changes()) {
      const before = await written();
      const first = await api.as(token).put(path, body).expect(200);
      const after = await written();
      if (after.audit === before.audit) none.push(`${path} ${JSON.stringify(body)}`);
      api.clock.advance(1_000);
      const second = await api.as(token).put(path, body).expect(200);
      expect([path, body, await written()]).toEqual([path, body, after]);
      if (!('mailboxes_updated' in first.body)) expect(second.body).toEqual(first.body);
    }
    expect(none).toEqual([]);
  });

  it('this list has every PUT route', () => {
    const served = api.routes.filter(({ method }) => method === 'put').map(({ path }) => path);
    expect(new Set(changes().map(([route]) => route))).toEqual(new Set(served));
  });

  it('a PUT of a password writes a row each time, because the stored hash is another one', async () => {
    for (let round = 0; round < 2; round += 1) {
      const before = await written();
      await api.as(MASTER).put('/users/a@same.example', { password: 'a long and good one' }).expect(200);
      expect((await written()).audit).toBe((before.audit ?? 0) + 1);
    }
  });

  it('an empty PUT writes no row', async () => {
    const before = await written();
    for (const path of ['/users/a@same.example', `/api-keys/${key}`, `${DOMAIN}/outbound`, `${DOMAIN}/parent`]) {
      expect([200, 422]).toContain((await api.as(MASTER).put(path, {})).status);
    }
    expect(await written()).toEqual(before);
  });

  it('caused no defect', () => {
    expect(api.log.defects).toEqual([]);
  });
});
