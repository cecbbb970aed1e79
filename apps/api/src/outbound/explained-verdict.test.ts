import { onHttpDatabase } from '@mailstead/adapters/database/testing/database-fixture';
import { BILLING, MASTER, POLICY, READ, startTestApi, type TestApi } from '../testing/api-fixture.js';
import { Browser } from '../testing/browser.js';
import { verifyDomain } from '../testing/verify-domain.js';

const HASH = '$2y$04$N9qo8uLOickgx2ZMRZoMyeIjZAgcfl7p92ldGxad68LJZdL17lhWy';
const START = new Date('2026-03-15T12:00:00.000Z');
const AT = '2026-03-15T12:00:00.000';
const MIDNIGHT = '2026-03-16T00:00:00.000';
const ACCEPTED = {
  action: 'accept',
  reason: null,
  limited_by: null,
  also: [],
  causes: [],
  limit: null,
  since: null,
  until: null,
  lifted_by: [],
};

onHttpDatabase((kind) => {
  let api: TestApi;
  let ref: string;
  let token: string;
  let name: string;
  let box: string;
  let made = 0;

  beforeAll(async () => {
    api = await startTestApi(kind);
  });
  afterAll(() => api.close());

  beforeEach(async () => {
    made += 1;
    ref = `partner-${made}`;
    name = `told-${made}.example`;
    box = `box@${name}`;
    token = await api.key(ref);
    await verifyDomain(api, token, name);
    await api.as(token).post('/users/', { email: box, password_hash: HASH }).expect(201);
    api.clock.set(START);
  });

  const outbound = async (as = token, of = name) => (await api.as(as).get(`/domains/${of}/outbound`).expect(200)).body;
  const verdict = async (as = token) => (await outbound(as)).verdict;
  const mailbox = async (as = token) => (await api.as(as).get(`/users/${box}`).expect(200)).body;
  const put = (path: string, body?: object, as = MASTER) => api.as(as).put(path, body).expect(200);
  const increment = (body: object, of = name) =>
    api.as(POLICY).post(`/domains/${of}/outbound/increment`, body).expect(200);
  const later = (minutes: number) => api.clock.set(new Date(START.getTime() + minutes * 60_000));
  const cause = (word: string, of: string, since: string | null, by: string | null, liftable: boolean) => {
    return { cause: word, of, since, by, liftable, counts: null, message: null };
  };

  it('a domain that may send has no reason, no cause and nobody who must act, and its mail comes in', async () => {
    for (const read of [outbound, mailbox]) {
      expect(await read()).toMatchObject({ verdict: ACCEPTED, incoming: { action: 'accept', reason: null } });
    }
    expect(await mailbox(READ)).toMatchObject({ verdict: ACCEPTED });
  });

  it('a suspended domain names each cause, since when, by whom, and whether the caller may lift it', async () => {
    await put(`/domains/${name}/suspend`, {}, token);
    later(5);
    await put(`/domains/${name}/suspend`, { cause: 'abuse' });
    later(9);
    const { body: key } = await api.as(token).get('/me').expect(200);
    const own = (liftable: boolean) => cause('partner', 'domain', AT, `key:${key.key_id}`, liftable);
    const abuse = (by: string, liftable: boolean) => cause('abuse', 'domain', '2026-03-15T12:05:00.000', by, liftable);
    const stopped = {
      action: 'defer',
      reason: 'domain_suspended',
      since: AT,
      until: null,
      lifted_by: ['partner', 'operator'],
    };
    expect(await verdict()).toMatchObject({ ...stopped, causes: [own(true), abuse('operator', false)] });
    expect(await verdict(MASTER)).toMatchObject({ ...stopped, causes: [own(true), abuse('master', true)] });
    expect(await verdict(READ)).toMatchObject({ ...stopped, causes: [own(false), abuse('master', false)] });
    expect(await mailbox()).toMatchObject({
      verdict: { ...stopped, causes: [own(true), abuse('operator', false)] },
      incoming: { action: 'defer', reason: 'domain_suspended' },
    });
    await put(`/domains/${name}/activate`, {}, token);
    await put(`/domains/${name}/suspend`, {}, token);
    expect((await verdict()).causes[0]).toMatchObject({ cause: 'partner', since: '2026-03-15T12:09:00.000' });
  });

  it('what a partner may lift is what `activate` lifts: nothing while it is suspended, and nothing by a read key', async () => {
    await put(`/domains/${name}/suspend`, {}, token);
    const readKey = await api.key(ref, { scope: 'read' });
    expect((await verdict(readKey)).causes).toMatchObject([{ cause: 'partner', liftable: false }]);
    await put(`/partners/${ref}/suspend`, { stage: 'changes' });
    expect((await verdict()).causes).toMatchObject([
      { cause: 'partner', of: 'domain', liftable: false },
      { cause: 'operator', of: 'partner', liftable: false },
    ]);
    await api.as(token).put(`/domains/${name}/activate`).expect(403);
  });

  it.each(['changes', 'all'])('a partner suspended in the stage `%s` is the cause of its domains', async (stage) => {
    await put(`/partners/${ref}/suspend`, { stage }, BILLING);
    later(30);
    await put(`/partners/${ref}/suspend`, { cause: 'operator', stage: 'changes' });
    // Another stage is not another beginning.
    await put(`/partners/${ref}/suspend`, { cause: 'billing', stage: 'all' });
    await put(`/partners/${ref}/suspend`, { cause: 'billing', stage });
    const seen = await outbound();
    expect(seen.verdict).toEqual({
      ...ACCEPTED,
      action: 'defer',
      reason: 'domain_suspended',
      causes: [
        cause('operator', 'partner', '2026-03-15T12:30:00.000', 'operator', false),
        cause('billing', 'partner', AT, 'operator', false),
      ],
      since: AT,
      lifted_by: ['operator', 'billing'],
    });
    expect(seen.incoming.action).toBe(stage === 'all' ? 'defer' : 'accept');
    expect((await verdict(MASTER)).causes).toMatchObject([{ by: 'master' }, { by: 'billing' }]);
  });

  it("a limited key and a `manage` link learn nothing of their provider's debts", async () => {
    const limited = await api.key(ref, { domains: [name] });
    const { body: link } = await api.as(token).post('/portal-links', { domain: name, scope: 'manage' }).expect(201);
    const browser = new Browser(api.url);
    expect((await browser.enter(null, { code: link.url.split('code=')[1] })).status).toBe(201);
    await put(`/partners/${ref}/suspend`, {}, BILLING);
    const byLink = await browser.send('get', `/domains/${name}/outbound`).expect(200);
    for (const seen of [await outbound(limited), byLink.body, await mailbox(limited)]) {
      const kept = { action: 'defer', reason: 'domain_suspended', causes: [], since: null, lifted_by: ['partner'] };
      expect(seen.verdict).toMatchObject(kept);
      expect(JSON.stringify([seen.verdict, seen.incoming])).not.toContain('billing');
    }
  });

  it('a block names its reason, and master alone lifts it', async () => {
    await put(`/domains/${name}/outbound`, { outbound_status: 'blocked' });
    later(1);
    await put(`/domains/${name}/outbound`, { daily_limit: 3 });
    expect(await verdict()).toEqual({
      ...ACCEPTED,
      action: 'reject',
      reason: 'outbound_blocked',
      causes: [cause('operator', 'domain', AT, 'operator', false)],
      since: AT,
      lifted_by: ['operator'],
    });
    expect((await verdict(MASTER)).causes).toEqual([cause('operator', 'domain', AT, 'master', true)]);
  });

  it('a reached limit ends by itself, at midnight or on the 1st, and says since when it is reached', async () => {
    await put(`/domains/${name}/outbound`, { daily_limit: 4 });
    later(2);
    await increment({ count: 4 });
    later(8);
    const limited = {
      ...ACCEPTED,
      action: 'defer',
      reason: 'daily_limit',
      limit: { value: 4, used: 4, set_by: 'operator' },
      since: '2026-03-15T12:02:00.000',
      until: MIDNIGHT,
      lifted_by: ['itself'],
    };
    expect(await verdict()).toEqual(limited);
    expect((await mailbox()).verdict).toEqual(limited);
    await put(`/domains/${name}/outbound`, { monthly_limit: 4 });
    expect(await verdict()).toMatchObject({ also: ['monthly_limit'], until: '2026-04-01T00:00:00.000' });
    await put(`/domains/${name}/outbound`, { outbound_enforcement: 'monitor' });
    expect(await verdict()).toMatchObject({ action: 'accept', reason: 'daily_limit', also: ['monthly_limit'] });
    await put(`/domains/${name}/suspend`, {});
    const suspended = { action: 'defer', reason: 'domain_suspended', also: [], until: null, lifted_by: ['operator'] };
    expect(await verdict()).toMatchObject(suspended);
    await put(`/domains/${name}/outbound`, { outbound_enforcement: 'enforce' });
    expect(await verdict()).toMatchObject({ ...suspended, also: ['daily_limit', 'monthly_limit'] });
  });

  it('a lowered limit is reached since a time that is not stored', async () => {
    await put(`/domains/${name}/outbound`, { daily_limit: 4 });
    await increment({ count: 4 });
    await put(`/domains/${name}/outbound`, { daily_limit: 2 });
    expect(await verdict()).toMatchObject({ reason: 'daily_limit', since: null, until: MIDNIGHT });
  });

  it("a limit is the partner's while the operator's is higher, also for a time", async () => {
    await put(`/domains/${name}/outbound`, { daily_limit: 4 });
    await put(`/domains/${name}/outbound`, { daily_limit: 2 }, token);
    await increment({ count: 2 });
    expect((await verdict()).limit).toEqual({ value: 2, used: 2, set_by: 'partner' });
    await put(`/domains/${name}/outbound`, { daily_limit: 2, until: '2026-03-15T13:00:00Z' });
    expect((await verdict()).limit).toEqual({ value: 2, used: 2, set_by: 'operator' });
    later(61);
    expect((await verdict()).limit).toEqual({ value: 2, used: 2, set_by: 'partner' });
    await put(`/domains/${name}/outbound`, { daily_limit: 0 });
    expect((await verdict()).limit).toEqual({ value: 2, used: 2, set_by: 'partner' });
    await put(`/domains/${name}/outbound`, { monthly_limit: 2 });
    await put(`/domains/${name}/outbound`, { daily_limit: null }, token);
    expect(await verdict()).toMatchObject({
      reason: 'monthly_limit',
      limit: { value: 2, used: 2, set_by: 'operator' },
    });
  });

  it("a limit of a parent is the parent's, and hidden from a key that does not see it", async () => {
    await put(`/domains/${name}/parent`, { wildcard_mode: 'any' });
    const child = `sub.${name}`;
    await api.as(token).post('/domains/', { name: child }).expect(201);
    await put(`/domains/${name}/outbound`, { daily_limit: 3 }, token);
    await increment({ count: 1 });
    await increment({ count: 2 }, child);
    const limit = { value: 3, used: 3, set_by: 'partner' };
    expect((await outbound(token, child)).verdict).toMatchObject({ reason: 'daily_limit', limited_by: name, limit });
    const limited = await api.key(ref, { domains: [child] });
    expect((await outbound(limited, child)).verdict).toMatchObject({ reason: 'daily_limit', limit: null });
  });

  it('a mailbox is told its own limit, which its domain does not have', async () => {
    await put(`/users/${box}`, { outbound_daily_limit: 2 }, token);
    await increment({ count: 2, sender: box });
    const limit = { value: 2, used: 2, set_by: 'partner' };
    const limited = { action: 'defer', reason: 'mailbox_limit', limit, until: MIDNIGHT, lifted_by: ['itself'] };
    expect((await mailbox()).verdict).toMatchObject(limited);
    expect(await verdict()).toEqual(ACCEPTED);
  });

  it('an inactive mailbox receives, and its verdict is as if it were active', async () => {
    await put(`/users/${box}`, { active: false }, token);
    expect(await mailbox()).toMatchObject({ active: false, verdict: ACCEPTED, incoming: { action: 'accept' } });
  });

  it('a domain that was never verified waits for its partner since its creation; one that lost it, since then', async () => {
    const waiting = `waiting-${made}.example`;
    const { body: created } = await api.as(token).post('/domains/', { name: waiting }).expect(201);
    later(3);
    expect(await outbound(token, waiting)).toMatchObject({
      verdict: {
        action: 'reject',
        reason: 'not_verified',
        since: created.created_at,
        until: null,
        lifted_by: ['partner'],
      },
      incoming: { action: 'none', reason: 'inbound_pending' },
    });
    const lost = new Date('2026-03-15T11:00:00.000Z').getTime();
    const { body: known } = await api.as(token).get(`/domains/${name}`).expect(200);
    await api.database.write("UPDATE verification SET status = 'pending', lost_at = ? WHERE domain_id = ?", [
      lost,
      known.id,
    ]);
    expect(await outbound()).toMatchObject({
      verdict: { action: 'defer', reason: 'not_verified', since: '2026-03-15T11:00:00.000', lifted_by: ['partner'] },
      incoming: { action: 'accept' },
    });
    await api
      .as(MASTER)
      .post('/domains/', { name: `nobody-${made}.example` })
      .expect(201);
    const ofNobody = await outbound(MASTER, `nobody-${made}.example`);
    expect(ofNobody.verdict).toMatchObject({ reason: 'not_verified', lifted_by: ['operator'] });
  });

  it('what a parent stops names the parent, except to a key that does not see it', async () => {
    await put(`/domains/${name}/parent`, { wildcard_mode: 'any' });
    const child = `sub.${name}`;
    await api.as(token).post('/domains/', { name: child }).expect(201);
    await put(`/domains/${name}/suspend`, { cause: 'abuse' });
    const limited = await api.key(ref, { domains: [child] });
    const stopped = { action: 'defer', reason: 'domain_suspended', lifted_by: ['operator'] };
    expect(await outbound(MASTER, child)).toMatchObject({
      verdict: { ...stopped, limited_by: name, since: AT, causes: [cause('abuse', 'parent', AT, 'master', true)] },
      incoming: { action: 'defer' },
    });
    const { verdict: seen } = await outbound(limited, child);
    expect(seen).toMatchObject({ ...stopped, limited_by: null, since: null, causes: [] });
    expect(JSON.stringify(seen)).not.toContain(name);
  });

  it('a reached transfer cap stops incoming mail where the operator counts it for both directions', async () => {
    await put(`/domains/${name}/transfer`, { transfer_monthly_mb: 1 });
    await increment({ count: 1, bytes: 1_048_576 });
    const limit = { value: 1_048_576, used: 1_048_576, set_by: 'operator' };
    const capped = { action: 'defer', reason: 'transfer_limit', limit, since: AT, until: '2026-04-01T00:00:00.000' };
    expect(await outbound()).toMatchObject({ verdict: capped, incoming: { action: 'accept' } });
    await api.database.write("DELETE FROM installation WHERE name = 'transfer_cap_scope'");
    await api.database.write("INSERT INTO installation (name, value) VALUES ('transfer_cap_scope', 'both')");
    expect(await outbound()).toMatchObject({
      verdict: capped,
      incoming: { action: 'defer', reason: 'transfer_limit' },
    });
  });

  it('a domain that was made anew keeps its suspension and its beginning; another holder does not see whose it was', async () => {
    await put(`/domains/${name}/suspend`, { cause: 'abuse' });
    later(60);
    await api.as(token).delete(`/domains/${name}`).expect(204);
    await api.as(token).post('/domains/', { name }).expect(201);
    expect((await verdict()).causes).toEqual([cause('abuse', 'domain', AT, 'operator', false)]);
    await put(`/domains/${name}/suspend`, {}, token);
    const other = await api.key(`other-${made}`);
    await put(`/domains/${name}/partner`, { partner_ref: `other-${made}` });
    expect((await verdict(other)).causes).toMatchObject([
      { cause: 'partner', since: null, by: null, liftable: true },
      { cause: 'abuse', since: null, by: null },
    ]);
    expect((await verdict(MASTER)).causes).toMatchObject([
      { cause: 'partner', by: expect.stringMatching(/^key:/) },
      {},
    ]);
  });

  it('no request of this suite caused a defect', () => {
    expect(api.log.defects).toEqual([]);
  });
});
