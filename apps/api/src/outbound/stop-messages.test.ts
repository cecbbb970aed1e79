import { onHttpDatabase } from '@mailstead/adapters/database/testing/database-fixture';
import { EventPositioner } from '@mailstead/adapters/events/event-positioner';
import { BILLING, MASTER, READ, startTestApi, type TestApi } from '../testing/api-fixture.js';
import { Browser } from '../testing/browser.js';
import { verifyDomain } from '../testing/verify-domain.js';

const CALL_US = 'Please call us about your last newsletter.';

onHttpDatabase((kind) => {
  let api: TestApi;
  let ref: string;
  let token: string;
  let name: string;
  let made = 0;

  beforeAll(async () => {
    api = await startTestApi(kind);
  });
  afterAll(() => api.close());
  beforeEach(async () => {
    made += 1;
    ref = `partner-${made}`;
    name = `told-${made}.example`;
    token = await api.key(ref);
    await verifyDomain(api, token, name);
  });

  const causes = async (as = token, of = name) =>
    (await api.as(as).get(`/domains/${of}/outbound`).expect(200)).body.verdict.causes;
  const put = (path: string, body: object, as = MASTER) => api.as(as).put(path, body).expect(200);
  const suspend = (body: object) => put(`/domains/${name}/suspend`, body);

  it('what master says with a suspension is in its cause, for the keys of the whole partner and for operators', async () => {
    await put(`/domains/${name}/suspend`, {}, token);
    await suspend({ cause: 'abuse', message: CALL_US });
    const told = [
      { cause: 'partner', message: null },
      { cause: 'abuse', message: CALL_US },
    ];
    for (const reader of [token, MASTER, READ]) expect(await causes(reader)).toMatchObject(told);
    await put(`/partners/${ref}/suspend`, { stage: 'changes', message: 'Please pay.' });
    expect(await causes()).toMatchObject([...told, { cause: 'operator', of: 'partner', message: 'Please pay.' }]);
  });

  it('neither a link nor a key that is limited to some domains reads it, nor is it in an event of a client', async () => {
    await suspend({ cause: 'abuse', message: CALL_US });
    await put(`/domains/${name}/outbound`, { outbound_status: 'blocked', message: CALL_US });
    await put(`/partners/${ref}/suspend`, { stage: 'changes', message: CALL_US });
    await put(`/partners/${ref}/activate`, {});
    const limited = await api.key(ref, { domains: [name] });
    const { body: link } = await api.as(token).post('/portal-links', { domain: name, scope: 'manage' }).expect(201);
    const browser = new Browser(api.url);
    expect((await browser.enter(null, { code: link.url.split('code=')[1] })).status).toBe(201);
    const byLink = await browser.send('get', `/domains/${name}/outbound`).expect(200);
    for (const seen of [await causes(limited), byLink.body.verdict.causes]) {
      expect(seen).toMatchObject([{ cause: 'abuse', message: null }]);
    }
    await suspend({ cause: 'abuse', message: 'Another one.' });
    await api.container.get(EventPositioner).giveAll();
    for (const reader of [token, limited]) {
      const { text, body } = await api.as(reader).get(`/events?domain=${name}&limit=50&order=asc`).expect(200);
      expect(body.map(({ type }: { type: string }) => type)).toEqual(
        expect.arrayContaining(['domain.suspended', 'domain.outbound_blocked', 'domain.updated']),
      );
      expect(text).not.toMatch(/call us|Another one|stop_messages/);
    }
    const { text } = await api.as(MASTER).get(`/audit?domain=${name}&limit=50`).expect(200);
    expect(text).toContain('Another one.');
  });

  it('a message stays until it is changed, is taken back with null, and ends with its cause', async () => {
    await suspend({ cause: 'abuse', message: CALL_US });
    await suspend({ cause: 'billing', message: 'Please pay.' });
    await suspend({ cause: 'abuse' });
    expect(await causes()).toMatchObject([
      { cause: 'billing', message: 'Please pay.' },
      { cause: 'abuse', message: CALL_US },
    ]);
    await suspend({ cause: 'billing', message: null });
    await put(`/domains/${name}/activate`, { cause: 'abuse' });
    await suspend({ cause: 'abuse' });
    expect(await causes()).toMatchObject([
      { cause: 'billing', message: null },
      { cause: 'abuse', message: null },
    ]);
    await put(`/partners/${ref}/suspend`, { cause: 'billing', message: 'Please pay.' });
    await put(`/partners/${ref}/suspend`, { cause: 'billing', stage: 'changes' }, BILLING);
    expect((await causes()).at(-1)).toMatchObject({ of: 'partner', message: 'Please pay.' });
    const { body: partner } = await api.as(MASTER).get(`/partners/${ref}`).expect(200);
    expect(partner.suspension_causes).toEqual([{ cause: 'billing', stage: 'changes', message: 'Please pay.' }]);
    await put(`/partners/${ref}/activate`, { cause: 'billing' });
    await put(`/partners/${ref}/suspend`, { cause: 'billing' }, BILLING);
    expect((await causes()).at(-1)).toMatchObject({ of: 'partner', message: null });
  });

  it('a block has a message of its own, which ends with it; without a block there is none', async () => {
    await put(`/domains/${name}/outbound`, { outbound_status: 'blocked', message: CALL_US });
    expect(await causes()).toMatchObject([{ cause: 'operator', message: CALL_US, counts: null }]);
    await put(`/domains/${name}/outbound`, { message: 'Please write.' });
    expect(await causes()).toMatchObject([{ message: 'Please write.' }]);
    await put(`/domains/${name}/outbound`, { outbound_status: 'active' });
    const { body } = await api.as(MASTER).put(`/domains/${name}/outbound`, { message: CALL_US }).expect(422);
    expect(body.errors).toEqual([{ field: 'message', message: expect.stringContaining('not blocked') }]);
    await put(`/domains/${name}/outbound`, { message: null });
    await put(`/domains/${name}/outbound`, { outbound_status: 'blocked' });
    expect(await causes()).toMatchObject([{ message: null }]);
  });

  it('only master says something, in at most 500 characters', async () => {
    const message = 'x'.repeat(501);
    for (const path of [`/domains/${name}/suspend`, `/domains/${name}/outbound`, `/partners/${ref}/suspend`]) {
      const { body } = await api.as(MASTER).put(path, { message }).expect(422);
      expect(body.errors).toMatchObject([{ field: 'message' }]);
    }
    const client = await api.as(token).put(`/domains/${name}/suspend`, { message: CALL_US }).expect(403);
    expect(client.body.code).toBe('master_token_required');
    await api.as(token).put(`/domains/${name}/outbound`, { message: null }).expect(403);
    for (const path of [`/domains/${name}/suspend`, `/partners/${ref}/suspend`]) {
      const { body } = await api.as(BILLING).put(path, { message: CALL_US }).expect(403);
      expect(body.code).toBe('scope_not_allowed');
    }
    expect(await causes()).toEqual([]);
    await suspend({ message: '🦊'.repeat(500) });
    expect(await causes()).toMatchObject([{ message: '🦊'.repeat(500) }]);
  });

  it('a domain that its partner makes anew keeps its messages; another partner does not read them', async () => {
    await suspend({ cause: 'abuse', message: CALL_US });
    await api.as(token).delete(`/domains/${name}`).expect(204);
    await api.as(token).post('/domains/', { name }).expect(201);
    expect(await causes()).toMatchObject([{ cause: 'abuse', message: CALL_US }]);
    const other = await api.key(`other-${made}`);
    await put(`/domains/${name}/partner`, { partner_ref: `other-${made}` });
    expect(await causes(other)).toMatchObject([{ cause: 'abuse', message: null }]);
    await put(`/domains/${name}/partner`, { partner_ref: ref });
    expect(await causes()).toMatchObject([{ cause: 'abuse', message: null }]);
  });

  it('no request of this suite caused a defect', () => {
    expect(api.log.defects).toEqual([]);
  });
});
