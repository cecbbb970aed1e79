import { onHttpDatabase } from '@mailstead/adapters/database/testing/database-fixture';
import { DAY_MS } from '@mailstead/core/clock';
import { MASTER } from '../testing/api-fixture.js';
import { type NameSteps, startNameSteps } from '../testing/name-steps.js';

const HASH = '$2y$04$N9qo8uLOickgx2ZMRZoMyeIjZAgcfl7p92ldGxad68LJZdL17lhWy';

onHttpDatabase((kind) => {
  let names: NameSteps;

  beforeAll(async () => {
    names = await startNameSteps(kind);
  });
  afterAll(() => names.api.close());

  it('a partner that deletes and creates a domain keeps its plan, its retention and what operators set', async () => {
    const { api, acme, aName, create, again, rowOf, setEverything } = names;
    const kept = {
      plan: 'business',
      retention_days: 20,
      retention_days_before: 60,
      retention_lowered_at: expect.anything(),
      retention_lowerings: expect.stringMatching(/"days":20/),
      retention_reminder_at: expect.anything(),
      transfer_monthly_mb: 77,
      suspension_causes: expect.stringMatching(/^(?=.*operator)(?=.*billing)(?=.*abuse)/),
      outbound_tier: 'high',
      outbound_enforcement: 'monitor',
      outbound_status: 'blocked',
      blocked_reason: 'operator',
      blocked_at: expect.anything(),
      bounce_window_start: expect.anything(),
      operator_daily_limit: 7,
      operator_monthly_limit: 70,
      wildcard_mode: 'direct',
    };
    const name = aName();
    await create(acme, name);
    await setEverything(name);
    const before = await rowOf(name);
    expect(before).toMatchObject(kept);
    api.clock.advance(DAY_MS);
    await again(acme, name);
    const columns = Object.keys(kept).map((column) => [column, before[column]]);
    expect(await rowOf(name)).toMatchObject(Object.fromEntries(columns));
  });

  it('a partner that deletes and creates a domain does not keep its own suspension and its own limits', async () => {
    const { api, acme, aName, create, again, record, outbound } = names;
    const name = aName();
    await create(acme, name);
    await api.as(acme).put(`/domains/${name}/suspend`).expect(200);
    await api.as(acme).put(`/domains/${name}/outbound`, { daily_limit: 3 }).expect(200);
    await again(acme, name);
    expect(await record(name)).toMatchObject({ suspension_causes: [], mailboxes: 0, aliases: 0 });
    expect(await outbound(name)).toMatchObject({ daily_limit: 200 });
  });

  it('a partner that deletes and creates a domain keeps all counters, the history and the counted ids', async () => {
    const { api, acme, aName, create, again, outbound, sent, mailbox } = names;
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
    // The verification begins anew.
    expect(await outbound(name)).toEqual({
      ...before,
      revision: before.revision + 1,
      verdict: { ...before.verdict, since: expect.any(String) },
    });
    expect(await outbound(name, '/history')).toEqual(history);
    expect((await sent(name, { count: 4, bytes: 100, sender: `a@${name}`, id: 'once' })).body).toEqual(first);
    await mailbox(acme, `a@${name}`, { outbound_daily_limit: 5 });
    expect(await outbound(name, '/senders')).toEqual(senders);
    await api.database.write(
      "UPDATE verification SET status = 'verified' WHERE domain_id = (SELECT id FROM domain WHERE name = ?)",
      [name],
      [],
    );
    const { body: full } = await sent(name, { count: 2, sender: `a@${name}`, record: false });
    expect(full).toMatchObject({ allowed: false, reason: 'mailbox_limit' });
  });

  it('a mailbox that is deleted and created keeps the number of messages that it sent today', async () => {
    const { api, acme, aName, create, outbound, sent, mailbox } = names;
    const name = aName();
    await create(acme, name);
    await mailbox(acme, `a@${name}`, { outbound_daily_limit: 5 });
    await sent(name, { count: 5, sender: `a@${name}` });
    await api.as(acme).delete(`/users/a@${name}`).expect(204);
    await mailbox(acme, `a@${name}`, { outbound_daily_limit: 5 });
    expect(await outbound(name, '/senders')).toEqual([{ sender: `a@${name}`, sent_today: 5, outbound_daily_limit: 5 }]);
  });

  it('a mailbox that is deleted and created keeps its daily limit, unless its partner sets another', async () => {
    const { api, acme, rival, aName, create, remove, again, mailbox } = names;
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

  it.each([
    ['deleted before the parent', false],
    ['deleted before the parent was held', true],
  ])('a subdomain that was %s keeps the block and the suspension of its parent', async (_, isDeletedFirst) => {
    const { api, acme, aName, create, remove, configure, suspend, record, outbound } = names;
    const name = aName();
    const child = `sub.${name}`;
    await create(acme, name);
    await api.as(MASTER).put(`/domains/${name}/parent`, { wildcard_mode: 'any' }).expect(200);
    await create(acme, child);
    if (isDeletedFirst) await remove(acme, child);
    await suspend(name, 'abuse');
    await suspend(name, 'billing');
    await configure(name, { outbound_status: 'blocked' });
    if (!isDeletedFirst) await remove(acme, child);
    await remove(acme, name);
    await create(acme, child);
    expect(await record(child)).toMatchObject({ suspension_causes: ['abuse'], parent: null });
    expect(await outbound(child)).toMatchObject({ outbound_status: 'blocked', blocked_reason: 'operator' });
  });

  it('new mailboxes of a domain that was deleted and created have the quota of its plan', async () => {
    const { api, acme, aName, create, again, mailbox } = names;
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

  it('a partner gets back its own data, even if others had the name in between, and never data of another partner', async () => {
    const { acme, rival, aName, create, remove, record, outbound, suspend, sent, setEverything } = names;
    const name = aName();
    await create(acme, name);
    await setEverything(name);
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

  it('a creation by master for a partner restores the same data as a creation by that partner', async () => {
    const { api, acme, aName, create, remove, record, suspend } = names;
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
        await names.api.database.read(
          'SELECT ownership_token AS token, ownership_required AS required FROM verification WHERE domain_id = (SELECT id FROM domain WHERE name = ?)',
          [name],
        )
      )[0];

    it('is required of the next partner of a name, also after it deletes and creates it and after master creates it', async () => {
      const { api, acme, rival, aName, create, remove, again, record } = names;
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

    it('is required of the first partner after another partner had the name, with a new record', async () => {
      const { acme, rival, aName, create, remove, again } = names;
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

  it('the last of several tombstones of a partner is restored, and earlier ones never are', async () => {
    const { api, acme, aName, create, again, record, outbound, configure, suspend, sent } = names;
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

  it('deleting and creating a domain many times leaves one tombstone if there is no other data to keep', async () => {
    const { api, acme, aName, create, remove, again } = names;
    const name = aName();
    await create(acme, name);
    for (let round = 0; round < 5; round += 1) await again(acme, name);
    await remove(acme, name);
    for (const table of ['tombstone', 'deleted_domain']) {
      expect(await api.database.read(`SELECT name FROM ${table} WHERE name = ?`, [name])).toHaveLength(1);
    }
  });
});
