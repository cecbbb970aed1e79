import { DAY_MS, utcDay } from '@mailstead/core/clock';
import type { Domain } from '@mailstead/core/domains/domain';
import { sampled } from '@mailstead/core/testing/sampled';
import { SnapshotUsage } from '@mailstead/core/usage/snapshot-usage';
import { SumMonths } from '@mailstead/core/usage/sum-months';
import type { UsageQuery, UsageRow } from '@mailstead/core/usage/usage-report';
import type { Parameter } from '../driver/database.js';
import { onEachDatabase, openTestDatabase, type TestDatabase } from '../testing/database-fixture.js';
import { openAgain } from '../testing/open-again.js';
import { PartnerWorld } from '../testing/partner-world.js';

const NAMES = 12;
const MONTHS = ['2026-03', '2026-04'];
/** March has been closed for three months, April has not. */
const JULY_4 = '2026-07-04T01:40:00Z';
const EVERY_MONTH_IS_OVER = '2026-12-10T01:40:00Z';
const NO_CURSOR = { cursor: 0, save: async () => {} };
const COLUMNS =
  'month, name, day, partner_id, plan, external_ref, billing_ref, held, mailboxes, storage_mb, sent, bytes, bytes_in, bounces';

/** A small generator with a seed, so that a failed run can be repeated. */
function randomOf(seed: number): <Item>(...items: Item[]) => Item {
  let state = seed;
  return (...items) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    const item = items[Math.floor((state / 2 ** 32) * items.length)];
    if (item === undefined) throw new Error('Nothing to choose from');
    return item;
  };
}

