import { onHttpDatabase } from '@mailstead/adapters/database/testing/database-fixture';
import { JobTable } from '@mailstead/adapters/jobs/job-table';
import { DAY_MS, HOUR_MS } from '@mailstead/core/clock';
import type { Jobs } from '@mailstead/core/jobs/jobs';
import { BILLING, MASTER, POLICY, startTestApi, type TestApi } from '../testing/api-fixture.js';

const MARK = 'limits.mark';
const MB = 1_048_576;

onHttpDatabase((kind) => {
  let api: TestApi;
  let acme: string;
  let made = 0;

  beforeAll(async () => {
    api = await startTestApi(kind);
    acme = await api.key('acme');
  });
  beforeEach(() => api.jobs.jobs.splice(0));
  afterAll(() => api.close());

  /** A verified domain; below a parent, one that is linked to it. */
  async function create(parent?: string): Promise<string> {
    made += 1;
    const name = parent === undefined ? `m${made}.example` : `m${made}.${parent}`;
    await api.as(MASTER).post('/domains/', { name, partner_ref: 'acme' }).expect(201);
    await api.database.write(
      "UPDATE verification SET status = 'verified' WHERE domain_id = (SELECT id FROM domain WHERE name = ?)",
      [name],
      [],
    );
    if (parent !== undefined) await put(`/domains/${name}/parent`, { parent });
    return name;
  }
  const put = (path: string, body: object, token = MASTER) => api.as(token).put(path, body).expect(200);
  const outbound = (name: string, body: object, token = MASTER) => put(`/domains/${name}/outbound`, body, token);
  const sent = (name: string, count: number, bytes = 0) =>
    api.as(POLICY).post(`/domains/${name}/outbound/increment`, { count, bytes, record: true }).expect(200);
  /** The marks of the list, and what the state says of sending: they must agree. */
  async function seen(name: string): Promise<[attention: string[], sends: string]> {
    const { body } = await api.as(acme).get(`/domains/${name}`).expect(200);
    for (const reason of ['daily_limit', 'monthly_limit', 'transfer_limit']) {
      const listed = await api.as(acme).get(`/domains/?attention_reason=${reason}&q=${name}`).expect(200);
      const names: string[] = listed.body.map((row: { name: string }) => row.name);
      expect(names.includes(name)).toBe(body.attention.includes(reason));
    }
    expect(body.attention.length === 0).toBe(body.state.sends === 'yes');
    return [body.attention, body.state.sends];
  }
  const run = (payload: unknown) =>
    api.container.get(JobTable)[MARK](payload as Jobs[typeof MARK], { jobId: 1, requestId: null, attempt: 1 });
  /** Runs the jobs that are due, as the worker does. */
  async function runJobs(): Promise<void> {
    const now = api.clock.now();
    for (const job of api.jobs.jobs.splice(0)) {
      const { runAt = now } = job.options;
      if (job.name === MARK && runAt <= now) await run(job.payload);
    }
  }

  it('at 80 % and at 100 % of a limit a domain has different states', async () => {
    const name = await create();
    await outbound(name, { daily_limit: 10 });
    await sent(name, 7);
    expect(await seen(name)).toEqual([[], 'yes']);
    await sent(name, 1);
    expect(await seen(name)).toEqual([['daily_limit'], 'at_risk']);
    await sent(name, 2);
    expect(await seen(name)).toEqual([['daily_limit'], 'waits']);
    await outbound(name, { outbound_enforcement: 'monitor' });
    expect(await seen(name)).toEqual([['daily_limit'], 'monitored']);
  });

  it.each<[change: string, change: (name: string) => Promise<unknown>, back: (name: string) => Promise<unknown>]>([
    [
      'its own override',
      (name) => outbound(name, { daily_limit: 1_000 }),
      (name) => outbound(name, { daily_limit: null }),
    ],
    [
      'its tier',
      (name) => outbound(name, { outbound_tier: 'high' }),
      (name) => outbound(name, { outbound_tier: null }),
    ],
    [
      'its partner’s own limit',
      (name) => outbound(name, { outbound_tier: 'high' }),
      (name) => outbound(name, { daily_limit: 200 }, acme),
    ],
    [
      'limits for a time',
      (name) => outbound(name, { daily_limit: 1_000, until: new Date(api.clock.now().getTime() + DAY_MS) }),
      (name) => outbound(name, { until: null }),
    ],
  ])('a change of %s marks its limit of the day anew at once', async (_, raise, lower) => {
    const name = await create();
    await sent(name, 180);
    expect(await seen(name)).toEqual([['daily_limit'], 'at_risk']);
    await raise(name);
    expect(await seen(name)).toEqual([[], 'yes']);
    await lower(name);
    expect(await seen(name)).toEqual([['daily_limit'], 'at_risk']);
  });

  it('a change of its transfer cap or its plan marks the cap anew at once', async () => {
    const name = await create();
    await put(`/domains/${name}/transfer`, { transfer_monthly_mb: 10 });
    await sent(name, 1, 9 * MB);
    expect(await seen(name)).toEqual([['transfer_limit'], 'at_risk']);
    await put(`/domains/${name}/transfer`, { transfer_monthly_mb: 100 });
    expect(await seen(name)).toEqual([[], 'yes']);
    await put(`/domains/${name}/transfer`, { transfer_monthly_mb: 11 });
    expect(await seen(name)).toEqual([['transfer_limit'], 'at_risk']);
    await put(`/domains/${name}/plan`, { plan: 'starter' }, BILLING);
    expect(await seen(name)).toEqual([[], 'yes']);
  });

  it('the end of limits for a time marks the limits that hold from then on', async () => {
    const name = await create();
    const until = new Date(api.clock.now().getTime() + HOUR_MS);
    await outbound(name, { daily_limit: 1_000, until });
    await sent(name, 180);
    expect(await seen(name)).toEqual([[], 'yes']);
    const [end] = api.jobs.jobs.filter((job) => job.name === MARK);
    expect(end?.options.runAt).toEqual(until);
    api.clock.set(until);
    await run(end?.payload);
    expect(await seen(name)).toEqual([['daily_limit'], 'at_risk']);
  });

  it('a change of a tier marks its domains anew, and a change of a parent’s tier those that are linked', async () => {
    const parent = await create();
    const [linked, other] = [await create(parent), await create()];
    for (const name of [linked, other]) await sent(name, 100);
    expect([await seen(linked), await seen(other)]).toEqual([
      [[], 'yes'],
      [[], 'yes'],
    ]);
    await put('/outbound/tiers/basic', { daily_limit: 120, monthly_limit: 3_000 });
    await runJobs();
    expect([await seen(linked), await seen(other)]).toEqual([
      [['daily_limit'], 'at_risk'],
      [['daily_limit'], 'at_risk'],
    ]);
    await outbound(parent, { outbound_tier: 'high' });
    await runJobs();
    expect([await seen(linked), await seen(other)]).toEqual([
      [[], 'yes'],
      [['daily_limit'], 'at_risk'],
    ]);
    await put(`/domains/${linked}/parent`, { parent: null });
    expect(await seen(linked)).toEqual([['daily_limit'], 'at_risk']);
    await put('/outbound/tiers/basic', { daily_limit: 200, monthly_limit: 3_000 });
    await runJobs();
    expect([await seen(linked), await seen(other)]).toEqual([
      [[], 'yes'],
      [[], 'yes'],
    ]);
  });

  it('a domain that is created again, or restored, with its counters has its marks again', async () => {
    const name = await create();
    await sent(name, 180);
    await api.as(MASTER).delete(`/domains/${name}`).expect(204);
    await api.as(MASTER).post('/domains/', { name, partner_ref: 'acme' }).expect(201);
    await runJobs();
    const { body } = await api.as(acme).get(`/domains/${name}`).expect(200);
    expect(body.attention).toEqual(['daily_limit']);
    await api.as(MASTER).delete(`/domains/${name}`).expect(204);
    const deleted = await api.as(acme).get(`/deleted/?domain=${name}`).expect(200);
    await api.as(acme).post(`/deleted/${deleted.body[0].id}/restore`).expect(200);
    await runJobs();
    const restored = await api.as(acme).get(`/domains/${name}`).expect(200);
    expect(restored.body.attention).toEqual(['daily_limit']);
  });
});
