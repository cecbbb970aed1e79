import { onHttpDatabase } from '@mailstead/adapters/database/testing/database-fixture';
import { MASTER, POLICY, READ, startTestApi, type TestApi } from '../testing/api-fixture.js';

onHttpDatabase((kind) => {
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

  async function aDomain(verified = true): Promise<string> {
    made += 1;
    const name = `state-${made}.example`;
    const { body } = await api.as(acme).post('/domains/', { name }).expect(201);
    if (verified)
      await api.database.write("UPDATE verification SET status = 'verified' WHERE domain_id = ?", [body.id]);
    return name;
  }

  it('tells the verdict that the policy daemon would get now, in every state of the domain, its partner and its counters', async () => {
    const name = await aDomain();
    const verdict = async () => {
      const { body } = await api.as(acme).get(`/domains/${name}/outbound`).expect(200);
      const items = [{ domain: name, recipient: 'a@outside.example.net' }];
      const [look] = (await api.as(POLICY).post('/outbound/looks', { items }).expect(200)).body;
      expect(body.verdict).toEqual({ action: look.action, reason: look.reason });
      return body.verdict;
    };
    const put = (path: string, body: object) => api.as(MASTER).put(path, body).expect(200);
    expect(await verdict()).toEqual({ action: 'accept', reason: null });
    const messages = { count: 283, record: true };
    await api.as(POLICY).post(`/domains/${name}/outbound/increment`, messages).expect(200);
    expect(await verdict()).toEqual({ action: 'defer', reason: 'daily_limit' });
    await put(`/domains/${name}/outbound`, { outbound_enforcement: 'monitor' });
    expect(await verdict()).toEqual({ action: 'accept', reason: 'daily_limit' });
    await put(`/domains/${name}/outbound`, { outbound_status: 'blocked' });
    expect(await verdict()).toEqual({ action: 'reject', reason: 'outbound_blocked' });
    await put('/partners/acme/suspend', { stage: 'changes' });
    expect(await verdict()).toEqual({ action: 'defer', reason: 'domain_suspended' });
    await put('/partners/acme/activate', {});
    await put(`/domains/${name}/suspend`, {});
    expect(await verdict()).toEqual({ action: 'defer', reason: 'domain_suspended' });
    const unverified = await aDomain(false);
    const { body } = await api.as(acme).get(`/domains/${unverified}/outbound`).expect(200);
    expect(body.verdict).toEqual({ action: 'reject', reason: 'not_verified' });
  });

  it('shows the state only to the partner of the domain', async () => {
    const name = await aDomain();
    await api.as(POLICY).post(`/domains/${name}/outbound/increment`, { count: 5, bytes: 700 }).expect(200);
    const expected = {
      name,
      outbound_tier: 'basic',
      outbound_enforcement: 'enforce',
      outbound_status: 'active',
      blocked_reason: null,
      blocked_at: null,
      operator_until: null,
      limits_after: null,
      daily_limit: 200,
      monthly_limit: 3_000,
      sent_today: 5,
      sent_this_month: 5,
      forwarded_today: 0,
      bounces: 0,
      complaints: 0,
      bounce_rate: 0,
      bytes_this_month: 700,
      verified: true,
      verdict: { action: 'accept', reason: null },
      inherited_from: null,
    };
    for (const token of [acme, POLICY, READ, MASTER]) {
      expect((await api.as(token).get(`/domains/${name}/outbound`).expect(200)).body).toEqual(expected);
    }
    for (const path of ['outbound', 'outbound/senders', 'outbound/history']) {
      const foreign = await api.as(other).get(`/domains/${name}/${path}`).expect(404);
      const absent = await api.as(other).get(`/domains/absent.example/${path}`).expect(404);
      expect(foreign.body.detail).toBe(absent.body.detail);
    }
    await api.as(other).put(`/domains/${name}/outbound`, { daily_limit: 1 }).expect(404);
  });
});