onEachDatabase((kind) => {
  let opened: TestDatabase;
  let world: PartnerWorld;
  let partners: number[];
  beforeAll(async () => {
    opened = await openTestDatabase(kind);
    world = new PartnerWorld(opened.database);
    for (const ref of ['one', 'two', 'three']) await world.createDomain(ref);
    partners = (await opened.database.read("SELECT id FROM partner WHERE ref <> '' ORDER BY id")).map(({ id }) =>
      Number(id),
    );
  });
  afterAll(() => opened.close());
  beforeEach(async () => {
    await opened.database.write('DELETE FROM usage_day');
    await opened.database.write('DELETE FROM usage_month');
    await opened.database.write("UPDATE installation SET value = '' WHERE name = 'usage_months_from'");
  });

  /**
   * Days of names that are moved, whose plan and references change, with and without stored mail, written late, with
   * the largest counters.
   */
  async function randomDays(seed: number): Promise<void> {
    const pick = randomOf(seed);
    const large = Number.MAX_SAFE_INTEGER;
    for (let name = 0; name < NAMES; name += 1) {
      const rows: Parameter[][] = [];
      for (let day = 0; day < 61; day += 1) {
        const date = utcDay(new Date(Date.parse('2026-03-01T00:00:00Z') + day * DAY_MS));
        const month = date.startsWith('2026-03') ? pick('2026-03', '2026-03', '2026-03', '2026-04') : '2026-04';
        const skips = pick(1, 2, 3);
        for (const partner of partners.slice(0, skips).filter(() => pick(true, true, false)))
          rows.push([
            month,
            `n${(name * 7) % NAMES}.example`,
            date,
            partner,
            pick(null, 'starter', 'business'),
            pick(null, '', ' ', 'contract "7"', 'Ünlü 漢字'),
            pick(null, 'sub_1', 'sub_2'),
            pick(0, 1),
            pick(0, 1, 7, 2_000_000_000),
            pick(null, null, 0, 5, 1_000_000_000),
            pick(0, 3),
            pick(0, 10, name === 0 ? large : 99),
            pick(0, 20),
            pick(0, 1),
          ]);
      }
      await opened.database.write(
        `INSERT INTO usage_day (${COLUMNS}) VALUES ${rows.map((row) => `(${row.map(() => '?').join(', ')})`).join(', ')}`,
        rows.flat(),
      );
    }
  }

  async function report(query: UsageQuery, limit: number, between: () => Promise<unknown> = async () => {}) {
    const rows: UsageRow[] = [];
    for (let after: string | null = ''; after !== null; ) {
      const chunk = await world.ports.usageReport.read(query, after, limit);
      rows.push(...chunk.rows);
      after = chunk.next;
      await between();
    }
    return rows;
  }
  const queries = (): UsageQuery[] =>
    MONTHS.flatMap((month) => [null, ...partners].map((partnerId) => ({ period: { month }, partnerId })));
  const reports = (limit: number) => Promise.all(queries().map((query) => report(query, limit)));

  const run = () => new SumMonths(world.ports.usage, world.clock).execute(NO_CURSOR);
  /** The first run only notes the time. */
  async function wait(): Promise<void> {
    world.clock.set(new Date(EVERY_MONTH_IS_OVER));
    await world.ports.usage.sumDays('2026-01', 1, new Date(world.clock.now().getTime() - 7 * DAY_MS));
  }
  const sum = (names: number) => world.ports.usage.sumDays('2026-03', names, world.clock.now());
  const countOf = async (table: 'usage_day' | 'usage_month', month: string) => {
    const [row] = await opened.database.read(`SELECT COUNT(*) AS number FROM ${table} WHERE month = ?`, [month]);
    return Number(row?.number);
  };

  const seeds: [seed: number, limit: number][] = [
    [1, 1],
    [2, 2],
    [3, 7],
  ];
  test.each(sampled(seeds, 1))(
    'the report of a month is the same before and after its days are summed (seed %i), also when it is read %i at a time',
    async (seed, limit) => {
      await randomDays(seed);
      const before = await reports(10_000);
      expect(before.map((rows) => rows.length > NAMES / 2)).toEqual(before.map(() => true));
      await wait();
      const days = (await countOf('usage_day', '2026-03')) + (await countOf('usage_day', '2026-04'));
      expect(await run()).toEqual({ replaced: days });
      expect([await countOf('usage_day', '2026-03'), await countOf('usage_day', '2026-04')]).toEqual([0, 0]);
      for (const rows of [limit, 10_000]) expect(await reports(rows)).toEqual(before);
      // Once more changes nothing.
      expect(await run()).toEqual({ replaced: 0 });
      expect(await reports(10_000)).toEqual(before);
    },
  );

  const parts: [limit: number, names: number][] = [
    [1, 1],
    [1, 3],
    [3, 1],
    [5, 4],
    [2, 8],
    [7, NAMES],
  ];
  test.each(sampled(parts, 2))(
    'a report that is read %i at a time, while %i names are summed between two parts, has each row once',
    async (limit, names) => {
      await randomDays(4);
      await wait();
      const all = { period: { month: '2026-03' }, partnerId: null };
      const before = await report(all, 10_000);
      let parts = 0;
      const found = await report(all, limit, () => {
        parts += 1;
        return parts % 2 === 0 ? sum(names) : Promise.resolve();
      });
      expect(found).toEqual(before);
      expect(await countOf('usage_month', '2026-03')).toBeGreaterThan(0);
      expect(await report(all, limit)).toEqual(before);
    },
  );

  test.each(sampled([0, 1, 2], 2))(
    'what is summed before statement %i of each part of a report is in it once',
    async (number) => {
      await randomDays(5);
      await wait();
      const all = { period: { month: '2026-03' }, partnerId: null };
      const before = await report(all, 10_000);
      const read = opened.database.read.bind(opened.database);
      let statements = 0;
      const summing = async (sql: string, parameters?: Parameter[]) => {
        opened.database.read = read;
        if (statements === number) await sum(2);
        statements += 1;
        opened.database.read = summing as typeof read;
        return read(sql, parameters);
      };
      opened.database.read = summing as typeof read;
      const found = await report(all, 3, async () => {
        statements = 0;
      });
      opened.database.read = read;
      expect(found).toEqual(before);
    },
  );

  test('a run that is killed between or in a part is continued by the next one', async () => {
    await randomDays(6);
    await wait();
    const before = await reports(10_000);
    await sum(7);
    const left = await countOf('usage_day', '2026-03');
    const killed = world.ports.unitOfWork.run(async () => {
      await sum(7);
      throw new Error('Killed');
    });
    await expect(killed).rejects.toThrow('Killed');
    expect(await countOf('usage_day', '2026-03')).toBe(left);
    expect(await reports(10_000)).toEqual(before);
    await run();
    expect(await countOf('usage_day', '2026-03')).toBe(0);
    expect(await reports(10_000)).toEqual(before);
  });

  test('two processes at once sum each day once', async () => {
    await randomDays(7);
    await wait();
    const before = await reports(10_000);
    const days = (await countOf('usage_day', '2026-03')) + (await countOf('usage_day', '2026-04'));
    const database = await openAgain(opened);
    try {
      const again = new PartnerWorld(database);
      again.clock.set(world.clock.now());
      const replaced = await Promise.all(
        [world, world, again].map(({ ports, clock }) => {
          const small = { ...NO_CURSOR, save: async () => void (await ports.usage.sumDays('2026-03', 2, clock.now())) };
          return new SumMonths(ports.usage, clock).execute(small);
        }),
      );
      expect(replaced.reduce((total, counts) => total + (counts.replaced ?? 0), 0)).toBeLessThanOrEqual(days);
    } finally {
      if (database !== opened.database) await database.close();
    }
    expect([await countOf('usage_day', '2026-03'), await countOf('usage_day', '2026-04')]).toEqual([0, 0]);
    expect(await reports(10_000)).toEqual(before);
  });

  test('a month keeps its days until it has been closed for three months, and for a week after the first run of this release', async () => {
    await randomDays(8);
    const kept = async () => [(await countOf('usage_day', '2026-03')) > 0, (await countOf('usage_day', '2026-04')) > 0];
    const at = async (time: string) => {
      world.clock.set(new Date(time));
      await run();
      return kept();
    };
    await opened.database.write("DELETE FROM usage_day WHERE month = '2026-04'");
    await opened.database.write(
      `INSERT INTO usage_day (${COLUMNS}) VALUES ('2026-04', 'n.example', '2026-04-01', ?, NULL, NULL, NULL, 1, 1, NULL, 0, 0, 0, 0)`,
      [partners[0] ?? 0],
    );
    expect(await at(JULY_4)).toEqual([true, true]);
    expect(await at('2026-07-11T01:39:00Z')).toEqual([true, true]);
    expect(await at('2026-07-11T01:40:00Z')).toEqual([false, true]);
    expect(await at('2026-08-03T23:59:00Z')).toEqual([false, true]);
    // Ten minutes after the API refuses the days.
    expect(await at('2026-08-04T00:09:00Z')).toEqual([false, true]);
    expect(await at('2026-08-04T00:10:00Z')).toEqual([false, false]);
  });

  test('a day that counts in a summed month does not count again when the rest of it is written late', async () => {
    const made = async (ref: string, name?: Domain['name']) => world.createDomain(ref, name);
    world.clock.set(new Date('2026-03-21T12:00:00Z'));
    const again = await made('acme');
    const taken = await made('acme');
    const moved = await made('acme');
    await world.deleteDomain(again);
    await made('acme', again.name);
    await world.deleteDomain(taken);
    await made('beta', taken.name);
    await world.moveDomain(moved, 'beta');
    await wait();
    await run();
    await new SnapshotUsage(world.ports.usage, world.clock).execute(NO_CURSOR);
    const shown = async (month: string, { name }: Domain) =>
      (await report({ period: { month }, partnerId: null }, 10_000))
        .filter(({ domain }) => domain === name)
        .map(({ partnerRef, days, from }) => [partnerRef, days, from]);
    // From the 21st of March to the 9th of December are 264 days.
    expect(await countOf('usage_day', '2026-03')).toBe(0);
    expect(await shown('2026-03', again)).toEqual([['acme', 1, '2026-03-21']]);
    expect(await shown('2026-12', again)).toEqual([['acme', 263, '2026-03-21']]);
    expect(await shown('2026-03', taken)).toEqual([['acme', 0, '2026-03-21']]);
    expect(await shown('2026-12', taken)).toEqual([['beta', 264, '2026-03-21']]);
    expect(await shown('2026-12', moved)).toEqual([['beta', 264, '2026-03-21']]);
  });

  // Last, because it closes many days of all domains.
  test('the sums of a month are kept for 15 ended months', async () => {
    await randomDays(9);
    await wait();
    await run();
    const snapshot = () => new SnapshotUsage(world.ports.usage, world.clock).execute(NO_CURSOR);
    world.clock.set(new Date('2027-06-30T12:00:00Z'));
    await snapshot();
    expect(await countOf('usage_month', '2026-03')).toBeGreaterThan(0);
    world.clock.set(new Date('2027-07-01T12:00:00Z'));
    await snapshot();
    expect(await countOf('usage_month', '2026-03')).toBe(0);
    expect(await countOf('usage_month', '2026-04')).toBeGreaterThan(0);
  });
});
