import { onHttpDatabase } from '@mailstead/adapters/database/testing/database-fixture';
import { DAY_MS } from '@mailstead/core/clock';
import { ExpirePendingDomains } from '@mailstead/core/domains/expire-pending-domains';
import type { NotificationType } from '@mailstead/core/notifications/notification-channel';
import { CheckVerification } from '@mailstead/core/relay/check-verification';
import { BILLING, MASTER, startTestApi, type TestApi } from '../testing/api-fixture.js';
import { documentedMembers } from '../testing/documented-members.js';

const HASH = '$2y$04$N9qo8uLOickgx2ZMRZoMyeIjZAgcfl7p92ldGxad68LJZdL17lhWy';
const NOTIFIED = {
  NOTIFY_WEBHOOK_URL: 'https://example.org/hook',
  NOTIFY_WEBHOOK_SECRET: `whsec_${Buffer.from('a secret of at least 24 bytes').toString('base64')}`,
};

onHttpDatabase((kind) => {
  let api: TestApi;
  let acme: string;
  let made = 0;

  beforeAll(async () => {
    api = await startTestApi(kind, NOTIFIED);
    acme = await api.key('acme');
  });
  afterAll(() => api.close());

  const run = () => api.container.get(ExpirePendingDomains).execute();
  const aName = () => `idle-${(made += 1)}.example`;
  const create = async (name: string, token = acme, body = {}): Promise<number> =>
    (
      await api
        .as(token)
        .post('/domains/', { name, ...body })
        .expect(201)
    ).body.id;
  const exists = async (name: string) => (await api.as(MASTER).get(`/domains/${name}`)).status === 200;
  const notified = async (name: string) =>
    (await api.database.read<{ type: string; data: string }>('SELECT type, data FROM notification ORDER BY id'))
      .map(({ type, data }): Record<string, unknown> => ({ type, ...(JSON.parse(data) as Record<string, unknown>) }))
      .filter(({ domain }) => domain === name);
  const types = async (name: string) => (await notified(name)).map(({ type }) => type);
  const used = async () => (await api.as(MASTER).get('/partners/acme').expect(200)).body.domains_used;

  it("a client's domain that was never open is announced 7 days before it is removed, 30 days after its creation", async () => {
    const name = aName();
    const id = await create(name);
    await api
      .as(acme)
      .post('/users/', { email: `a@${name}`, password_hash: HASH })
      .expect(201);
    await api
      .as(acme)
      .post('/aliases/', { address: `b@${name}`, destination: `a@${name}` })
      .expect(201);
    const before = await used();
    api.clock.advance(23 * DAY_MS - 1_000);
    await run();
    expect(await types(name)).toEqual([]);
    api.clock.advance(1_010);
    expect(await run()).toEqual({ removed: 0, announced: 1 });
    expect(await run()).toEqual({ removed: 0, announced: 0 });
    api.clock.advance(7 * DAY_MS - 1_000);
    await run();
    expect(await exists(name)).toBe(true);
    api.clock.advance(1_000);
    expect(await run()).toEqual({ removed: 1, announced: 0 });
    expect(await exists(name)).toBe(false);
    expect(await used()).toBe(before - 1);
    expect(await types(name)).toEqual(['domain.expiring', 'domain.expired']);
    expect((await notified(name))[0]).toMatchObject({
      partner_ref: 'acme',
      expires_at: expect.stringMatching(/^2026-/),
    });
    expect((await notified(name))[1]).toMatchObject({ partner_ref: 'acme', mailboxes: 1, aliases: 1 });
    for (const { type, ...data } of await notified(name)) {
      expect(Object.keys(data).sort()).toEqual(documentedMembers(type as NotificationType));
    }
    const { body: audit } = await api.as(MASTER).get(`/audit?domain=${name}&actor=pending-domains`).expect(200);
    expect(audit.map(({ action, actor_kind }: Record<string, string>) => [action, actor_kind])).toEqual([
      ['domain.expiring', 'system'],
      ['domain.expired', 'system'],
    ]);
    const [tombstone] = await api.database.read('SELECT * FROM tombstone WHERE domain_id = ?', [id]);
    expect(tombstone).toMatchObject({ kind: 'domain', name, mailboxes: 1, aliases: 1 });
    expect(api.jobs.jobs).toContainEqual(
      expect.objectContaining({ name: 'identity.delete', payload: { domainId: id, name } }),
    );
    await create(name);
    api.clock.advance(29 * DAY_MS);
    await run();
    expect(await exists(name)).toBe(true);
  });

  it('is never removed before 7 days after its announcement, however late that was', async () => {
    const name = aName();
    await create(name);
    api.clock.advance(100 * DAY_MS);
    await run();
    expect([await exists(name), await types(name)]).toEqual([true, ['domain.expiring']]);
    api.clock.advance(7 * DAY_MS - 1);
    await run();
    expect(await exists(name)).toBe(true);
    api.clock.advance(1);
    await run();
    expect(await exists(name)).toBe(false);
  });

  it.each(['changes', 'all'])(
    'stays while its partner is suspended in the stage `%s`, and is announced again afterwards',
    async (stage) => {
      const name = aName();
      const token = await api.key(`halted-${stage}`);
      await create(name, token);
      const change = (verb: string, body?: object) =>
        api.as(MASTER).put(`/partners/halted-${stage}/${verb}`, body).expect(200);
      api.clock.advance(24 * DAY_MS);
      await run();
      await change('suspend', { stage });
      api.clock.advance(30 * DAY_MS);
      await run();
      await run();
      expect([await exists(name), await types(name)]).toEqual([true, ['domain.expiring']]);
      await change('activate');
      await run();
      expect([await exists(name), await types(name)]).toEqual([true, ['domain.expiring', 'domain.expiring']]);
      api.clock.advance(7 * DAY_MS);
      await run();
      expect([await exists(name), await types(name)]).toEqual([
        false,
        ['domain.expiring', 'domain.expiring', 'domain.expired'],
      ]);
    },
  );

  it.each<[string, (name: string) => Promise<unknown>]>([
    ['that master created', (name) => create(name, MASTER, { partner_ref: 'acme' })],
    ['that billing created', (name) => create(name, BILLING, { partner_ref: 'acme' })],
    [
      'that was verified, and lost its verification',
      async (name) => {
        const id = await create(name);
        const check = () => api.container.get(CheckVerification).execute(id);
        await check();
        api.relay.says(name, 'verified');
        await check();
        api.relay.says(name, 'failed');
        await check();
      },
    ],
    [
      'that an operator opened and closed',
      async (name) => {
        await create(name);
        for (const inbound of ['open', 'pending']) {
          await api.as(MASTER).put(`/domains/${name}/inbound`, { inbound }).expect(200);
        }
      },
    ],
    [
      'that counts as verified by its parent',
      async (name) => {
        await create(name);
        await create(`parent-of-${name}`);
        await api.database.write(
          'UPDATE verification SET status = ? WHERE domain_id = (SELECT id FROM domain WHERE name = ?)',
          ['verified', `parent-of-${name}`],
          [],
        );
        await api.database.write(
          'UPDATE domain SET parent_id = (SELECT id FROM (SELECT id FROM domain WHERE name = ?) AS parent) WHERE name = ?',
          [`parent-of-${name}`, name],
          [],
        );
      },
    ],
  ])('a domain %s is neither announced nor removed', async (_, prepare) => {
    const name = aName();
    await prepare(name);
    for (const days of [31, 8]) {
      api.clock.advance(days * DAY_MS);
      await run();
    }
    expect(await exists(name)).toBe(true);
    expect((await types(name)).filter((type) => /expir/.test(String(type)))).toEqual([]);
  });

  it('a domain that is opened after its announcement stays', async () => {
    const name = aName();
    await create(name);
    api.clock.advance(25 * DAY_MS);
    await run();
    await api.as(MASTER).put(`/domains/${name}/inbound`, { inbound: 'open' }).expect(200);
    api.clock.advance(60 * DAY_MS);
    await run();
    expect(await exists(name)).toBe(true);
  });

  it('a domain that is moved is announced again, with its new partner', async () => {
    const name = aName();
    await create(name);
    api.clock.advance(29 * DAY_MS);
    await run();
    await api.as(MASTER).put(`/domains/${name}/partner`, { partner_ref: 'newcomer' }).expect(200);
    api.clock.advance(DAY_MS);
    await run();
    expect(await exists(name)).toBe(true);
    expect((await notified(name)).map(({ partner_ref }) => partner_ref)).toEqual(['acme', 'newcomer']);
    api.clock.advance(7 * DAY_MS);
    await run();
    expect(await exists(name)).toBe(false);
  });
});

describe('with PENDING_DOMAIN_DAYS=0', () => {
  let api: TestApi;
  beforeAll(async () => {
    api = await startTestApi('sqlite', { ...NOTIFIED, PENDING_DOMAIN_DAYS: '0' });
  });
  afterAll(() => api.close());

  it('no domain is removed', async () => {
    const acme = await api.key('acme');
    await api.as(acme).post('/domains/', { name: 'kept.example' }).expect(201);
    api.clock.advance(400 * DAY_MS);
    expect(await api.container.get(ExpirePendingDomains).execute()).toEqual({ skipped: 1 });
    await api.as(acme).get('/domains/kept.example').expect(200);
  });
});
