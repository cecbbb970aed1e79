import { RelayTrafficStamps } from '@mailstead/adapters/database/relay/relay-traffic-stamps';
import { onHttpDatabase } from '@mailstead/adapters/database/testing/database-fixture';
import { JobTable } from '@mailstead/adapters/jobs/job-table';
import { CheckAccount } from '@mailstead/core/relay/check-account';
import { RelayStates } from '@mailstead/core/relay/relay-state';
import { MASTER, POLICY, READ, startTestApi, type TestApi } from '../testing/api-fixture.js';
import { documentedMembers } from '../testing/documented-members.js';
import { bounceOf, postSigned, WEBHOOK_SECRET } from '../testing/relay-events.js';

onHttpDatabase((kind) => {
  let api: TestApi;

  beforeEach(async () => {
    api = await startTestApi(kind, {
      RELAY_WEBHOOK_SECRET: WEBHOOK_SECRET,
      NOTIFY_WEBHOOK_URL: 'https://example.org/hook',
      NOTIFY_WEBHOOK_SECRET: WEBHOOK_SECRET,
    });
  });
  afterEach(() => api.close());

  const relay = async (token = MASTER) => (await api.as(token).get('/relay').expect(200)).body;

  it('a provider without an account has nulls and no warnings', async () => {
    await api.container.get(CheckAccount).execute();
    expect(await relay(READ)).toMatchObject({
      provider: 'sandbox',
      account: null,
      configuration_set: null,
      identities: null,
      first_event_at: null,
      warnings: [],
    });
  });

  it('shows the account and the warnings, which begin with one notification each', async () => {
    api.relay.report = {
      account: {
        productionAccess: true,
        sendingEnabled: true,
        enforcement: 'PROBATION',
        quota24h: 200,
        sent24h: 10,
        maxPerSecond: 1,
      },
      configurationSet: { name: 'mailstead', destinations: [] },
    };
    await api.container.get(CheckAccount).execute();
    const { account, configuration_set, warnings } = await relay();
    expect(account).toEqual({
      production_access: true,
      sending_enabled: true,
      enforcement: 'PROBATION',
      quota_24h: 200,
      sent_24h: 10,
      max_per_second: 1,
    });
    expect(configuration_set).toEqual({ name: 'mailstead', events: [], topics: [] });
    const warned = warnings.map(({ name }: { name: string }) => name);
    expect(warned).toEqual(['relay_events_not_published', 'relay_probation']);
    const rows = await api.database.read("SELECT data FROM notification WHERE type = 'relay.warning' ORDER BY id");
    const told = rows.map(({ data }) => JSON.parse(String(data)) as Record<string, string>);
    expect(told.map(({ warning }) => warning)).toEqual(warned);
    expect(Object.keys(told[0] ?? {}).toSorted()).toEqual(documentedMembers('relay.warning'));
  });

  it('counted messages and signed events are noted, forwarded mail and refused events are not', async () => {
    const acme = await api.key('acme');
    await api.as(acme).post('/domains/', { name: 'acme.example' }).expect(201);
    const id = (await api.as(acme).get('/domains/acme.example').expect(200)).body.id;
    await api.database.write("UPDATE verification SET status = 'verified' WHERE domain_id = ?", [id]);
    await api.as(POLICY).post('/domains/acme.example/outbound/increment', { count: 3 }).expect(200);
    await api.as(POLICY).post('/domains/acme.example/outbound/increment', { count: 5, forwarded: true }).expect(200);
    await api.container.get(RelayTrafficStamps).flush();
    const state = () => api.container.get(RelayStates).read();
    expect(await state()).toMatchObject({ countedSinceHeard: 3, firstCountedAt: api.clock.now(), heardAt: null });
    const event = bounceOf('acme.example', ['gone@elsewhere.example'], { at: api.clock.now() });
    expect(await postSigned(api.url, event, { at: new Date(0) })).toBe(403);
    expect((await state()).heardAt).toBeNull();
    expect(await postSigned(api.url, event, { at: api.clock.now() })).toBe(200);
    await api.container.get(RelayTrafficStamps).flush();
    expect(await state()).toMatchObject({ countedSinceHeard: 0, heardAt: api.clock.now() });
    expect((await relay()).last_event_at).not.toBeNull();
  });

  it('is for operators alone', async () => {
    await api
      .as(await api.key('acme'))
      .get('/relay')
      .expect(403);
    await api.as(POLICY).get('/relay').expect(403);
  });

  it('an address is taken off the list of the account by a job, as often as it takes, which is audited', async () => {
    const lift = (address: string, token = MASTER) =>
      api.as(token).delete(`/relay/suppressions/${encodeURIComponent(address)}`);
    expect((await lift('Joe@elsewhere.example').expect(202)).body).toEqual({ address: 'Joe@elsewhere.example' });
    await lift('Joe@elsewhere.example').expect(202);
    await lift('nobody').expect(404);
    for (const token of [READ, POLICY, await api.key('acme')]) await lift('joe@elsewhere.example', token).expect(403);
    const job = { name: 'suppression.lift', payload: { address: 'Joe@elsewhere.example' } };
    expect(api.jobs.jobs).toEqual(Array(2).fill(expect.objectContaining(job)));
    const run = () =>
      api.container.get(JobTable)['suppression.lift'](job.payload, { jobId: 1, requestId: null, attempt: 1 });
    api.relay.down = true;
    await expect(run()).rejects.toMatchObject({ code: 'relay_unavailable' });
    expect(api.relay.lifted).toEqual([]);
    api.relay.down = false;
    await run();
    expect(api.relay.lifted).toEqual(['Joe@elsewhere.example']);
    const audit = (await api.as(MASTER).get('/audit?action=relay.lift_suppression').expect(200)).body as {
      subject: string;
    }[];
    expect(audit.map(({ subject }) => subject)).toEqual(Array(2).fill('Joe@elsewhere.example'));
  });
});
