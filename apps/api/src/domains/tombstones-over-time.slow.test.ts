import { onEachDatabase } from '@mailstead/adapters/database/testing/database-fixture';
import { DAY_MS } from '@mailstead/core/clock';
import { MASTER, POLICY } from '../testing/api-fixture.js';
import { type NameSteps, startNameSteps } from '../testing/name-steps.js';

onEachDatabase((kind) => {
  let names: NameSteps;

  beforeAll(async () => {
    names = await startNameSteps(kind);
  });
  afterAll(() => names.api.close());

  it('the tombstone of a name applies for 90 days, to the millisecond', async () => {
    const { api, acme, rival, aName, create, remove, record, suspend } = names;
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
    it('keeps a copy of the settings for the former partner, for a creation after the new partner deletes the domain', async () => {
      const {
        api,
        acme,
        rival,
        aName,
        create,
        remove,
        move,
        record,
        outbound,
        configure,
        sent,
        mailbox,
        setEverything,
      } = names;
      const name = aName();
      await create(acme, name);
      await setEverything(name);
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

    it('restores the data of the last deletion once, and deletes the copy of the move', async () => {
      const { api, acme, rival, aName, create, remove, again, move, record, outbound, suspend, sent } = names;
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

    it('prevents the restoration of deletions before the move', async () => {
      const { api, acme, aName, create, again, move, mailbox } = names;
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
    const parentOf = async (name: string) => (await names.record(name)).parent;

    it('that master set for a subdomain are restored with it, as long as the parent exists', async () => {
      const { api, acme, aName, create, remove, again } = names;
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

    it('that are deleted and created again link new subdomains as before', async () => {
      const { api, acme, aName, create, again } = names;
      const parent = aName();
      await create(acme, parent);
      await api.as(MASTER).put(`/domains/${parent}/parent`, { wildcard_mode: 'any' }).expect(200);
      await again(acme, parent);
      await create(acme, `new.${parent}`);
      expect(await parentOf(`new.${parent}`)).toBe(parent);
    });

    it('that are deleted while blocked or suspended for abuse pass block and suspension on to their children', async () => {
      const { api, acme, aName, create, remove, record, configure, suspend } = names;
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

  it('when two partners create a deleted name at the same time, one gets it with only its own former data', async () => {
    const { api, acme, rival, aName, create, remove, record, suspend } = names;
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

  it('counts each message once while the domain is repeatedly deleted and created', async () => {
    const { api, acme, aName, create, again, outbound } = names;
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
