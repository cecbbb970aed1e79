import { HOUR_MS } from '@mailstead/core/clock';
import type { Domain } from '@mailstead/core/domains/domain';
import { systemActor } from '@mailstead/core/operators/actor';
import { anIncrement } from '@mailstead/core/testing/outbound-world';
import { sampleSize } from '@mailstead/core/testing/sampled';
import fc from '../../../../../scripts/fast-check.mjs';
import type { Database } from '../driver/database.js';
import { openDatabase } from '../driver/open-database.js';
import { onEachDatabase, openTestDatabase, type TestDatabase } from '../testing/database-fixture.js';
import { ALL, DaysWorld, START, type Step, step } from '../testing/days-world.js';

onEachDatabase((kind) => {
  let opened: TestDatabase;

  beforeAll(async () => {
    opened = await openTestDatabase(kind);
  });
  afterAll(() => opened.close());

  async function newWorld(): Promise<DaysWorld> {
    for (const table of ['outbound_partner_day', 'outbound_day', 'outbound_counter', 'tombstone', 'usage_counted']) {
      await opened.database.write(`DELETE FROM ${table}`);
    }
    // Else domains would be created after the messages of this run: times of creation increase.
    await opened.database.write('UPDATE partner SET last_created_at = 0');
    await opened.database.write('UPDATE domain SET parent_id = NULL', [], []);
    await opened.database.write('DELETE FROM domain', [], []);
    const world = new DaysWorld(opened.database);
    for (const partner of ['acme', 'acme', 'rival']) world.domains.push(await world.create(partner));
    return world;
  }

  it('after random mail, bounces, resets, moves, deletions and increments of former processes, the days of a partner have what its domains sent while they were its domains', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), async (steps) => {
        const world = await newWorld();
        for (const each of steps) await world.run(each);
        await world.copies.correct(ALL, world.now);
        expect(await world.answers()).toEqual(world.wanted());
        expect(await world.allDays()).toEqual(world.wantedOfAll());
        expect(await world.copies.correct(ALL, world.now)).toBe(0);
      }),
      { numRuns: kind === 'sqlite' ? sampleSize(40, 15) : sampleSize(8, 5) },
    );
  });

  it('a message and its bounce stay with the partner that had the domain when it was sent, also when the bounce comes after a move', async () => {
    const world = await newWorld();
    const steps: Step[] = [
      { kind: 'wait', hours: 1 },
      { kind: 'send', domain: 0, count: 7, former: false, forwarded: false },
      { kind: 'wait', hours: 1 },
      { kind: 'move', domain: 0 },
      { kind: 'send', domain: 0, count: 2, former: false, forwarded: false },
      { kind: 'bounce', domain: 0, event: 'bounce', ageHours: 1, former: false },
      { kind: 'bounce', domain: 0, event: 'complaint', ageHours: 0, former: false },
    ];
    for (const each of steps) await world.run(each);
    const today = { day: '2026-03-15' };
    expect((await world.answers()).map((days) => days.at(-1))).toEqual([
      { ...today, sent: 7, bounces: 1, complaints: 0 },
      { ...today, sent: 2, bounces: 0, complaints: 1 },
    ]);
    expect(await world.answers()).toEqual(world.wanted());
  });

  it('the days of all partners get what a process added to the days of partners alone, once', async () => {
    const world = await newWorld();
    for (const each of [0, 1, 2]) {
      await world.run({ kind: 'send', domain: each, count: 3, former: false, forwarded: false });
    }
    await opened.database.write('DELETE FROM outbound_partner_day WHERE partner_id < 0');
    expect((await world.allDays()).at(-1)?.sent).toBe(0);
    expect(await world.copies.correct(ALL, world.now)).toBe(1);
    await world.run({ kind: 'send', domain: 0, count: 2, former: false, forwarded: false });
    expect(await world.copies.correct(ALL, world.now)).toBe(0);
    expect(await world.allDays()).toEqual(world.wantedOfAll());
    expect((await world.allDays()).at(-1)?.sent).toBe(11);
  });

  it('without moves, deletions and unblocking they are the sums of the days of its domains', async () => {
    const keeps = step.filter((each) => !['move', 'recreate', 'unblock'].includes(each.kind));
    await fc.assert(
      fc.asyncProperty(fc.array(keeps, { minLength: 5, maxLength: 25 }), async (steps) => {
        const world = await newWorld();
        for (const each of steps) await world.run(each);
        await world.copies.correct(ALL, world.now);
        expect(await world.answers()).toEqual(await world.sumsOfDomains());
      }),
      { numRuns: kind === 'sqlite' ? sampleSize(20, 8) : sampleSize(5, 3) },
    );
  });
});

/** Only on MariaDB, because SQLite has one writer. */
describe('two processes that count at once', () => {
  let opened: TestDatabase;
  let elsewhere: Database;

  beforeAll(async () => {
    opened = await openTestDatabase('mariadb');
    elsewhere = await openDatabase({ url: opened.url, dataDir: opened.dataDir, poolSize: 10 });
  });
  afterAll(async () => {
    await elsewhere.close();
    await opened.close();
  });

  it('beside bounces, resets, moves and corrections lose and repeat nothing in the days of partners', async () => {
    const worlds = [new DaysWorld(opened.database), new DaysWorld(elsewhere)];
    const [main] = worlds;
    if (main === undefined) throw new Error('No world');
    const names: Domain[] = [];
    for (let made = 0; made < 8; made += 1) names.push(await main.create(made % 2 === 0 ? 'acme' : 'rival'));
    // Each domain has a later time of creation than the one before.
    for (const world of worlds) world.setTime(new Date(START.getTime() + HOUR_MS));
    const rounds = Array.from({ length: sampleSize(15, 8) }, (_, round) => round);
    const bounce = (row: Domain) =>
      main.world.ports.unitOfWork.run(() =>
        main.world.ports.ledger.countBounces(row.id, [{ kind: 'bounce', sentAt: main.now }], main.now),
      );
    await Promise.all([
      ...worlds.flatMap(({ outbound }, at) =>
        [names, names.toReversed()].map(async (order) => {
          for (const round of rounds) {
            await outbound.countOutbound.executeAll(
              order.map((row) => anIncrement(row, { count: 1 + ((round + at) % 2), alreadySent: true })),
            );
          }
        }),
      ),
      ...names.map(async (row) => {
        for (const _ of rounds) await bounce(row);
      }),
      (async () => {
        for (const round of rounds) {
          await main.copies.correct(ALL, main.now);
          await main.outbound.resetDaily.execute(systemActor('tests'));
          const moved = names[round % 4];
          if (moved !== undefined) await main.world.moveDomain(moved, round % 3 === 0 ? 'rival' : 'acme');
        }
      })(),
    ]);
    const [day] = await opened.database.read(
      'SELECT SUM(sent) AS sent, SUM(bounces) AS bounces FROM outbound_partner_day WHERE partner_id > 0',
    );
    const sent = rounds.length * names.length * 2 * 3;
    expect([Number(day?.sent), Number(day?.bounces)]).toEqual([sent, rounds.length * names.length]);
    expect((await main.allDays()).at(-1)).toMatchObject({ sent, bounces: rounds.length * names.length });
    expect(await main.copies.correct(ALL, main.now)).toBe(0);
    const sums = await main.sumsOfDomains();
    expect(sums.flat().reduce((sum, each) => sum + each.sent, 0)).toBe(sent);
  });
});
