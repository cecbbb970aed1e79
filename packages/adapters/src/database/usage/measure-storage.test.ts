import { DAY_MS, HOUR_MS, MINUTE_MS } from '@mailstead/core/clock';
import type { Domain } from '@mailstead/core/domains/domain';
import { type MailboxUsage, UnknownUsage } from '@mailstead/core/mailboxes/mailbox-usage';
import { MeasureStorage } from '@mailstead/core/usage/measure-storage';
import { SnapshotUsage } from '@mailstead/core/usage/snapshot-usage';
import { DovecotUsage } from '../../dovecot/dovecot-usage.js';
import { DoveadmServer } from '../../dovecot/testing/doveadm-server.js';
import { type DatabaseKind, onEachDatabase } from '../testing/database-fixture.js';
import { PartnerWorld } from '../testing/partner-world.js';
import { openReusedDatabase, type ReusedDatabase } from '../testing/reused-database.js';

const FIRST_DAY = Date.parse('2026-03-01T00:00:00Z');
const API_KEY = 'a key';
const MB = 1_048_576;

onEachDatabase((kind: DatabaseKind) => {
  let reused: ReusedDatabase;
  let world: PartnerWorld;
  let dovecot: DoveadmServer;
  let partner: string;
  let waitedMs: number;

  beforeAll(async () => {
    reused = await openReusedDatabase(kind);
  });
  afterAll(() => reused.close());
  // Without the domains of other tests: the measurement reads all.
  beforeEach(async () => {
    world = new PartnerWorld((await reused.asNew()).database);
    dovecot = await DoveadmServer.start(API_KEY);
    partner = `acme-${Math.random()}`;
    waitedMs = 0;
    world.clock.set(new Date(FIRST_DAY + DAY_MS / 2));
  });
  afterEach(async () => {
    await dovecot.close();
  });

  const measurement = (
    usage: MailboxUsage = new DovecotUsage({ url: dovecot.url, apiKey: API_KEY, timeoutMs: 60_000 }),
  ) =>
    new MeasureStorage(world.ports.usage, world.ports.mailboxes, usage, {
      wait: async (ms) => {
        waitedMs += ms;
      },
    });
  /** Closes a day of March, 0 for the first, and measures it an hour later. */
  async function measureAfter(day: number, run = aRun(), measure = measurement()) {
    world.clock.set(new Date(FIRST_DAY + (day + 1) * DAY_MS + 20 * MINUTE_MS));
    await new SnapshotUsage(world.ports.usage, world.clock).execute(aRun());
    world.clock.set(new Date(FIRST_DAY + (day + 1) * DAY_MS + HOUR_MS));
    run.period.dueAt = world.clock.now();
    return measure.execute(run);
  }
  /** A run that keeps its cursor, as the ledger of runs does. */
  const aRun = () => {
    const run = {
      period: { key: '', dueAt: world.clock.now() },
      cursor: 0,
      save: async (cursor: number) => {
        run.cursor = cursor;
      },
    };
    return run;
  };
  async function domainOf(...megabytes: number[]): Promise<Domain> {
    const domain = await world.createDomain(partner);
    for (const [index, size] of megabytes.entries()) {
      await world.createMailbox(domain, `m${index}`);
      dovecot.messages.push({ user: `m${index}@${domain.name}`, bytes: size * MB, savedAt: 1 });
    }
    return domain;
  }
  type Period = { month: string } | { day: string };
  async function storageOf(domain: Domain, period: Period = { day: '2026-03-01' }) {
    return (await storageOfEach([domain], period))[0];
  }
  async function storageOfEach(domains: readonly Domain[], period: Period) {
    const { rows } = await world.ports.usageReport.read({ period, partnerId: null }, '', 10_000);
    return domains.map(({ name }) =>
      rows
        .filter(({ domain }) => domain === name)
        .map(({ storageMbMax, storageMbDays }) => [storageMbMax, storageMbDays]),
    );
  }

  it('puts the stored mail of all mailboxes on the row of the ended day, in whole megabytes', async () => {
    const [full, empty] = [await domainOf(3, 4.5), await domainOf()];
    expect(await measureAfter(0)).toEqual({ domains: 2, unknown: 0 });
    expect([await storageOf(full), await storageOf(empty)]).toEqual([[[8, 8]], [[0, 0]]]);
  });

  it('adds up the days of a month and keeps the highest', async () => {
    const domain = await domainOf(3);
    await measureAfter(0);
    dovecot.messages.push({ user: `m0@${domain.name}`, bytes: 2 * MB, savedAt: 2 });
    await measureAfter(1);
    expect(await storageOf(domain, { month: '2026-03' })).toEqual([[5, 8]]);
  });

  it('waits 10 ms for each mailbox', async () => {
    await domainOf(1, 1, 1);
    await domainOf(1);
    await measureAfter(0);
    expect(waitedMs).toBe(40);
  });

  it('measures nothing without Dovecot', async () => {
    const domain = await domainOf(3);
    expect(await measureAfter(0, aRun(), measurement(new UnknownUsage()))).toEqual({ domains: 0, unknown: 0 });
    expect(await storageOf(domain)).toEqual([[null, null]]);
  });

  it('leaves a domain without a value when the size of one of its mailboxes is unknown', async () => {
    const [known, unknown] = [await domainOf(3), await domainOf(2, 2)];
    class OneUnknown extends DovecotUsage {
      override ask: DovecotUsage['ask'] = async (email) =>
        email === `m1@${unknown.name}` ? 'no_answer' : super.ask(email);
    }
    const usage = new OneUnknown({ url: dovecot.url, apiKey: API_KEY, timeoutMs: 60_000 });
    expect(await measureAfter(0, aRun(), measurement(usage))).toEqual({ domains: 1, unknown: 1 });
    expect([await storageOf(known), await storageOf(unknown)]).toEqual([[[3, 3]], [[null, null]]]);
  });

  it('fails when Dovecot does not respond, and the next attempt measures the rest', async () => {
    const domains: Domain[] = [];
    for (let index = 0; index < 101; index += 1) domains.push(await domainOf());
    for (let index = 0; index < 20; index += 1) domains.push(await domainOf(1));
    const run = aRun();
    dovecot.fault = 'close';
    await expect(measureAfter(0, run)).rejects.toMatchObject({ code: 'mail_store_unavailable' });
    expect(run.cursor).toBe(domains[99]?.id);
    dovecot.fault = null;
    expect(await measurement().execute(run)).toEqual({ domains: 21, unknown: 0 });
    expect(await storageOfEach(domains, { day: '2026-03-01' })).toEqual([
      ...Array.from({ length: 101 }, () => [[0, 0]]),
      ...Array.from({ length: 20 }, () => [[1, 1]]),
    ]);
  });

  it('goes on after any number of domains that Dovecot does not know', async () => {
    for (let index = 0; index < 25; index += 1) await domainOf(1);
    dovecot.fault = 67;
    const known = await domainOf();
    expect(await measureAfter(0)).toEqual({ domains: 1, unknown: 25 });
    expect(waitedMs).toBe(250);
    expect(await storageOf(known)).toEqual([[0, 0]]);
  });

  it('measures for the partner that has the name at the end of the day', async () => {
    const domain = await domainOf(3);
    await world.moveDomain(domain, `other-${partner}`);
    await measureAfter(0);
    expect(await storageOf(domain)).toEqual(
      expect.arrayContaining([
        [3, 3],
        [null, null],
      ]),
    );
  });
});
