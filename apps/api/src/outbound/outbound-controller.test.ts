import { onHttpDatabase } from '@mailstead/adapters/database/testing/database-fixture';
import { BILLING, MASTER, POLICY, READ, startTestApi, type TestApi } from '../testing/api-fixture.js';

onHttpDatabase((kind) => {
  describe('outbound', () => {
    let api: TestApi;
    let acme: string;
    let other: string;
    let made = 0;
    beforeAll(async () => {
      api = await startTestApi(kind);
      acme = await api.key('acme');
      other = await api.key('other');
    });
    afterAll(() => api.close());

    /** Creates a verified domain of acme. */
    async function aDomain(verified = true): Promise<string> {
      made += 1;
      const name = `outbound-${made}.example`;
      const { body } = await api.as(acme).post('/domains/', { name }).expect(201);
      if (verified)
        await api.database.write("UPDATE verification SET status = 'verified' WHERE domain_id = ?", [body.id]);
      return name;
    }

    const increment = (name: string, body?: object) => api.as(POLICY).post(`/domains/${name}/outbound/increment`, body);

    it('counts one message without a body and returns the verdict of the contract', async () => {
      const name = await aDomain();
      const { body } = await increment(name).expect(200);
      expect(body).toEqual({
        name,
        allowed: true,
        action: 'accept',
        reason: null,
        sent_today: 1,
        sent_this_month: 1,
        daily_limit: 200,
        monthly_limit: 3_000,
        outbound_status: 'active',
        verified: true,
      });
    });

    it('rejects mail of an unverified domain', async () => {
      const { body } = await increment(await aDomain(false), { count: 1 }).expect(200);
      expect(body).toMatchObject({ allowed: false, action: 'reject', reason: 'not_verified', verified: false });
    });

    it('is closed to clients, and to operators of another scope', async () => {
      const name = await aDomain();
      for (const path of [
        `/domains/${name}/outbound/increment`,
        '/outbound/increments',
        '/transfer/increments',
        '/outbound/senders/check',
      ]) {
        await api.as(acme).post(path, {}).expect(403);
        await api.as(BILLING).post(path, {}).expect(403);
        await api.as(READ).post(path, {}).expect(403);
      }
      for (const path of ['/outbound/reset-daily', '/outbound/reset-monthly']) {
        await api.as(acme).post(path).expect(403);
        await api.as(POLICY).post(path).expect(403);
      }
      await api.as(acme).put('/outbound/tiers/basic', { daily_limit: 1, monthly_limit: 1 }).expect(403);
    });

    it.each([
      [{ count: 0 }, 'count'],
      [{ count: 10_001 }, 'count'],
      [{ count: '1' }, 'count'],
      [{ bytes: -1 }, 'bytes'],
      [{ id: '' }, 'id'],
      [{ id: 'x'.repeat(129) }, 'id'],
      [{ sender: 'pösten@example.com' }, 'sender'],
      [{ recrod: true }, 'recrod'],
    ])('refuses %j', async (body, field) => {
      const answer = await increment(await aDomain(), body).expect(422);
      expect(answer.body.errors).toEqual([expect.objectContaining({ field })]);
    });

    it('responds with 404 for an unknown domain, and with 422 for an id that was used with another count', async () => {
      const { body } = await increment('absent.example').expect(404);
      expect(body.detail).toBe('Domain not found');
      const name = await aDomain();
      const first = await increment(name, { id: 'A', count: 2 }).expect(200);
      expect((await increment(name, { id: 'A', count: 2 }).expect(200)).body).toEqual(first.body);
      expect((await increment(name, { id: 'A', count: 1 }).expect(422)).body.code).toBe('increment_id_reused');
      await increment(name, { id: 'a', count: 1 }).expect(200);
    });

    it('returns one verdict for each of many items, in order, and refuses only the wrong ones', async () => {
      const name = await aDomain();
      const items = [
        { domain: name, count: 2, id: 'x' },
        { domain: 'absent.example' },
        { domain: 'not a domain' },
        { domain: name.toUpperCase(), count: 2, id: 'x' },
        { domain: name, count: 3, id: 'x' },
      ];
      const { body } = await api.as(POLICY).post('/outbound/increments', { items }).expect(200);
      const unknown = { allowed: false, action: 'reject', reason: 'domain_not_found' };
      expect(body).toEqual([
        expect.objectContaining({ name, allowed: true, sent_today: 2, relay: null, headroom: 198 }),
        { name: 'absent.example', ...unknown },
        { name: 'not a domain', ...unknown },
        expect.objectContaining({ name, allowed: true, sent_today: 2 }),
        { name, allowed: false, action: 'reject', reason: 'increment_id_reused' },
      ]);
      await api.as(POLICY).post('/outbound/increments', { items: [] }).expect(422);
      const tooMany = Array.from({ length: 1_001 }, () => ({ domain: name }));
      await api.as(POLICY).post('/outbound/increments', { items: tooMany }).expect(422);
    });

    it('lets master change every setting; unblocking starts a new bounce window', async () => {
      const name = await aDomain();
      const put = (body: object) => api.as(MASTER).put(`/domains/${name}/outbound`, body).expect(200);
      const { body } = await put({
        outbound_tier: 'high',
        outbound_enforcement: 'monitor',
        outbound_status: 'blocked',
      });
      expect(body).toMatchObject({
        outbound_tier: 'high',
        outbound_enforcement: 'monitor',
        outbound_status: 'blocked',
        blocked_reason: 'operator',
        blocked_at: '2026-03-15T12:00:00.000',
        daily_limit: 20_000,
      });
      expect((await increment(name)).body).toMatchObject({ allowed: false, reason: 'outbound_blocked' });
      expect((await put({ outbound_status: 'active' })).body).toMatchObject({
        outbound_status: 'active',
        blocked_reason: null,
      });
      expect((await put({ daily_limit: 7, monthly_limit: 0 })).body).toMatchObject({
        daily_limit: 7,
        monthly_limit: 0,
      });
      expect((await put({ daily_limit: null })).body).toMatchObject({ daily_limit: 20_000, monthly_limit: 0 });
      expect((await put({ outbound_tier: null, outbound_enforcement: null })).body).toMatchObject({
        outbound_tier: 'basic',
        outbound_enforcement: 'enforce',
      });
    });

    it('lets a client set lower limits and nothing else', async () => {
      const name = await aDomain();
      const put = (body: object) => api.as(acme).put(`/domains/${name}/outbound`, body);
      for (const field of [{ outbound_tier: 'high' }, { outbound_enforcement: null }, { outbound_status: 'active' }]) {
        expect((await put(field).expect(403)).body.detail).toBe(
          'Client tokens cannot modify outbound_tier, outbound_enforcement or outbound_status',
        );
      }
      await put({ daily_limit: 201 }).expect(403);
      await put({ daily_limit: 0 }).expect(403);
      expect((await put({ daily_limit: 200 }).expect(200)).body.daily_limit).toBe(200);
      expect((await put({ daily_limit: 50 }).expect(200)).body).toMatchObject({
        daily_limit: 50,
        monthly_limit: 3_000,
      });
      await api.as(MASTER).put(`/domains/${name}/outbound`, { daily_limit: 40 });
      expect((await put({}).expect(200)).body.daily_limit).toBe(40);
      await api.as(MASTER).put(`/domains/${name}/outbound`, { outbound_tier: 'unlimited', daily_limit: null });
      expect((await put({ monthly_limit: 0 }).expect(200)).body).toMatchObject({ daily_limit: 50, monthly_limit: 0 });
      expect((await put({ daily_limit: null }).expect(200)).body.daily_limit).toBe(0);
    });

    it('lists senders, highest count first, with the limits of their mailboxes, also in pages', async () => {
      const name = await aDomain();
      await api
        .as(acme)
        .post('/users/', { email: `anna@${name}`, password: 'correct horse', outbound_daily_limit: 3 })
        .expect(201);
      await increment(name, { sender: `Anna@${name}`, count: 3 });
      await increment(name, { sender: 'nobody', count: 4 });
      await increment(name, { sender: '' });
      expect((await increment(name, { sender: `anna@${name}` })).body).toMatchObject({
        action: 'defer',
        reason: 'mailbox_limit',
      });
      const rows = [
        { sender: 'nobody', sent_today: 4, outbound_daily_limit: null },
        { sender: `anna@${name}`, sent_today: 3, outbound_daily_limit: 3 },
      ];
      const path = `/domains/${name}/outbound/senders`;
      expect((await api.as(acme).get(path).expect(200)).body).toEqual(rows);
      expect((await api.as(acme).get(`${path}?limit=1`)).body).toEqual([rows[0]]);
      expect((await api.as(acme).get(`${path}?limit=1&after=1`)).body).toEqual([rows[1]]);
    });

    it('does not name the senders of another partner after a move', async () => {
      const [moved, kept] = [await aDomain(), await aDomain()];
      for (const name of [moved, kept]) await increment(moved, { sender: `anna@${name}` });
      const senders = async (token: string) => {
        const { body } = await api.as(token).get(`/domains/${moved}/outbound/senders`).expect(200);
        return (body as { sender: string }[]).map(({ sender }) => sender).toSorted();
      };
      const both = [`anna@${moved}`, `anna@${kept}`].toSorted();
      expect(await senders(acme)).toEqual(both);
      await api.as(MASTER).put(`/domains/${moved}/partner`, { partner_ref: 'other' }).expect(200);
      expect(await senders(other)).toEqual([`anna@${moved}`]);
      expect(await senders(MASTER)).toEqual(both);
    });

    it('resets on request, writes the counters into the history, and lists it newest first', async () => {
      const name = await aDomain();
      const sent = async () => (await api.as(acme).get(`/domains/${name}/outbound`)).body;
      const reset = async (path: string) => (await api.as(MASTER).post(path).expect(200)).body;
      await reset('/outbound/reset-monthly');
      await increment(name, { count: 3, bytes: 5 });
      expect((await reset('/outbound/reset-daily')).reset).toBeGreaterThanOrEqual(1);
      expect(await reset('/outbound/reset-daily')).toEqual({ reset: 0 });
      expect(await sent()).toMatchObject({ sent_today: 0, sent_this_month: 3 });
      expect(await reset('/outbound/reset-monthly')).toEqual({ frozen: 1, reset: 1 });
      expect(await sent()).toMatchObject({ sent_this_month: 0, bytes_this_month: 0 });
      await increment(name, { count: 1 });
      expect(await reset('/outbound/reset-monthly')).toEqual({ frozen: 1, reset: 1 });
      const path = `/domains/${name}/outbound/history`;
      const { body } = await api.as(acme).get(path).expect(200);
      expect(body).toEqual([
        expect.objectContaining({ sent: 1, bytes: 0, period_end: '2026-03-15T12:00:00.000' }),
        expect.objectContaining({ sent: 3, bytes: 5, bounces: 0, complaints: 0 }),
      ]);
      const first = await api.as(acme).get(`${path}?limit=1`).expect(200);
      expect(first.body).toEqual([body[0]]);
      expect((await api.as(acme).get(`${path}?limit=1&after=${body[0].id}`)).body).toEqual([body[1]]);
    });

    it('shows the tiers to every caller, and applies changes by master immediately', async () => {
      expect((await api.as(acme).get('/outbound/tiers').expect(200)).body).toEqual([
        { tier: 'basic', daily_limit: 200, monthly_limit: 3_000 },
        { tier: 'standard', daily_limit: 2_000, monthly_limit: 40_000 },
        { tier: 'high', daily_limit: 20_000, monthly_limit: 400_000 },
        { tier: 'unlimited', daily_limit: 0, monthly_limit: 0 },
      ]);
      const name = await aDomain();
      const set = (daily_limit: number) =>
        api.as(MASTER).put('/outbound/tiers/basic', { daily_limit, monthly_limit: 3_000 });
      expect((await set(2).expect(200)).body).toEqual({ tier: 'basic', daily_limit: 2, monthly_limit: 3_000 });
      expect((await increment(name, { count: 3 })).body).toMatchObject({
        action: 'reject',
        reason: 'message_exceeds_limit',
      });
      await set(200).expect(200);
      await api.as(MASTER).put('/outbound/tiers/gold', { daily_limit: 1, monthly_limit: 1 }).expect(404);
      await api.as(MASTER).put('/outbound/tiers/basic', { daily_limit: 1 }).expect(422);
    });

    it('returns the same verdict for a look as for an increment, and counts nothing', async () => {
      const name = await aDomain();
      await api.as(MASTER).put(`/domains/${name}/outbound`, { daily_limit: 2 }).expect(200);
      await api.as(MASTER).put(`/domains/${name}/inbound`, { inbound: 'open' }).expect(200);
      const look = async (fields: object = {}) =>
        (
          await api
            .as(POLICY)
            .post('/outbound/looks', { items: [{ domain: name, ...fields }] })
            .expect(200)
        ).body[0];
      for (let round = 0; round < 3; round += 1) expect(await look()).toMatchObject({ allowed: true, sent_today: 0 });
      await increment(name, { count: 2 }).expect(200);
      expect(await look()).toMatchObject({ allowed: false, action: 'defer', reason: 'daily_limit', sent_today: 2 });
      expect(await look({ recipient_domain: name.toUpperCase() })).toMatchObject({ stays_here: true });
      expect(await look({ recipient_domain: 'elsewhere.example' })).toMatchObject({ stays_here: false });
      expect(await look({ recipient_domain: 'no domain' })).toMatchObject({ stays_here: false });
      const items = [{ domain: 'absent.example' }, { domain: name }, { domain: 'not a name' }];
      expect((await api.as(POLICY).post('/outbound/looks', { items }).expect(200)).body).toMatchObject([
        { reason: 'domain_not_found' },
        { reason: 'daily_limit' },
        { reason: 'domain_not_found' },
      ]);
    });

    it('counts inbound bytes once for each id against the transfer cap', async () => {
      const name = await aDomain();
      await api.as(MASTER).put(`/domains/${name}/transfer`, { transfer_monthly_mb: 1 }).expect(200);
      const items = [
        { domain: name, bytes: 1_048_576, id: 't' },
        { domain: name, bytes: 1_048_576, id: 't' },
        { domain: 'absent.example', bytes: 1 },
      ];
      expect((await api.as(POLICY).post('/transfer/increments', { items }).expect(200)).body).toEqual([
        { name, counted: true, reason: null, bytes_this_month: 1_048_576 },
        { name, counted: true, reason: null, bytes_this_month: 1_048_576 },
        { name: 'absent.example', counted: false, reason: 'domain_not_found' },
      ]);
      expect((await increment(name, { id: 't' })).body).toMatchObject({ action: 'defer', reason: 'transfer_limit' });
    });

    it('returns whether logins may send from addresses, in order', async () => {
      const name = await aDomain();
      const password = 'correct horse';
      await api
        .as(acme)
        .post('/users/', { email: `anna@${name}`, password })
        .expect(201);
      await api
        .as(acme)
        .post('/users/', { email: `off@${name}`, password })
        .expect(201);
      await api.as(MASTER).put(`/domains/${name}/inbound`, { inbound: 'open' }).expect(200);
      const claims: [string, string, boolean][] = [
        [`anna@${name}`, `anna@${name}`, true],
        [`ANNA@${name}`, `Anna+news@${name.toUpperCase()}`, true],
        [`anna@${name}`, `off@${name}`, false],
        [`anna@${name}`, 'not an address', false],
        [`off@${name}`, `anna@${name}`, false],
      ];
      const items = claims.map(([login, address]) => ({ login, address }));
      const { body } = await api.as(POLICY).post('/outbound/senders/check', { items }).expect(200);
      expect(body).toEqual(claims.map(([login, address, allowed]) => ({ login, address, allowed })));
      await api.as(MASTER).post('/outbound/senders/check', { items }).expect(200);
      await api.as(POLICY).post('/outbound/senders/check', { items: [] }).expect(422);
      const tooMany = Array.from({ length: 1_001 }, () => items[0]);
      await api.as(POLICY).post('/outbound/senders/check', { items: tooMany }).expect(422);
    });

    it('defers while suspended', async () => {
      const name = await aDomain();
      await api.as(acme).put(`/domains/${name}/suspend`).expect(200);
      expect((await increment(name)).body).toMatchObject({ action: 'defer', reason: 'domain_suspended' });
    });
  });
});
