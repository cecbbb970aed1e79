import type { Row } from '@mailstead/adapters/database/driver/database';
import { onEachDatabase } from '@mailstead/adapters/database/testing/database-fixture';
import { DAY_MS } from '@mailstead/core/clock';
import { RemoveDeletedMail } from '@mailstead/core/retention/remove-deleted-mail';
import { MASTER, POLICY, startTestApi, type TestApi } from '../testing/api-fixture.js';

const HASH = '$2y$04$N9qo8uLOickgx2ZMRZoMyeIjZAgcfl7p92ldGxad68LJZdL17lhWy';

/** Tests without a mail store: rows of the database are deleted after the same times. */
onEachDatabase((kind) => {
  let api: TestApi;
  let acme: string;
  let keyId: number;
  let made = 0;

  beforeAll(async () => {
    api = await startTestApi(kind);
    acme = await api.key('acme');
    keyId = (await api.as(MASTER).get('/api-keys/?partner_ref=acme').expect(200)).body[0].id;
  });
  afterAll(() => api.close());

  const rows = (sql: string, ...parameters: (string | number)[]) => api.database.read(sql, parameters);
  const run = () => api.container.get(RemoveDeletedMail).execute();
  const alias = (address: string, destination: string) =>
    api.as(acme).post('/aliases/', { address, destination }).expect(201);

  /** Creates two domains of acme. `gone` is to be deleted; aliases of each domain deliver to mailboxes of the other. */
  async function twoDomains(): Promise<{ gone: string; stays: string }> {
    made += 1;
    const [gone, stays] = [`gone-${made}.example`, `stays-${made}.example`];
    for (const name of [gone, stays]) await api.as(acme).post('/domains/', { name }).expect(201);
    for (const email of [`a@${gone}`, `b@${gone}`, `c@${stays}`]) {
      await api
        .as(acme)
        .post('/users/', { email, password_hash: HASH, name: 'Ä', quota_mb: 7, outbound_daily_limit: 3 })
        .expect(201);
    }
    await api.as(acme).put(`/users/b@${gone}`, { active: false }).expect(200);
    await alias(`@${gone}`, `a@${gone}`);
    await alias(`x@${gone}`, `c@${stays}`);
    await alias(`y@${stays}`, `b@${gone}`);
    await alias(`y@${stays}`, `c@${stays}`);
    return { gone, stays };
  }

  const aliasCount = async (name: string) => (await api.as(acme).get(`/domains/${name}`).expect(200)).body.aliases;
  const tombstoneOf = async (name: string): Promise<Row> =>
    (await rows('SELECT * FROM tombstone WHERE name = ? ORDER BY id DESC LIMIT 1', name))[0] ?? {};
  const kept = (table: string, { id }: Row, key = 'id') =>
    rows(`SELECT * FROM ${table} WHERE tombstone_id = ? ORDER BY ${key}`, Number(id));
  const of = (tombstone: Row, live: Row[]) => live.map((row) => ({ tombstone_id: tombstone.id, ...row }));

  it('a deleted domain is moved with every column of the domain, its verification, its mailboxes and its aliases', async () => {
    const { gone, stays } = await twoDomains();
    const domain = await rows('SELECT * FROM domain WHERE name = ?', gone);
    const id = Number(domain[0]?.id);
    const verification = await rows('SELECT * FROM verification WHERE domain_id = ?', id);
    const mailboxes = await rows('SELECT * FROM mailbox WHERE domain_id = ? ORDER BY id', id);
    const aliases = await rows(
      'SELECT * FROM alias WHERE domain_id = ? OR destination_mailbox_id IN (SELECT id FROM mailbox WHERE domain_id = ?) ORDER BY id',
      id,
      id,
    );
    expect([mailboxes.length, aliases.length]).toEqual([2, 3]);
    await api.as(acme).delete(`/domains/${gone}`).expect(204);
    const tombstone = await tombstoneOf(gone);
    const now = api.clock.now().getTime();
    expect(tombstone).toMatchObject({
      kind: 'domain',
      partner_id: domain[0]?.partner_id,
      actor_kind: 'client',
      actor: `key:${keyId}`,
      deleted_at: now,
      expires_at: now + 7 * DAY_MS,
      domain_id: id,
      mailboxes: 2,
      aliases: 3,
      heir_id: null,
      other_holder_at: null,
      erased_at: null,
    });
    expect(await kept('deleted_domain', tombstone)).toEqual(of(tombstone, domain));
    expect(await kept('deleted_verification', tombstone, 'domain_id')).toEqual(of(tombstone, verification));
    expect(await kept('deleted_mailbox', tombstone)).toEqual(of(tombstone, mailboxes));
    expect(await kept('deleted_alias', tombstone)).toEqual(of(tombstone, aliases));
    expect(await aliasCount(stays)).toBe(1);
    for (const table of ['domain', 'verification', 'mailbox', 'alias']) {
      const column = table === 'domain' ? 'id' : 'domain_id';
      expect(await rows(`SELECT 1 FROM ${table} WHERE ${column} = ?`, id)).toEqual([]);
    }
  });

  it('a deleted mailbox is moved with every column, and with the aliases that delivered to it', async () => {
    const { gone, stays } = await twoDomains();
    const mailbox = await rows('SELECT * FROM mailbox WHERE email = ?', `b@${gone}`);
    const aliases = await rows('SELECT * FROM alias WHERE destination = ? ORDER BY id', `b@${gone}`);
    await api.as(MASTER).delete(`/users/b@${gone}`).expect(204);
    const tombstone = await tombstoneOf(`b@${gone}`);
    expect(tombstone).toMatchObject({
      kind: 'mailbox',
      actor_kind: 'master',
      domain_id: mailbox[0]?.domain_id,
      counters_id: null,
      mailboxes: 1,
      aliases: 1,
    });
    expect(await kept('deleted_mailbox', tombstone)).toEqual(of(tombstone, mailbox));
    expect(await kept('deleted_alias', tombstone)).toEqual(of(tombstone, aliases));
    expect([await aliasCount(gone), await aliasCount(stays)]).toEqual([2, 1]);
    await api.as(acme).get(`/users/b@${gone}`).expect(404);
  });

  it('hashes and aliases are deleted after the grace and not before; homes with mail to delete stay stored', async () => {
    const { gone } = await twoDomains();
    await api.as(acme).delete(`/domains/${gone}`).expect(204);
    const tombstone = await tombstoneOf(gone);
    const hashes = async () => (await kept('deleted_mailbox', tombstone)).map((row) => row.password_hash);
    api.clock.advance(7 * DAY_MS - 1);
    await run();
    expect(await hashes()).toEqual([HASH, HASH]);
    expect(await kept('deleted_alias', tombstone)).toHaveLength(3);
    api.clock.advance(1);
    expect((await run()).erased).toBeGreaterThanOrEqual(1);
    expect(await hashes()).toEqual(['', '']);
    expect(await kept('deleted_alias', tombstone)).toEqual([]);
    expect((await tombstoneOf(gone)).erased_at).toBe(api.clock.now().getTime());
    expect(await run()).toMatchObject({ erased: 0 });
  });

  it('a name is deleted with its counters after 90 days and not before', async () => {
    const { gone } = await twoDomains();
    const [row] = await rows('SELECT id FROM domain WHERE name = ?', gone);
    const id = Number(row?.id);
    await api.as(POLICY).post(`/domains/${gone}/outbound/increment`, { record: true, id: 'x', sender: `a@${gone}` });
    await api.as(MASTER).post('/outbound/reset-monthly').expect(200);
    await api.as(acme).delete(`/domains/${gone}`).expect(204);
    const tombstone = await tombstoneOf(gone);
    const left = async () => {
      const tables = ['outbound_counter', 'outbound_sender', 'outbound_history', 'outbound_counted_id'];
      const counted = await Promise.all(tables.map((table) => rows(`SELECT 1 FROM ${table} WHERE domain_id = ?`, id)));
      const tables2 = ['deleted_domain', 'deleted_verification', 'deleted_mailbox'];
      const aside = await Promise.all(tables2.map((table) => kept(table, tombstone, 'tombstone_id')));
      return [...counted, ...aside].flat().length + ((await tombstoneOf(gone)).id === undefined ? 0 : 1);
    };
    api.clock.advance(90 * DAY_MS - 1);
    await run();
    expect(await left()).toBe(9);
    api.clock.advance(1);
    expect((await run()).names).toBeGreaterThanOrEqual(1);
    expect(await left()).toBe(0);
  });

  it('one run deletes thousands of names and thousands of hashes', async () => {
    const at = api.clock.now().getTime() - 91 * DAY_MS;
    const values = (count: number, one: (index: number) => string) =>
      Array.from({ length: count }, (_, index) => one(index)).join(', ');
    await api.database.write(
      `INSERT INTO tombstone (id, kind, name, partner_id, actor_kind, actor, deleted_at, expires_at, domain_id, mailboxes, aliases)
       VALUES ${values(3_000, (index) => `(${1_000_000 + index}, 'mailbox', 'm${index}@old.example', 2, 'client', 'key:1', ${at}, ${at}, 1, 1, 0)`)}, (2000000, 'domain', 'large.example', 2, 'client', 'key:1', ${at}, ${at}, 1, 3000, 0)`,
    );
    await api.database.write(
      `INSERT INTO deleted_mailbox (tombstone_id, id, domain_id, email, local_part, password_hash, quota_mb, outbound_daily_limit, active, home, created_at)
       VALUES ${values(3_000, (index) => `(2000000, ${index + 1}, 1, 'm${index}@large.example', 'm', 'secret', 1, 0, 1, 'h', 0)`)}`,
    );
    expect(await run()).toMatchObject({ erased: 3_001, names: 3_001 });
    expect(await rows('SELECT 1 FROM tombstone WHERE id >= 1000000')).toEqual([]);
    expect(await rows('SELECT 1 FROM deleted_mailbox WHERE tombstone_id = 2000000')).toEqual([]);
  });
});
