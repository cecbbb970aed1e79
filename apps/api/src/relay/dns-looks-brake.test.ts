import { onHttpDatabase } from '@mailstead/adapters/database/testing/database-fixture';
import { DAY_MS, HOUR_MS, MINUTE_MS, utcDay } from '@mailstead/core/clock';
import { scaleDeadlines } from '@mailstead/core/deadlines';
import { AppError } from '@mailstead/core/errors';
import { PlanLooks } from '@mailstead/core/relay/looks/plan-looks';
import { DEADLINE_FACTOR } from '../../../../scripts/test-timeout.mjs';
import { BILLING, MASTER, type TestApi } from '../testing/api-fixture.js';
import { LookedDomains } from '../testing/looked-domains.js';

/** So many domains may begin to lack something in a day, where 2 % of all are fewer. */
const MOST = 50;

onHttpDatabase((kind) => {
  let looked: LookedDomains;
  let api: TestApi;

  beforeAll(async () => {
    looked = await LookedDomains.start(kind);
    ({ api } = looked);
  });
  beforeEach(() => looked.begin());
  afterAll(() => api.close());

  /** As if so many domains had begun to lack something today. */
  const counted = (today: number) =>
    api.database.write('UPDATE dns_look_state SET day = ?, new_lacks = ?', [utcDay(api.clock.now()), today], []);
  const release = (token = MASTER, body: object = { release_brake: true }) =>
    api.as(token).post('/jobs/dns.look/run', body);
  const actions = async () =>
    (await api.as(MASTER).get('/audit').expect(200)).body.filter(
      ({ action }: { action: string }) => action === 'dns_looks.release_brake',
    );

  it('when more domains than the brake allows begin to lack something in a day, the others are held until the release', async () => {
    for (const name of ['one.example', 'two.example', 'three.example']) await looked.domain(name);
    await counted(MOST - 1);
    expect(await looked.lookTwice()).toEqual({ missing: 1, held: 2 });
    expect(await looked.events()).toHaveLength(1);
    expect(await looked.warnings()).toEqual([{ name: 'dns_looks', detail: expect.stringContaining('2 domains') }]);
    const { body: needing } = await api.as(looked.acme).get('/me/attention').expect(200);
    expect(needing).toEqual([expect.objectContaining({ reason: 'dns_missing', count: 1 })]);
    // The next day has a new number, and those that are held stay so.
    api.clock.advance(2 * DAY_MS);
    expect(await looked.look()).toEqual({ looked: 1, held: 2 });
    api.jobs.jobs.length = 0;
    await release().expect(202);
    expect(api.jobs.jobs).toEqual([
      expect.objectContaining({ name: 'dns.look', options: { key: 'dns.look', requestId: expect.any(String) } }),
    ]);
    expect(await looked.warnings()).toEqual([]);
    await counted(MOST);
    expect(await looked.look()).toEqual({ missing: 2 });
    expect(await looked.events()).toHaveLength(3);
    expect(await actions()).toEqual([expect.objectContaining({ actor_kind: 'master', after: { domains: 2 } })]);
  });

  it('a held domain that has its records again is free, and what a release finds complete is told of nobody', async () => {
    for (const name of ['mended.example', 'released.example']) await looked.domain(name);
    await counted(MOST);
    expect(await looked.lookTwice()).toEqual({ held: 2 });
    looked.publish('mended.example');
    api.clock.advance(2 * DAY_MS);
    expect(await looked.look()).toEqual({ looked: 1, held: 1 });
    expect(await looked.warnings()).toEqual([{ name: 'dns_looks', detail: expect.stringContaining('1 domain lacks') }]);
    await release().expect(202);
    looked.publish('released.example');
    expect(await looked.look()).toEqual({ looked: 1 });
    expect(await looked.events()).toEqual([]);
  });

  it('of many domains two in a hundred may begin to lack something', async () => {
    await looked.domain('many.example');
    const domains = (count: number) =>
      api.database.write("UPDATE partner SET domain_count = ? WHERE ref = 'acme'", [count], []);
    await domains(3_049);
    await counted(60);
    expect(await looked.lookTwice()).toEqual({ held: 1 });
    await looked.domain('more.example');
    await domains(3_050);
    await counted(60);
    expect(await looked.lookTwice()).toEqual({ missing: 1 });
  });

  it('what is found again is no new lack, so that the brake does not count a domain twice', async () => {
    await looked.domain('known.example');
    await counted(MOST - 1);
    await looked.lookTwice();
    for (let day = 0; day < 2; day += 1) {
      api.clock.advance(2 * DAY_MS);
      await counted(MOST);
      expect(await looked.look()).toEqual({ looked: 1 });
    }
    expect(await looked.events()).toHaveLength(1);
  });

  it('only master releases, and only what was asked for', async () => {
    for (const token of [looked.acme, BILLING]) await release(token).expect(403);
    await release(MASTER, { release_brake: 'yes' }).expect(422);
    await release(MASTER, { release_brake: false }).expect(202);
    await api.as(MASTER).post('/jobs/dns.look/run').expect(202);
    expect(await actions()).toEqual([]);
  });

  it('a round that another process runs is not run twice, and goes on when that process was killed', async () => {
    await looked.domain('leased.example');
    api.clock.advance(MINUTE_MS);
    const until = api.clock.now().getTime() + 2 * MINUTE_MS;
    await api.database.write("UPDATE dns_look_state SET round = 'other', round_until = ?", [until], []);
    // The other process had taken the domain.
    await api.database.write('UPDATE dns_look SET due_at = ?', [api.clock.now().getTime() + 5 * MINUTE_MS], []);
    expect(await looked.look()).toEqual({});
    expect(looked.nextRoundIn()).toBe(30_000);
    api.clock.advance(5 * MINUTE_MS);
    expect(await looked.look()).toEqual({ looked: 1 });
    expect(await api.container.get(PlanLooks).sweep({ of: 1, remainder: 0 })).toBe(0);
  });

  it('a round that the database breaks off goes on by itself, and each event is there once', async () => {
    for (const name of ['a.example', 'b.example', 'c.example']) await looked.domain(name);
    api.clock.advance(MINUTE_MS);
    await looked.look();
    api.clock.advance(10 * MINUTE_MS);
    const { database } = api;
    const write = database.write.bind(database);
    let stored = 0;
    database.write = (sql, ...rest) => {
      if (!sql.startsWith('UPDATE dns_look SET due_at = ?, lacks')) return write(sql, ...rest);
      stored += 1;
      return stored === 2 ? Promise.reject(new AppError('database_unavailable')) : write(sql, ...rest);
    };
    await expect(looked.look()).rejects.toThrow('database');
    Object.assign(database, { write });
    // The queue repeats the job; the lease of the round, and then that of the domain, has to end.
    expect(await looked.look()).toEqual({});
    api.clock.advance(5 * MINUTE_MS);
    await looked.look();
    const told = (await looked.events()).map(({ about }) => about);
    expect(told.toSorted()).toEqual(['a.example', 'b.example', 'c.example']);
  });

  it('name servers that never answer hold a look up for its deadline only, and change nothing', async () => {
    await looked.domain('slow.example');
    await looked.domain('quick.example');
    looked.publish('quick.example');
    const txt = api.dns.txt.bind(api.dns);
    api.dns.txt = (name) => (name === 'slow.example' ? new Promise(() => {}) : txt(name));
    api.clock.advance(MINUTE_MS);
    scaleDeadlines(0.01);
    try {
      expect(await looked.look()).toEqual({ unknown: 1, looked: 1 });
    } finally {
      scaleDeadlines(DEADLINE_FACTOR);
      api.dns.txt = txt;
    }
    expect(await looked.dueIn('slow.example')).toBe(HOUR_MS);
    expect(await looked.events()).toEqual([]);
  });

  it('no request of this suite caused a defect', () => {
    expect(api.log.defects).toEqual([]);
  });
});
