import { onEachDatabase } from '@mailstead/adapters/database/testing/database-fixture';
import { DAY_MS } from '@mailstead/core/clock';
import { MASTER, POLICY, startTestApi, type TestApi } from '../testing/api-fixture.js';

const HASH = '$2y$04$N9qo8uLOickgx2ZMRZoMyeIjZAgcfl7p92ldGxad68LJZdL17lhWy';

onEachDatabase((kind) => {
  let api: TestApi;
  let acme: string;
  let rival: string;
  let made = 0;

  beforeAll(async () => {
    api = await startTestApi(kind);
    acme = await api.key('acme');
    rival = await api.key('rival');
  });
  afterAll(() => api.close());

  const aName = (): string => {
    made += 1;
    return `tomb-${made}.example`;
  };
  const create = (token: string, name: string) => api.as(token).post('/domains/', { name }).expect(201);
  const remove = (token: string, name: string) => api.as(token).delete(`/domains/${name}`).expect(204);
  const again = async (token: string, name: string) => {
    await remove(token, name);
    await create(token, name);
  };
  const move = (name: string, partner_ref: string) =>
    api.as(MASTER).put(`/domains/${name}/partner`, { partner_ref }).expect(200);
  const record = async (name: string) => (await api.as(MASTER).get(`/domains/${name}`).expect(200)).body;
  const outbound = async (name: string, path = '') =>
    (await api.as(MASTER).get(`/domains/${name}/outbound${path}`).expect(200)).body;
  const configure = (name: string, body: object) => api.as(MASTER).put(`/domains/${name}/outbound`, body).expect(200);
  const suspend = (name: string, cause: string) =>
    api.as(MASTER).put(`/domains/${name}/suspend`, { cause }).expect(200);
  /** Counts whatever the verdict. */
  const sent = (name: string, body: object) =>
    api
      .as(POLICY)
      .post(`/domains/${name}/outbound/increment`, { record: true, ...body })
      .expect(200);
  const rowOf = async (name: string) =>
    (await api.database.read('SELECT * FROM domain WHERE name = ?', [name]))[0] ?? {};
  const mailbox = (token: string, email: string, body: object = {}) =>
    api
      .as(token)
      .post('/users/', { email, password_hash: HASH, ...body })
      .expect(201);

  /** Everything that operators may set on a domain or find out about it. */
  async function burden(name: string): Promise<void> {
    await api.as(MASTER).put(`/domains/${name}/plan`, { plan: 'business' }).expect(200);
    api.clock.advance(2 * DAY_MS);
    await api.as(MASTER).put(`/domains/${name}/retention`, { retention_days: 20 }).expect(200);
    await api.as(MASTER).put(`/domains/${name}/transfer`, { transfer_monthly_mb: 77 }).expect(200);
    await api.as(MASTER).put(`/domains/${name}/parent`, { wildcard_mode: 'direct' }).expect(200);
    for (const cause of ['operator', 'billing', 'abuse']) await suspend(name, cause);
    await configure(name, { outbound_status: 'blocked' });
    api.clock.advance(1_000);
    await configure(name, { outbound_status: 'active' });
    api.clock.advance(1_000);
    await configure(name, {
      outbound_tier: 'high',
      outbound_enforcement: 'monitor',
      outbound_status: 'blocked',
      daily_limit: 7,
      monthly_limit: 70,
    });
  }

  it.each([
    ['plan', 'business'],
    ['retention_days', 20],
    ['retention_days_before', 60],
    ['retention_lowered_at', expect.anything()],
    ['transfer_monthly_mb', 77],
    ['suspension_causes', expect.stringMatching(/^(?=.*operator)(?=.*billing)(?=.*abuse)/)],
    ['outbound_tier', 'high'],
    ['outbound_enforcement', 'monitor'],
    ['outbound_status', 'blocked'],
    ['blocked_reason', 'operator'],
    ['blocked_at', expect.anything()],
    ['bounce_window_start', expect.anything()],
    ['operator_daily_limit', 7],
    ['operator_monthly_limit', 70],
    ['wildcard_mode', 'direct'],
  ])('a partner that deletes and creates keeps %s', async (column, value) => {
    const name = aName();
    await create(acme, name);
    await burden(name);
    const before = (await rowOf(name))[column];
    expect(before).toEqual(value);
    api.clock.advance(DAY_MS);
    await again(acme, name);
    expect((await rowOf(name))[column]).toEqual(before);
  });

  it('a partner that deletes and creates is not suspended by its own wish, nor limited by it', async () => {
    const name = aName();
    await create(acme, name);
    await api.as(acme).put(`/domains/${name}/suspend`).expect(200);
    await api.as(acme).put(`/domains/${name}/outbound`, { daily_limit: 3 }).expect(200);
    await again(acme, name);
    expect(await record(name)).toMatchObject({ suspension_causes: [], mailboxes: 0, aliases: 0 });
    expect(await outbound(name)).toMatchObject({ daily_limit: 200 });
  });

  it('a partner that deletes and creates keeps every counter, the history, and the ids that were counted', async () => {
    const name = aName();
    await create(acme, name);
    await mailbox(acme, `a@${name}`, { outbound_daily_limit: 5 });
    await sent(name, { count: 2, bytes: 10 });
    await api.as(MASTER).post('/outbound/reset-monthly').expect(200);
    const { body: first } = await sent(name, { count: 4, bytes: 100, sender: `a@${name}`, id: 'once' });
    const [before, history, senders] = [
      await outbound(name),
      await outbound(name, '/history'),
      await outbound(name, '/senders'),
    ];
    expect(before).toMatchObject({ sent_today: 6, sent_this_month: 4, bytes_this_month: 100 });
    expect(history).toMatchObject([{ sent: 2, bytes: 10 }]);
    await again(acme, name);
    expect(await outbound(name)).toEqual(before);
    expect(await outbound(name, '/history')).toEqual(history);
    expect((await sent(name, { count: 4, bytes: 100, sender: `a@${name}`, id: 'once' })).body).toEqual(first);
    await mailbox(acme, `a@${name}`, { outbound_daily_limit: 5 });
    expect(await outbound(name, '/senders')).toEqual(senders);
    await api.database.write(
      "UPDATE verification SET status = 'verified' WHERE domain_id = (SELECT id FROM domain WHERE name = ?)",
      [name],
    );
    const { body: full } = await sent(name, { count: 2, sender: `a@${name}`, record: false });
    expect(full).toMatchObject({ allowed: false, reason: 'mailbox_limit' });
  });

  it('a mailbox that is deleted and created has sent today what it had', async () => {
    const name = aName();
    await create(acme, name);
    await mailbox(acme, `a@${name}`, { outbound_daily_limit: 5 });
    await sent(name, { count: 5, sender: `a@${name}` });
    await api.as(acme).delete(`/users/a@${name}`).expect(204);
    await mailbox(acme, `a@${name}`, { outbound_daily_limit: 5 });
    expect(await outbound(name, '/senders')).toEqual([{ sender: `a@${name}`, sent_today: 5, outbound_daily_limit: 5 }]);
  });

  it('a mailbox that is deleted and created keeps its daily limit, unless its partner says another', async () => {
    const name = aName();
    const email = `a@${name}`;
    const limit = async () => (await api.as(acme).get(`/users/${email}`).expect(200)).body.outbound_daily_limit;
    await create(acme, name);
    await mailbox(acme, email);
    await api.as(MASTER).put(`/users/${email}`, { outbound_daily_limit: 5 }).expect(200);
    await api.as(acme).delete(`/users/${email}`).expect(204);
    await mailbox(acme, email);
    expect(await limit()).toBe(5);
    await again(acme, name);
    await mailbox(acme, email);
    expect(await limit()).toBe(5);
    await remove(acme, name);
    await create(rival, name);
    await mailbox(rival, email);
    expect((await api.as(rival).get(`/users/${email}`).expect(200)).body.outbound_daily_limit).toBe(0);
    await remove(rival, name);
    await create(acme, name);
    await mailbox(acme, email, { outbound_daily_limit: 9 });
    expect(await limit()).toBe(9);
  });

  it('later mailboxes of a domain that was deleted and created have the quota of its plan', async () => {
    const name = aName();
    await create(acme, name);
    await api.as(MASTER).put(`/domains/${name}/plan`, { plan: 'starter' }).expect(200);
    await api.as(MASTER).put(`/domains/${name}/plan`, { plan: 'business' }).expect(200);
    await again(acme, name);
    expect((await mailbox(acme, `a@${name}`)).body.quota_mb).toBe(2_048);
    await api
      .as(acme)
      .post('/users/', { email: `b@${name}`, password_hash: HASH, quota_mb: 2_049 })
      .expect(403);
  });

  it('a partner gets its own back, whoever had the name in between, and nobody gets another’s', async () => {
    const name = aName();
    await create(acme, name);
    await burden(name);
    await sent(name, { count: 9, bytes: 5 });
    await remove(acme, name);
    await create(rival, name);
    expect(await record(name)).toMatchObject({
      plan: null,
      retention_days: 0,
      transfer_monthly_mb: 0,
      suspension_causes: [],
      outbound_tier: 'basic',
      outbound_enforcement: 'enforce',
      outbound_status: 'active',
      wildcard_mode: 'none',
      inbound: 'pending',
    });
    expect(await outbound(name)).toMatchObject({ sent_today: 0, bytes_this_month: 0, daily_limit: 200 });
    await suspend(name, 'billing');
    await sent(name, { count: 2 });
    await remove(rival, name);
    await create(acme, name);
    expect(await record(name)).toMatchObject({ plan: 'business', outbound_status: 'blocked', inbound: 'pending' });
    expect((await record(name)).suspension_causes).toEqual(expect.arrayContaining(['operator', 'billing', 'abuse']));
    expect(await outbound(name)).toMatchObject({ sent_today: 9, bytes_this_month: 5, daily_limit: 7 });
    await remove(acme, name);
    await create(rival, name);
    expect(await record(name)).toMatchObject({ suspension_causes: ['billing'], outbound_status: 'active', plan: null });
    expect(await outbound(name)).toMatchObject({ sent_today: 2 });
  });

  it('creating by master for a partner is creating by that partner', async () => {
    const name = aName();
    await create(acme, name);
    await suspend(name, 'abuse');
    await remove(acme, name);
    await api.as(MASTER).post('/domains/', { name, partner_ref: 'rival' }).expect(201);
    expect(await record(name)).toMatchObject({ suspension_causes: [], inbound: 'pending' });
    await remove(MASTER, name);
    await api.as(MASTER).post('/domains/', { name, partner_ref: 'acme' }).expect(201);
    expect(await record(name)).toMatchObject({ suspension_causes: ['abuse'], partner_ref: 'acme', inbound: 'pending' });
    await remove(MASTER, name);
    await api.as(MASTER).post('/domains/', { name }).expect(201);
    expect(await record(name)).toMatchObject({ suspension_causes: [], partner_ref: null });
  });

  describe('proof of ownership', () => {
    const ownership = async (name: string) =>
      (
        await api.database.read(
          'SELECT ownership_token AS token, ownership_required AS required FROM verification WHERE domain_id = (SELECT id FROM domain WHERE name = ?)',
          [name],
        )
      )[0];

    it('is owed by who takes over a name, and not shed by deleting and creating, nor by master creating it', async () => {
      const name = aName();
      await create(acme, name);
      const former = await ownership(name);
      expect(former).toMatchObject({ required: 0 });
      await remove(acme, name);
      await create(rival, name);
      const own = await ownership(name);
      expect(own).toMatchObject({ required: 1 });
      expect(own?.token).not.toBe(former?.token);
      await again(rival, name);
      expect(await ownership(name)).toEqual(own);
      await remove(rival, name);
      await api.as(MASTER).post('/domains/', { name, partner_ref: 'rival' }).expect(201);
      expect(await ownership(name)).toEqual(own);
      expect(await record(name)).toMatchObject({ inbound: 'pending' });
    });

    it('is owed by the first partner too once another had the name, by a new record', async () => {
      const name = aName();
      await create(acme, name);
      const former = await ownership(name);
      await again(acme, name);
      expect(await ownership(name)).toEqual(former);
      await remove(acme, name);
      await create(rival, name);
      await remove(rival, name);
      await create(acme, name);
      expect(await ownership(name)).toMatchObject({ required: 1 });
      expect((await ownership(name))?.token).not.toBe(former?.token);
    });
  });

  it('of several tombstones of a partner the last holds, and none before it ever comes back', async () => {
    const name = aName();
    await create(acme, name);
    await configure(name, { outbound_tier: 'unlimited', daily_limit: 100_000 });
    await again(acme, name);
    await configure(name, { outbound_tier: 'basic', daily_limit: 5 });
    await sent(name, { count: 3 });
    for (let round = 0; round < 3; round += 1) {
      await again(acme, name);
      expect(await outbound(name)).toMatchObject({ outbound_tier: 'basic', daily_limit: 5, sent_today: 3 });
    }
    await suspend(name, 'abuse');
    await again(acme, name);
    await api.as(MASTER).put(`/domains/${name}/activate`).expect(200);
    await again(acme, name);
    expect(await record(name)).toMatchObject({ suspension_causes: [] });
  });

  it('deleting and creating without end leaves one tombstone of a domain that had nothing else to keep', async () => {
    const name = aName();
    await create(acme, name);
    for (let round = 0; round < 5; round += 1) await again(acme, name);
    await remove(acme, name);
    for (const table of ['tombstone', 'deleted_domain']) {
      expect(await api.database.read(`SELECT name FROM ${table} WHERE name = ?`, [name])).toHaveLength(1);
    }
  });

  it('a name is remembered for 90 days, to the millisecond', async () => {
    const name = aName();
    await create(acme, name);
    await suspend(name, 'abuse');
    await remove(acme, name);
    api.clock.advance(90 * DAY_MS - 1);
    await create(acme, name);
    expect(await record(name)).toMatchObject({ suspension_causes: ['abuse'] });
    await remove(acme, name);
    api.clock.advance(90 * DAY_MS);
    await api.as(MASTER).post('/domains/', { name, partner_ref: 'rival' }).expect(201);
    expect(await record(name)).toMatchObject({ inbound: 'open' });
    await remove(rival, name);
    await create(acme, name);
    expect(await record(name)).toMatchObject({ suspension_causes: [] });
  });

  describe('a move by master', () => {
    it('leaves the former partner what it had, for when the new one deletes the domain', async () => {
      const name = aName();
      await create(acme, name);
      await burden(name);
      await mailbox(acme, `a@${name}`);
      await sent(name, { count: 9, sender: `a@${name}` });
      await move(name, 'rival');
      await sent(name, { count: 2 });
      await api.as(MASTER).put(`/domains/${name}/activate`).expect(200);
      await configure(name, { outbound_status: 'active', daily_limit: 5_000 });
      await remove(rival, name);
      await create(acme, name);
      expect(await record(name)).toMatchObject({ outbound_status: 'blocked', plan: 'business', inbound: 'pending' });
      expect((await record(name)).suspension_causes).toContain('abuse');
      expect(await outbound(name)).toMatchObject({ sent_today: 9, daily_limit: 7 });
      expect(await outbound(name, '/senders')).toMatchObject([{ sender: `a@${name}`, sent_today: 9 }]);
      await remove(acme, name);
      await create(rival, name);
      expect(await record(name)).toMatchObject({ outbound_status: 'active', suspension_causes: [] });
      expect(await outbound(name)).toMatchObject({ sent_today: 11, daily_limit: 5_000 });
    });

    it('leaves nothing twice: what comes back is of the last deletion, and the copy of the move is gone', async () => {
      const name = aName();
      await create(acme, name);
      await sent(name, { count: 4, sender: `a@${name}` });
      await move(name, 'rival');
      await sent(name, { count: 2 });
      await move(name, 'acme');
      await suspend(name, 'abuse');
      await again(acme, name);
      expect(await record(name)).toMatchObject({ suspension_causes: ['abuse'] });
      expect(await outbound(name)).toMatchObject({ sent_today: 6 });
      const copies = 'FROM tombstone WHERE name = ?';
      const [rivals] = await api.database.read(`SELECT counters_id ${copies}`, [name]);
      expect(await api.database.read(`SELECT id ${copies}`, [name])).toHaveLength(1);
      const counted = await api.database.read('SELECT domain_id FROM outbound_counter WHERE domain_id < 0');
      expect(counted).toContainEqual({ domain_id: rivals?.counters_id });
      await remove(acme, name);
      await create(rival, name);
      expect(await outbound(name)).toMatchObject({ sent_today: 6 });
      expect(
        await api.database.read('SELECT domain_id FROM outbound_counter WHERE domain_id = ?', [
          Number(rivals?.counters_id),
        ]),
      ).toEqual([]);
    });

    it('ends the restoration of what was deleted before it', async () => {
      const name = aName();
      await create(acme, name);
      await mailbox(acme, `a@${name}`);
      await mailbox(acme, `c@${name}`);
      await api.as(acme).delete(`/users/a@${name}`).expect(204);
      await again(acme, name);
      await mailbox(acme, `b@${name}`);
      await api.as(acme).delete(`/users/b@${name}`).expect(204);
      const ended = () =>
        api.database.read(
          "SELECT name, kind FROM tombstone WHERE name LIKE ? AND kind <> 'move' AND other_holder_at IS NOT NULL ORDER BY name",
          [`%${name}`],
        );
      expect(await ended()).toEqual([]);
      await move(name, 'rival');
      expect(await ended()).toEqual([
        { name: `b@${name}`, kind: 'mailbox' },
        { name, kind: 'domain' },
      ]);
    });
  });

  describe('parents', () => {
    const parentOf = async (name: string) => (await record(name)).parent;

    it('that master set for a subdomain hold after deletion and creation, as long as they stand', async () => {
      const parent = aName();
      await create(acme, parent);
      await create(acme, `sub.${parent}`);
      await api.as(MASTER).put(`/domains/sub.${parent}/parent`, { parent }).expect(200);
      await again(acme, `sub.${parent}`);
      expect(await parentOf(`sub.${parent}`)).toBe(parent);
      await remove(acme, `sub.${parent}`);
      await remove(acme, parent);
      await create(acme, `sub.${parent}`);
      expect(await parentOf(`sub.${parent}`)).toBeNull();
    });

    it('that are deleted and created link new subdomains as before', async () => {
      const parent = aName();
      await create(acme, parent);
      await api.as(MASTER).put(`/domains/${parent}/parent`, { wildcard_mode: 'any' }).expect(200);
      await again(acme, parent);
      await create(acme, `new.${parent}`);
      expect(await parentOf(`new.${parent}`)).toBe(parent);
    });

    it('that are deleted while blocked or suspended for abuse leave that to their children', async () => {
      const parent = aName();
      await create(acme, parent);
      await api.as(MASTER).put(`/domains/${parent}/parent`, { wildcard_mode: 'any' }).expect(200);
      await create(acme, `child.${parent}`);
      await suspend(parent, 'abuse');
      await suspend(parent, 'billing');
      await configure(parent, { outbound_status: 'blocked' });
      await remove(acme, parent);
      expect(await record(`child.${parent}`)).toMatchObject({
        parent: null,
        suspension_causes: ['abuse'],
        outbound_status: 'blocked',
      });
    });
  });

  it('of two partners that race for a freed name one gets it, and what it gets is its own', async () => {
    for (let round = 0; round < 5; round += 1) {
      const name = aName();
      await create(acme, name);
      await suspend(name, 'abuse');
      const tries = async (token: string): Promise<number> => {
        for (;;) {
          const { status } = await api.as(token).post('/domains/', { name });
          if (status === 201) return status;
          if ((await api.as(MASTER).get(`/domains/${name}`)).status === 200) return status;
        }
      };
      await remove(acme, name);
      const answers = await Promise.all([tries(acme), tries(rival), tries(acme), tries(rival)]);
      expect(answers.filter((status) => status === 201)).toHaveLength(1);
      const { partner_ref, suspension_causes, inbound } = await record(name);
      expect(suspension_causes).toEqual(partner_ref === 'acme' ? ['abuse'] : []);
      expect(inbound).toBe('pending');
    }
  });

  it('counts each message once while the domain is deleted and created, again and again', async () => {
    const name = aName();
    await create(acme, name);
    let counted = 0;
    const cycles = { areOver: false };
    const sender = async (): Promise<void> => {
      while (!cycles.areOver) {
        const answer = await api.as(POLICY).post(`/domains/${name}/outbound/increment`, { record: true });
        expect([200, 404]).toContain(answer.status);
        if (answer.status === 200) counted += 1;
      }
    };
    const cycle = async (): Promise<void> => {
      for (let round = 0; round < 12; round += 1) await again(acme, name);
      cycles.areOver = true;
    };
    await Promise.all([cycle(), sender(), sender(), sender(), sender()]);
    expect(counted).toBeGreaterThan(0);
    expect(await outbound(name)).toMatchObject({ sent_today: counted, sent_this_month: counted });
  });
});
