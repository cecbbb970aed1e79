import { onHttpDatabase } from '@mailstead/adapters/database/testing/database-fixture';
import { EventPositioner } from '@mailstead/adapters/events/event-positioner';
import { JobTable } from '@mailstead/adapters/jobs/job-table';
import type { NotificationType } from '@mailstead/core/notifications/notification-channel';
import { MakeTenant } from '@mailstead/core/relay/tenants/make-tenant';
import { ScriptedTenants } from '@mailstead/core/testing/scripted-tenants';
import { MASTER, READ, startTestApi, type TestApi } from '../testing/api-fixture.js';
import { documentedMembers } from '../testing/documented-members.js';
import { WEBHOOK_SECRET } from '../testing/relay-events.js';

onHttpDatabase((kind) => {
  let api: TestApi;
  let made = 0;
  // Of the test.
  let ref: string;
  let path: string;
  let domain: string;
  let token: string;

  beforeAll(async () => {
    api = await startTestApi(kind, {
      NOTIFY_WEBHOOK_URL: 'https://example.org/hook',
      NOTIFY_WEBHOOK_SECRET: WEBHOOK_SECRET,
    });
  });
  beforeEach(async () => {
    made += 1;
    ref = `acme-${made}`;
    path = `/partners/${ref}/relay`;
    domain = `${ref}.example`;
    token = await api.key(ref, { domains_allowed: 1, mailboxes_per_domain: 1, aliases_per_mailbox: 1 });
    await api.as(token).post('/domains/', { name: domain }).expect(201);
    api.relay.tenants = null;
  });
  afterAll(() => api.close());

  const makeTenant = async () => {
    api.relay.configurationSet = 'mailstead';
    api.relay.tenants = new ScriptedTenants();
    const [partner] = await api.database.read('SELECT id FROM partner WHERE ref = ?', [ref]);
    const partnerId = Number(partner?.id);
    await api.container.get(MakeTenant).execute(partnerId);
    return partnerId;
  };
  /** Does what the job of the last PUT does. */
  const check = (partnerId: number) =>
    api.container.get(JobTable)['tenant.check']({ partnerId }, { jobId: 1, requestId: null, attempt: 1 });
  const read = async (as = MASTER) => (await api.as(as).get(path).expect(200)).body;
  const verdict = async () => (await api.as(token).get(`/domains/${domain}/outbound`).expect(200)).body.verdict;

  it('a partner without a tenant has none, and cannot be paused', async () => {
    const none = { partner_ref: ref, tenant: null, relay_status: null, wanted: null, cause: null, revision: 1 };
    expect(await read()).toEqual(none);
    const { body } = await api.as(MASTER).put(path, { status: 'paused' }).expect(409);
    expect(body.code).toBe('no_tenant');
    await makeTenant();
    api.relay.tenants = null;
    expect(await read()).toEqual(none);
    await api.as(MASTER).put(path, { status: 'paused' }).expect(409);
  });

  it('is paused by master as a job; what holds and what is wanted differ until the provider has confirmed it', async () => {
    const partnerId = await makeTenant();
    const { body } = await api.as(MASTER).put(path, { status: 'paused' }).expect(202);
    expect(body).toEqual({
      partner_ref: ref,
      tenant: `ms-test-${partnerId}`,
      relay_status: 'active',
      wanted: 'paused',
      cause: null,
      revision: 2,
    });
    await check(partnerId);
    expect(await read(READ)).toMatchObject({ relay_status: 'paused', wanted: 'paused' });
    expect(await verdict()).toMatchObject({
      action: 'defer',
      reason: 'relay_paused',
      since: api.clock.now().toISOString().slice(0, -1),
      until: null,
      also: ['not_verified'],
      lifted_by: ['partner', 'operator'],
    });
    await api.as(MASTER).put(path, { status: 'active' }).expect(202);
    await check(partnerId);
    expect(await read()).toMatchObject({ relay_status: 'active', wanted: 'active' });
  });

  it('is not paused by a master who knows a former state of the partner', async () => {
    await makeTenant();
    const { revision } = (await read()) as { revision: number };
    await api.as(MASTER).put(`/partners/${ref}`, { name: 'Acme' }).expect(200);
    const { body } = await api.as(MASTER).put(path, { status: 'paused' }).set('If-Match', `"${revision}"`).expect(412);
    expect(body).toMatchObject({ code: 'changed_meanwhile', revision: revision + 1 });
    expect(await read()).toMatchObject({ wanted: null });
  });

  it('the same change again adds no job and no audit row', async () => {
    const partnerId = await makeTenant();
    await api.as(MASTER).put(path, { status: 'paused' }).expect(202);
    await check(partnerId);
    const count = async () => [
      api.jobs.jobs.length,
      (await api.as(MASTER).get(`/audit?action=partner.set_relay&partner_ref=${ref}`).expect(200)).body.length,
    ];
    const before = await count();
    await api.as(MASTER).put(path, { status: 'paused' }).expect(202);
    expect(await count()).toEqual(before);
    expect(before[1]).toBe(1);
  });

  it('its pause and its end are events of the partner and notifications, each once', async () => {
    const partnerId = await makeTenant();
    for (const status of ['paused', 'active']) {
      await api.as(MASTER).put(path, { status }).expect(202);
      await check(partnerId);
      await check(partnerId);
    }
    await api.container.get(EventPositioner).giveAll();
    const events = (await api.as(token).get('/events').expect(200)).body as { type: string }[];
    const types = events.map(({ type }) => type).filter((type) => type.startsWith('partner.relay'));
    expect(types).toEqual(['partner.relay_paused', 'partner.relay_resumed']);
    const all = await api.database.read(
      "SELECT type, data FROM notification WHERE type LIKE 'partner.relay%' ORDER BY id",
    );
    const rows = all.filter(({ data }) => (JSON.parse(String(data)) as { partner_ref: string }).partner_ref === ref);
    expect(rows.map(({ type }) => type)).toEqual(types);
    for (const { type, data } of rows) {
      expect(Object.keys(JSON.parse(String(data)) as object).toSorted()).toEqual(
        documentedMembers(type as NotificationType),
      );
    }
  });

  it('only the master token changes it, only operators read it, and an unknown partner is 404', async () => {
    await api.as(token).get(path).expect(403);
    await api.as(READ).put(path, { status: 'paused' }).expect(403);
    await api.as(MASTER).get('/partners/nobody/relay').expect(404);
    await api.as(MASTER).put('/partners/nobody/relay', { status: 'paused' }).expect(404);
    await api.as(MASTER).put(path, { status: 'off' }).expect(422);
  });
});
