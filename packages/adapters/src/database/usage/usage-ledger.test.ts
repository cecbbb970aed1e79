import { DAY_MS, MINUTE_MS, utcDay } from '@mailstead/core/clock';
import type { Domain } from '@mailstead/core/domains/domain';
import type { Address } from '@mailstead/core/mailboxes/address';
import { SnapshotUsage } from '@mailstead/core/usage/snapshot-usage';
import type { UsageRow } from '@mailstead/core/usage/usage-report';
import { type DatabaseKind, onEachDatabase, openTestDatabase, type TestDatabase } from '../testing/database-fixture.js';
import { openAgain } from '../testing/open-again.js';
import { PartnerWorld } from '../testing/partner-world.js';

const FIRST_DAY = Date.parse('2026-03-01T00:00:00Z');
const NO_CURSOR = { cursor: 0, save: async () => {} };

onEachDatabase((kind: DatabaseKind) => {
  let opened: TestDatabase;
  let world: PartnerWorld;
  // New ones for each test: the creation times of a partner only grow.
  let acme: string;
  let beta: string;
  beforeAll(async () => {
    opened = await openTestDatabase(kind);
    world = new PartnerWorld(opened.database);
  });
  afterAll(() => opened.close());
  beforeEach(() => {
    atNoon(0);
    acme = `acme-${Math.random()}`;
    beta = `beta-${Math.random()}`;
  });

  /** @param day 0 is the first of March */
  function atNoon(day: number): void {
    world.clock.set(new Date(FIRST_DAY + day * DAY_MS + DAY_MS / 2));
  }
  const snapshot = () => new SnapshotUsage(world.ports.usage, world.clock).execute(NO_CURSOR);
  async function snapshotAfter(day: number): Promise<void> {
    world.clock.set(new Date(FIRST_DAY + (day + 1) * DAY_MS + 20 * MINUTE_MS));
    await snapshot();
  }
  async function addMailboxes(domain: Domain, ...localParts: string[]) {
    for (const localPart of localParts) await world.createMailbox(domain, localPart);
  }
  const deleteMailbox = ({ name }: Domain, localPart: string) =>
    world.deleteMailbox({ email: `${localPart}@${name}` as Address });
  async function change({ name }: Domain, changes: Partial<Pick<Domain, 'plan' | 'billingRef'>>): Promise<void> {
    const { unitOfWork, domains } = world.ports;
    await unitOfWork.run(async () => {
      const domain = await world.locks.domainAlone({ kind: 'master', name: 'master', requestId: null }, name);
      Object.assign(domain, changes);
      await domains.save(domain);
    });
  }
  const setPlan = (domain: Domain, plan: 'starter' | 'business') => change(domain, { plan });
  async function count({ id }: Domain, bytes: number): Promise<void> {
    await opened.database.write(
      `INSERT INTO outbound_counter (domain_id, day, day_epoch, sent_today, forwarded_today, month, month_epoch, period_start, sent_month, bytes_month, bounces_month, complaints_month)
       VALUES (?, ?, 0, 1, 0, ?, 0, 0, 1, ?, 0, 0) ${opened.database.dialect.onConflict(['domain_id'])} bytes_month = outbound_counter.bytes_month + ${opened.database.dialect.inserted('bytes_month')}`,
      [id, utcDay(world.clock.now()), utcDay(world.clock.now()).slice(0, 7), bytes],
    );
  }
  /** The rows of a name, without the values that a test does not name. */
  async function rowsOf(period: { month: string } | { day: string }, { name }: Pick<Domain, 'name'>) {
    const { rows } = await world.ports.usageReport.read({ period, partnerId: null }, '', 10_000);
    return rows.filter(({ domain }) => domain === name);
  }
  const shown = (rows: UsageRow[]) =>
    rows.map(({ partnerRef, plan, days, mailboxesMax, mailboxDays }) => [
      partnerRef,
      plan,
      days,
      mailboxesMax,
      mailboxDays,
    ]);

  // First, because it closes many days of all domains.
  test('rows are kept for 15 ended months', async () => {
    const domain = await world.createDomain(acme);
    await snapshotAfter(0);
    world.clock.set(new Date('2027-06-30T12:00:00Z'));
    await snapshot();
    expect(await rowsOf({ month: '2026-03' }, domain)).toHaveLength(1);
    world.clock.set(new Date('2027-07-01T12:00:00Z'));
    await snapshot();
    expect(await rowsOf({ month: '2026-03' }, domain)).toEqual([]);
  });

  test('a day has the highest number of mailboxes on it, and the next day begins with those that are left', async () => {
    const domain = await world.createDomain(acme);
    await addMailboxes(domain, 'a', 'b', 'c');
    await deleteMailbox(domain, 'a');
    await deleteMailbox(domain, 'b');
    await snapshotAfter(0);
    await snapshotAfter(1);
    expect(shown(await rowsOf({ day: '2026-03-01' }, domain))).toEqual([[acme, null, 1, 3, 3]]);
    expect(shown(await rowsOf({ day: '2026-03-02' }, domain))).toEqual([[acme, null, 1, 1, 1]]);
    expect(shown(await rowsOf({ month: '2026-03' }, domain))).toEqual([[acme, null, 2, 3, 4]]);
  });

  test('days that no snapshot closed are closed by the next one, each with its own row', async () => {
    const domain = await world.createDomain(acme);
    await addMailboxes(domain, 'a', 'b');
    await deleteMailbox(domain, 'a');
    await snapshotAfter(4);
    expect(
      await Promise.all([1, 2, 3, 4, 5].map(async (day) => shown(await rowsOf({ day: `2026-03-0${day}` }, domain)))),
    ).toEqual([[[acme, null, 1, 2, 2]], ...Array.from({ length: 4 }, () => [[acme, null, 1, 1, 1]])]);
  });

  test('the first change on a day closes the day before, as it was, without a snapshot', async () => {
    const domain = await world.createDomain(acme);
    await addMailboxes(domain, 'a');
    atNoon(1);
    await addMailboxes(domain, 'b', 'c');
    expect(shown(await rowsOf({ day: '2026-03-01' }, domain))).toEqual([[acme, null, 1, 1, 1]]);
    await snapshotAfter(1);
    expect(shown(await rowsOf({ day: '2026-03-02' }, domain))).toEqual([[acme, null, 1, 3, 3]]);
  });

  test('the subscription that paid at the end of a day is on its row, and the last one of a month on the row of the month', async () => {
    const domain = await world.createDomain(acme);
    await change(domain, { billingRef: 'sub_1' });
    atNoon(1);
    await change(domain, { billingRef: 'sub_2' });
    await snapshotAfter(1);
    const refs = async (period: { month: string } | { day: string }) =>
      (await rowsOf(period, domain)).map(({ billingRef }) => billingRef);
    expect(await refs({ day: '2026-03-01' })).toEqual(['sub_1']);
    expect(await refs({ day: '2026-03-02' })).toEqual(['sub_2']);
    expect(await refs({ month: '2026-03' })).toEqual(['sub_2']);
  });

  test('a domain that is moved counts on that day for its new partner, and what was counted before stays with the former one', async () => {
    const domain = await world.createDomain(acme);
    await addMailboxes(domain, 'a', 'b');
    await count(domain, 100);
    await world.moveDomain(domain, beta);
    await count(domain, 7);
    await snapshotAfter(0);
    const rows = await rowsOf({ day: '2026-03-01' }, domain);
    expect(shown(rows)).toEqual([
      [acme, null, 0, 0, 0],
      [beta, null, 1, 2, 2],
    ]);
    expect(rows.map(({ bytes, sent }) => [bytes, sent])).toEqual([
      [100, 1],
      [7, 0],
    ]);
  });

  test('a name that is deleted and created again on one day by its partner counts once, with the higher number', async () => {
    const domain = await world.createDomain(acme);
    await addMailboxes(domain, 'a', 'b', 'c');
    await count(domain, 100);
    await world.deleteDomain(domain);
    const again = await world.createDomain(acme, domain.name);
    await addMailboxes(again, 'a');
    await snapshotAfter(0);
    const rows = await rowsOf({ month: '2026-03' }, domain);
    expect(shown(rows)).toEqual([[acme, null, 1, 3, 3]]);
    expect(rows[0]?.bytes).toBe(100);
  });

  test('a name that another partner creates on the day of its deletion counts for the other partner', async () => {
    const domain = await world.createDomain(acme);
    await addMailboxes(domain, 'a', 'b', 'c');
    await count(domain, 100);
    await world.deleteDomain(domain);
    expect(shown(await rowsOf({ month: '2026-03' }, domain))).toEqual([[acme, null, 1, 3, 3]]);
    await addMailboxes(await world.createDomain(beta, domain.name), 'a');
    await snapshotAfter(0);
    const rows = await rowsOf({ month: '2026-03' }, domain);
    expect(shown(rows)).toEqual([
      [acme, null, 0, 0, 0],
      [beta, null, 1, 1, 1],
    ]);
    expect(rows.map(({ bytes }) => bytes)).toEqual([100, 0]);
  });

  test('a deleted domain counts on its last day and not afterwards', async () => {
    const domain = await world.createDomain(acme);
    atNoon(2);
    await world.deleteDomain(domain);
    await snapshotAfter(5);
    const [row] = await rowsOf({ month: '2026-03' }, domain);
    expect([row?.days, row?.from, row?.to]).toEqual([3, '2026-03-01', '2026-03-03']);
  });

  test('a plan that changes at noon holds for the whole day', async () => {
    const domain = await world.createDomain(acme);
    await setPlan(domain, 'starter');
    atNoon(1);
    await setPlan(domain, 'business');
    await snapshotAfter(1);
    expect(shown(await rowsOf({ month: '2026-03' }, domain))).toEqual([
      [acme, 'business', 1, 0, 0],
      [acme, 'starter', 1, 0, 0],
    ]);
    expect(shown(await rowsOf({ day: '2026-03-02' }, domain))).toEqual([[acme, 'business', 1, 0, 0]]);
  });

  test("a month ends with its last day, and the next month's counters are in the next month", async () => {
    atNoon(30);
    const domain = await world.createDomain(acme);
    await count(domain, 100);
    await snapshotAfter(30);
    atNoon(31);
    await opened.database.write(
      "UPDATE outbound_counter SET month = '2026-04', bytes_month = 9, sent_month = 0 WHERE domain_id = ?",
      [domain.id],
    );
    await snapshotAfter(31);
    const of = async (month: string) =>
      (await rowsOf({ month }, domain)).map(({ from, to, days, bytes }) => [from, to, days, bytes]);
    expect(await of('2026-03')).toEqual([['2026-03-31', '2026-03-31', 1, 100]]);
    expect(await of('2026-04')).toEqual([['2026-04-01', '2026-04-01', 1, 9]]);
  });

  test('a month takes late days until the 4th, and never changes afterwards: they are in the next month', async () => {
    const early = await world.createDomain(acme);
    const late = await world.createDomain(acme);
    atNoon(10);
    await addMailboxes(early, 'a');
    await addMailboxes(late, 'a');
    world.clock.set(new Date('2026-04-03T12:00:00Z'));
    await addMailboxes(early, 'b');
    expect((await rowsOf({ month: '2026-03' }, early))[0]?.days).toBe(31);
    const closed = await rowsOf({ month: '2026-03' }, late);
    expect(closed[0]?.days).toBe(10);
    world.clock.set(new Date('2026-04-04T00:00:00Z'));
    await snapshot();
    expect(await rowsOf({ month: '2026-03' }, late)).toEqual(closed);
    const [row] = await rowsOf({ month: '2026-04' }, late);
    expect([row?.from, row?.to, row?.days]).toEqual(['2026-03-11', '2026-04-03', 24]);
  });

  test('a day that counts in a closed month does not count again when the rest of it is written late', async () => {
    atNoon(20);
    const domain = await world.createDomain(acme);
    await world.deleteDomain(domain);
    const again = await world.createDomain(acme, domain.name);
    await count(again, 50);
    world.clock.set(new Date('2026-04-10T00:20:00Z'));
    await snapshot();
    const [closed] = await rowsOf({ month: '2026-03' }, domain);
    const [next] = await rowsOf({ month: '2026-04' }, domain);
    expect([closed?.days, closed?.from]).toEqual([1, '2026-03-21']);
    // The 22nd to the 31st of March and nine days of April.
    expect([next?.days, next?.bytes]).toEqual([19, 50]);
  });

  test('a domain of an earlier release counts from the first day on which it is seen', async () => {
    const domain = await world.createDomain(acme);
    await opened.database.write('UPDATE domain SET usage_day = NULL WHERE id = ?', [domain.id]);
    await snapshotAfter(0);
    expect(await rowsOf({ month: '2026-03' }, domain)).toEqual([]);
    await snapshotAfter(1);
    expect((await rowsOf({ month: '2026-03' }, domain)).map(({ from, days }) => [from, days])).toEqual([
      ['2026-03-02', 1],
    ]);
  });

  test('two snapshots and the first changes of a day at once close each day once', async () => {
    const domains = await Promise.all(Array.from({ length: 12 }, () => world.createDomain(acme)));
    for (const domain of domains) {
      await addMailboxes(domain, 'a');
      await count(domain, 10);
    }
    const { again, close } = await secondProcess();
    try {
      world.clock.set(new Date(FIRST_DAY + DAY_MS + 20 * MINUTE_MS));
      again.clock.set(world.clock.now());
      await Promise.all([
        snapshot(),
        new SnapshotUsage(again.ports.usage, again.clock).execute(NO_CURSOR),
        ...domains.map((domain) => again.createMailbox(domain, 'b')),
      ]);
    } finally {
      await close();
    }
    for (const domain of domains) {
      const rows = await rowsOf({ month: '2026-03' }, domain);
      expect(rows.map(({ days, mailboxDays, bytes }) => [days, mailboxDays, bytes])).toEqual([[1, 1, 10]]);
    }
  });

  async function secondProcess(): Promise<{ again: PartnerWorld; close: () => Promise<void> }> {
    // SQLite has one process, whose parts share the connection.
    if (opened.url === null) return { again: new PartnerWorld(opened.database), close: async () => {} };
    const database = await openAgain(opened);
    return { again: new PartnerWorld(database), close: () => database.close() };
  }

  test('a snapshot that ends between two chunks leaves each domain closed or open, and the next run closes the rest', async () => {
    const domains = await Promise.all(Array.from({ length: 4 }, () => world.createDomain(acme)));
    const [first] = domains;
    if (first === undefined) throw new Error('No domain');
    world.clock.set(new Date(FIRST_DAY + DAY_MS + 20 * MINUTE_MS));
    await world.ports.usage.closeEndedDays(first.id - 1, 2, world.clock.now());
    await snapshot();
    await snapshot();
    for (const domain of domains) expect((await rowsOf({ month: '2026-03' }, domain))[0]?.days).toBe(1);
  });
});
