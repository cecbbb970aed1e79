import { onEachDatabase } from '@mailstead/adapters/database/testing/database-fixture';
import { CheckVerification } from '@mailstead/core/relay/check-verification';
import { MASTER, startTestApi, type TestApi } from '../testing/api-fixture.js';

const PASSWORD_HASH = '$2b$04$N9qo8uLOickgx2ZMRZoMyeIjZAgcfl7p92ldGxad68LJZdL17lhWy';

onEachDatabase((kind) => {
  let api: TestApi;

  beforeAll(async () => {
    api = await startTestApi(kind);
  });
  afterAll(() => api.close());

  it('stores the action, partner, domain, subject and changed values of every change', async () => {
    const master = api.as(MASTER);
    const token = await api.key('acme', { domains_allowed: 5 });
    await master.put(`/api-keys/${token}`, { domains_allowed: 6 }).expect(200);
    const client = api.as(token);
    await client.post('/domains/', { name: 'example.com' }).expect(201);
    await master.put('/domains/example.com/plan', { plan: 'business' }).expect(200);
    await master.put('/domains/example.com/retention', { retention_days: 7 }).expect(200);
    await client.put('/domains/example.com/suspend', {}).expect(200);
    await client.put('/domains/example.com/activate', {}).expect(200);
    await master.post('/domains/example.com/relay-verify').expect(202);
    api.relay.says('example.com', 'verified');
    const { id } = (await master.get('/domains/').expect(200)).body[0];
    await api.container.get(CheckVerification).execute(id, 'request-1');
    await client.post('/users/', { email: 'info@example.com', password_hash: PASSWORD_HASH }).expect(201);
    await client.put('/users/info@example.com', { name: 'Info' }).expect(200);
    const alias = { address: 'sales@example.com', destination: 'info@example.com' };
    await client.post('/aliases/', alias).expect(201);
    await client.delete('/aliases/sales@example.com').expect(204);
    await client.delete('/users/info@example.com').expect(204);
    await master.put('/domains/example.com/outbound', { outbound_tier: 'high' }).expect(200);
    await master.put('/domains/example.com/inbound', { inbound: 'pending' }).expect(200);
    await master.put('/domains/example.com/partner', { partner_ref: 'other' }).expect(200);
    await master.delete('/domains/example.com').expect(204);
    await master.put('/outbound/tiers/basic', { daily_limit: 201, monthly_limit: 3000 }).expect(200);
    await master.delete(`/api-keys/${token}`).expect(204);
    const rows = await api.database.read(
      'SELECT actor, action, partner_ref, domain, subject, value_before, value_after FROM audit_log ORDER BY id',
    );
    const names = { partner_ref: 'acme', domain: 'example.com', subject: 'example.com' };
    const key = { partner_ref: 'acme', domain: null, subject: 'clie…6789' };
    const limits = {
      domains_allowed: 5,
      mailboxes_per_domain: 0,
      aliases_per_mailbox: 0,
      active: true,
      expires_at: null,
    };
    const more = { ...limits, domains_allowed: 6 };
    const info = { ...names, subject: 'info@example.com' };
    const sales = { ...names, subject: 'sales@example.com' };
    const plain = { plan: null, retention_days: 0, transfer_monthly_mb: 0, mailboxes_updated: 0 };
    const mailbox = { name: null, quota_mb: 2_048, outbound_daily_limit: 0 };
    const outbound = {
      outbound_tier: null,
      outbound_enforcement: null,
      outbound_status: 'active',
      operator_daily_limit: null,
      operator_monthly_limit: null,
      client_daily_limit: null,
      client_monthly_limit: null,
    };
    const tier = { daily_limit: 200, monthly_limit: 3_000 };
    const business = { plan: 'business', retention_days: 60, transfer_monthly_mb: 10_240, mailboxes_updated: 0 };
    const kept = (actor: string, action: string, about: object, before: object | null, after: object | null) => ({
      actor,
      action,
      ...about,
      value_before: before === null ? null : JSON.stringify(before),
      value_after: after === null ? null : JSON.stringify(after),
    });
    expect(rows).toEqual([
      kept('master', 'api_key.create', key, null, limits),
      kept('master', 'api_key.update', key, limits, more),
      kept('key:1', 'domain.create', names, null, { name: 'example.com', parent: null, inbound: 'pending' }),
      kept('master', 'domain.change_plan', names, plain, business),
      kept('master', 'domain.set_retention', names, { retention_days: 60 }, { retention_days: 7 }),
      kept('key:1', 'domain.suspend', names, { suspension_causes: [] }, { suspension_causes: ['partner'] }),
      kept('key:1', 'domain.activate', names, { suspension_causes: ['partner'] }, { suspension_causes: [] }),
      kept(
        'master',
        'domain.relay_verify',
        names,
        { verification_status: 'unverified' },
        { verification_status: 'pending' },
      ),
      kept('verification', 'domain.verified', names, null, { verification_status: 'verified', inbound: 'open' }),
      kept('key:1', 'mailbox.create', info, null, mailbox),
      kept('key:1', 'mailbox.update', info, { ...mailbox, active: true }, { ...mailbox, name: 'Info', active: true }),
      kept('key:1', 'alias.create', sales, null, { destination: 'info@example.com' }),
      kept('key:1', 'alias.delete', sales, { destinations: ['info@example.com'] }, null),
      kept('key:1', 'mailbox.delete', info, { name: 'Info', quota_mb: 2_048, aliases: 0 }, null),
      kept('master', 'domain.configure_outbound', names, outbound, { ...outbound, outbound_tier: 'high' }),
      kept('master', 'domain.set_inbound', names, { inbound: 'open' }, { inbound: 'pending' }),
      kept(
        'master',
        'domain.move',
        { ...names, partner_ref: 'other' },
        { partner_ref: 'acme' },
        { partner_ref: 'other' },
      ),
      kept(
        'master',
        'domain.delete',
        { ...names, partner_ref: 'other' },
        { name: 'example.com', mailboxes: 0, aliases: 0 },
        null,
      ),
      kept('master', 'outbound_tier.set', { partner_ref: null, domain: null, subject: 'basic' }, tier, {
        ...tier,
        daily_limit: 201,
      }),
      kept('master', 'api_key.delete', key, more, null),
    ]);
  });
});
