import { randomBytes } from 'node:crypto';
import { onHttpDatabase } from '@mailstead/adapters/database/testing/database-fixture';
import { CheckVerification } from '@mailstead/core/relay/check-verification';
import { MASTER, startTestApi, type TestApi } from '../testing/api-fixture.js';

const PASSWORD_HASH = '$2b$04$N9qo8uLOickgx2ZMRZoMyeIjZAgcfl7p92ldGxad68LJZdL17lhWy';
const DOMAIN = '/domains/same.example';

onHttpDatabase((kind) => {
  describe('the audit log', () => {
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
        name: null,
        scope: 'manage',
        domains: null,
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
        temporary_daily_limit: null,
        temporary_monthly_limit: null,
        temporary_limits_until: null,
        client_daily_limit: null,
        client_monthly_limit: null,
      };
      const rest = { active: true, external_ref: null };
      const tier = { daily_limit: 200, monthly_limit: 3_000 };
      const business = { plan: 'business', retention_days: 60, transfer_monthly_mb: 10_240, mailboxes_updated: 0 };
      const lowered = { retention_days: 60, effective_at: '2026-03-29T12:00:00.000', reminder: false };
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
        kept('master', 'domain.retention_lowered', names, { retention_days: 0 }, lowered),
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
        kept('key:1', 'mailbox.update', info, { ...mailbox, ...rest }, { ...mailbox, name: 'Info', ...rest }),
        kept('key:1', 'alias.create', sales, null, { destination: 'info@example.com' }),
        kept('key:1', 'alias.delete', sales, { destinations: ['info@example.com'] }, null),
        kept('key:1', 'mailbox.delete', info, { name: 'Info', quota_mb: 2_048, aliases: 0 }, null),
        kept('master', 'domain.configure_outbound', names, outbound, { ...outbound, outbound_tier: 'high' }),
        kept('master', 'domain.set_inbound', names, { inbound: 'open' }, { inbound: 'pending' }),
        kept('master', 'domain.move', names, { partner_ref: 'acme' }, null),
        kept('master', 'domain.move', { ...names, partner_ref: 'other' }, null, { partner_ref: 'other' }),
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

    it('distinguishes two requests with one X-Request-Id by the id that the service gives each, as the log does', async () => {
      for (const name of ['first.example', 'second.example']) {
        await api.as(MASTER).post('/domains/', { name }).set('X-Request-Id', 'the-same').expect(201);
      }
      const rows = (await api.as(MASTER).get('/audit').expect(200)).body as Record<string, unknown>[];
      const same = rows.filter(({ request_id }) => request_id === 'the-same');
      expect(same.map(({ subject }) => subject)).toEqual(['first.example', 'second.example']);
      const logged = api.log.lines
        .filter(({ requestId }) => requestId === 'the-same')
        .map(({ requestUid }) => requestUid);
      expect(same.map(({ request_uid }) => request_uid)).toEqual(logged);
      expect(new Set(logged).size).toBe(2);
      for (const uid of logged) expect(uid).toMatch(/^[0-9a-f-]{36}$/);
    });

    it('shows the same two ids for a request without an id of its own, and no own id for a job', async () => {
      const { headers } = await api.as(MASTER).post('/domains/', { name: 'third.example' }).expect(201);
      const rows = (await api.as(MASTER).get('/audit?domain=third.example').expect(200)).body as Record<
        string,
        unknown
      >[];
      expect(rows).toMatchObject([{ request_id: headers['x-request-id'], request_uid: headers['x-request-id'] }]);
      const all = (await api.as(MASTER).get('/audit').expect(200)).body as Record<string, unknown>[];
      const byJob = all.filter(({ actor }) => actor === 'verification');
      expect(byJob).toMatchObject([{ request_id: 'request-1', request_uid: null }]);
    });

    it('filters by action, by the exact subject and by time', async () => {
      const master = api.as(MASTER);
      const subjects = async (query: string) =>
        ((await master.get(`/audit?${query}`).expect(200)).body as { subject: string }[]).map(({ subject }) => subject);
      const at = api.clock.now().getTime();
      api.clock.advance(60_000);
      await master.post('/domains/', { name: 'fourth.example' }).expect(201);
      const minute = (minutes: number) => new Date(at + minutes * 60_000).toISOString();
      expect(await subjects('action=alias.create')).toEqual(['sales@example.com']);
      expect(await subjects('action=alias.no_such')).toEqual([]);
      expect(await subjects('subject=info@example.com&action=mailbox.update')).toEqual(['info@example.com']);
      expect(await subjects('subject=info')).toEqual([]);
      expect(await subjects(`since=${minute(1)}`)).toEqual(['fourth.example']);
      expect(await subjects(`since=${minute(1)}&until=${minute(1)}`)).toEqual([]);
      expect(await subjects(`until=${minute(1)}`)).not.toContain('fourth.example');
      for (const query of ['action=a', 'since=yesterday']) await master.get(`/audit?${query}`).expect(422);
    });

    it('lists the newest rows first with order=desc, page by page', async () => {
      const ids = (query: string) =>
        api
          .as(MASTER)
          .get(`/audit?${query}`)
          .expect(200)
          .then(({ body, headers }) => ({
            ids: (body as { id: number }[]).map(({ id }) => id),
            link: headers.link as string | undefined,
          }));
      const oldestFirst = (await ids('')).ids;
      expect((await ids('order=desc')).ids).toEqual([...oldestFirst].reverse());
      expect((await ids('order=asc')).ids).toEqual(oldestFirst);
      const seen: number[] = [];
      for (let query = 'order=desc&limit=7'; query !== ''; ) {
        const { ids: found, link } = await ids(query);
        seen.push(...found);
        query = /\?(.+)>/.exec(link ?? '')?.[1] ?? '';
      }
      expect(seen).toEqual([...oldestFirst].reverse());
      expect((await api.as(MASTER).get('/audit?order=newest').expect(422)).body.errors).toMatchObject([
        { field: 'order' },
      ]);
    });
  });

  describe('a request that changes nothing', () => {
    let api: TestApi;
    let key: string;
    let aliasId: number;
    let createdKeyId: number;
    let endpointId: number;

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
      endpointId = (await api.as(key).post('/webhook-endpoints', { url: 'https://a.example.net/' }).expect(201)).body
        .id;
      createdKeyId = (await api.as(key).post('/me/keys', {}).expect(201)).body.id;
      const alias = { address: 'sales@same.example', destination: 'a@same.example' };
      aliasId = (await api.as(key).post('/aliases/', alias).expect(201)).body.id;
    });
    afterAll(() => api.close());

    /** Changes of every PUT route, in an order in which each of them has an effect. A route may have several. */
    const changes = (): [route: string, path: string, body: object, token?: string][] => [
      ['/api-keys/:token', `/api-keys/${key}`, { domains_allowed: 9, expires_at: '2030-01-01T00:00:00' }],
      ['/api-keys/:token', `/api-keys/${key}`, { active: true, aliases_per_mailbox: 7 }],
      [
        '/users/:email',
        '/users/a@same.example',
        { name: 'Ann', quota_mb: 100, outbound_daily_limit: 5, active: false },
      ],
      ['/users/:email', '/users/a@same.example', { name: null }, key],
      ['/domains/:domain_name', DOMAIN, { external_ref: 'order-17' }, key],
      ['/partners/:partner_ref', '/partners/acme', { name: 'Acme', external_ref: 'customer-7' }],
      ['/me/keys/:key_id', `/me/keys/${createdKeyId}`, { name: 'shop', expires_at: '2030-01-01T00:00:00' }, key],
      ['/webhook-endpoints/:endpoint_id', `/webhook-endpoints/${endpointId}`, { description: 'shop' }, key],
      ['/me/brand', '/me/brand', { name: 'Acme Mail', colour: '#0f3a58', support_url: null }, key],
      ['/partners/:partner_ref/brand', '/partners/acme/brand', { language: 'de', locked: true }],
      ['/me/suppressions', '/me/suppressions', { mode: 'refuse' }, key],
      ['/partners/:partner_ref/suppressions', '/partners/acme/suppressions', { mode: 'list' }],
      ['/partners/:partner_ref/suspend', '/partners/acme/suspend', { stage: 'changes' }],
      ['/partners/:partner_ref/activate', '/partners/acme/activate', {}],
      ['/users/:email/quota', '/users/a@same.example/quota', { quota_mb: 200 }],
      ['/aliases/:alias', `/aliases/${aliasId}`, { destination: 'b@same.example' }, key],
      ['/domains/:domain_name/plan', `${DOMAIN}/plan`, { plan: 'business' }],
      ['/domains/:domain_name/plan', `${DOMAIN}/plan`, { plan: 'business', override: true }],
      ['/domains/:domain_name/retention', `${DOMAIN}/retention`, { retention_days: 30 }],
      ['/domains/:domain_name/transfer', `${DOMAIN}/transfer`, { transfer_monthly_mb: 77 }],
      ['/domains/:domain_name/inbound', `${DOMAIN}/inbound`, { inbound: 'open' }],
      ['/domains/:domain_name/front-hosts', `${DOMAIN}/front-hosts`, { hosts: ['mx.filter.example'] }, key],
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
      // A partner has a relay tenant with SES alone (`partner-relay.test.ts`).
      const others = ['/partners/:partner_ref/relay'];
      expect(new Set([...changes().map(([route]) => route), ...others])).toEqual(new Set(served));
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
});
