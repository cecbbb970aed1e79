import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../clock.js';
import { type LedgerRun, type RunAttempt, type RunLedger, requestedPeriod } from '../jobs/run-ledger.js';
import type { UnitOfWork } from '../unit-of-work.js';
import { FixedClock } from './fixed-clock.js';
import { untilAvailable } from './until-available.js';

export interface RunLedgerPorts {
  /** Several ledgers over the same rows, each with its own connections when the database has any. */
  ledgers: { ledger: RunLedger; unitOfWork: UnitOfWork }[];
  /** Deletes all runs. */
  clear(): Promise<void>;
}

const NAME = 'housekeeping';
const PERIOD = '2026-03-15T00';
const OTHER_PERIOD = '2026-03-16T00';
const MAX_ATTEMPTS = 3;
/** Later than all periods of the tests. */
const ALL = new Map([[NAME, '2030-01-01T00']]);

/** The guarantees of every `RunLedger`, with several processes that begin periods at the same time. */
export function runLedgerContract(open: () => Promise<RunLedgerPorts>): void {
  let ports: RunLedgerPorts;
  let ledger: RunLedger;
  let clock: FixedClock;

  beforeAll(async () => {
    ports = await open();
    ledger = firstOf(ports.ledgers).ledger;
  });
  beforeEach(async () => {
    await ports.clear();
    clock = new FixedClock();
  });

  const later = (ms: number) => new Date(clock.now().getTime() + ms);
  const begin = (period = PERIOD, by = firstOf(ports.ledgers)): Promise<LedgerRun | null> =>
    untilAvailable(() => by.unitOfWork.run(() => by.ledger.begin(NAME, period, clock.now(), MINUTE_MS, MAX_ATTEMPTS)));
  const begun = async (): Promise<LedgerRun> => {
    const run = await begin();
    if (run === null) throw new Error('The period was not begun');
    return run;
  };
  const beginners = () => ports.ledgers.flatMap((each) => [each, each, each, each]);

  it('gives each period to one of many concurrent callers, also again after its lease ended', async () => {
    for (let round = 1; round <= MAX_ATTEMPTS; round += 1) {
      const periods = Array.from({ length: 20 }, (_, index) => `p${index}`);
      const runs = await Promise.all(periods.flatMap((period) => beginners().map((by) => begin(period, by))));
      const given = runs.filter((run) => run !== null);
      expect(given.map(({ period }) => period).toSorted()).toEqual(periods.toSorted());
      expect(given.map(({ attempts }) => attempts)).toEqual(periods.map(() => round));
      clock.advance(MINUTE_MS);
    }
    expect(await begin('p0')).toBeNull();
  });

  it('keeps a period reserved until the lease ends, and passes the cursor to the next attempt', async () => {
    const run = await begun();
    expect(run).toMatchObject({ name: NAME, period: PERIOD, outcome: 'running', attempts: 1, cursor: 0 });
    clock.advance(MINUTE_MS - 1);
    expect(await begin()).toBeNull();
    await ledger.renew(run, later(MINUTE_MS));
    clock.advance(MINUTE_MS - 1);
    await ledger.save(run, 41, later(MINUTE_MS));
    clock.advance(MINUTE_MS - 1);
    expect(await begin()).toBeNull();
    clock.advance(1);
    expect(await begin()).toMatchObject({ attempts: 2, cursor: 41 });
  });

  describe.each<[string, (run: RunAttempt) => Promise<unknown>]>([
    ['saves its cursor', (run) => ledger.save(run, 7, later(60 * MINUTE_MS))],
    ['renews its lease', (run) => ledger.renew(run, later(60 * MINUTE_MS))],
    ['completes', (run) => ledger.complete(run, { done: 1 }, clock.now())],
    ['fails', (run) => ledger.fail(run, 'late', clock.now(), clock.now())],
    ['is postponed', (run) => ledger.postpone(run, 'late', clock.now(), clock.now())],
  ])('when a former attempt %s', (_, act) => {
    it('changes nothing of the running attempt', async () => {
      const former = await begun();
      clock.advance(MINUTE_MS);
      const run = await begun();
      await act(former);
      expect(await ledger.find(NAME, PERIOD)).toEqual(run);
      clock.advance(MINUTE_MS - 1);
      expect(await begin()).toBeNull();
      clock.advance(1);
      expect(await begin()).not.toBeNull();
    });

    it('changes nothing after the next attempt was postponed', async () => {
      const former = await begun();
      clock.advance(MINUTE_MS);
      await ledger.postpone(await begun(), 'full', clock.now(), later(SECOND_MS));
      const before = await ledger.find(NAME, PERIOD);
      await act(former);
      expect(await ledger.find(NAME, PERIOD)).toEqual(before);
    });
  });

  it('begins a failed period again when it is due, at most `maxAttempts` times, and never a period that is done', async () => {
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
      await ledger.fail(await begun(), `no ${attempt}`, clock.now(), later(SECOND_MS));
      expect(await begin()).toBeNull();
      clock.advance(SECOND_MS);
    }
    expect(await begin()).toBeNull();
    expect(await ledger.find(NAME, PERIOD)).toMatchObject({ outcome: 'failed', reason: 'no 3', attempts: 3 });

    const other = await begin(OTHER_PERIOD);
    await ledger.complete(other ?? fail(), { removed: 2 }, clock.now());
    clock.advance(MINUTE_MS);
    expect(await begin(OTHER_PERIOD)).toBeNull();
    expect((await ledger.newest(ALL)).get(NAME)).toMatchObject({
      period: OTHER_PERIOD,
      outcome: 'done',
      counts: { removed: 2 },
    });
  });

  it('does not count postponed attempts, but keeps the first attempt counted', async () => {
    for (let round = 0; round < 2 * MAX_ATTEMPTS; round += 1) {
      const run = await begun();
      expect(run.attempts).toBe(round === 0 ? 1 : 2);
      await ledger.postpone(run, 'full', clock.now(), clock.now());
    }
  });

  it('keeps requested runs apart from periods, and names the run of either kind that began last', async () => {
    const scheduled = await begin('2026-03-15T12');
    await ledger.complete(scheduled ?? fail(), { removed: 1 }, clock.now());
    clock.advance(SECOND_MS);
    const request = requestedPeriod(9);
    const requested = await ledger.beginRequested(NAME, request, clock.now(), MINUTE_MS);
    await ledger.fail(requested ?? fail(), 'no', clock.now(), clock.now());
    expect((await ledger.newest(ALL)).get(NAME)?.period).toBe('2026-03-15T12');
    expect((await ledger.last(ALL)).get(NAME)).toMatchObject({ period: request, outcome: 'failed', reason: 'no' });
    clock.advance(SECOND_MS);
    await begin('2026-03-15T13');
    expect((await ledger.last(ALL)).get(NAME)?.period).toBe('2026-03-15T13');
    await ledger.beginRequested(NAME, requestedPeriod(10), later(SECOND_MS), MINUTE_MS);
    expect((await ledger.last(ALL)).get(NAME)?.period).toBe(requestedPeriod(10));
    expect((await ledger.lastDone(clock.now())).get(NAME)).toEqual(later(-2 * SECOND_MS));
  });

  it('lists periods in the future apart, reports them once until they are removed, and removes no other run', async () => {
    const until = new Map([[NAME, PERIOD]]);
    await ledger.complete(await begun(), { removed: 1 }, clock.now());
    await ledger.beginRequested(NAME, requestedPeriod(1), clock.now(), MINUTE_MS);
    const claim = (period: string) =>
      Promise.all(
        ports.ledgers.map((by) => untilAvailable(() => by.unitOfWork.run(() => by.ledger.claimFutureReport(period)))),
      );
    const reportsOf = (claims: boolean[]) => claims.filter((isClaimed) => isClaimed).length;
    for (let round = 0; round < 2; round += 1) {
      await begin('2026-03-24T00');
      await begin('2026-03-25T00');
      expect(await ledger.future(until)).toEqual([
        { name: NAME, period: '2026-03-24T00' },
        { name: NAME, period: '2026-03-25T00' },
      ]);
      expect((await ledger.newest(until)).get(NAME)?.period).toBe(PERIOD);
      expect((await ledger.last(until)).get(NAME)?.period).toBe(requestedPeriod(1));
      expect(reportsOf(await claim('2026-03-24T00'))).toBe(1);
      expect(reportsOf(await claim('2026-03-24T00'))).toBe(0);
      expect(reportsOf(await claim('2026-03-25T00'))).toBe(1);
      expect(await ledger.forgetFuture(until)).toBe(2);
      expect(await ledger.future(until)).toEqual([]);
    }
    expect(await ledger.find(NAME, PERIOD)).not.toBeNull();
    expect(await ledger.find(NAME, requestedPeriod(1))).not.toBeNull();
  });

  it('skips the first period although there is one in the future', async () => {
    await begin('2026-03-24T00');
    await ledger.skip(NAME, PERIOD, clock.now());
    expect(await ledger.find(NAME, PERIOD)).toMatchObject({ outcome: 'done', attempts: 0 });
  });

  it('ignores the end of a run that is in the future', async () => {
    await ledger.complete(await begun(), {}, clock.now());
    const wrong = await begin(OTHER_PERIOD);
    await ledger.complete(wrong ?? fail(), {}, later(DAY_MS));
    expect((await ledger.lastDone(clock.now())).get(NAME)).toEqual(clock.now());
  });

  it('begins a requested run again after a crash, without waiting for the lease, until it is done', async () => {
    const request = requestedPeriod(7);
    const first = await ledger.beginRequested(NAME, request, clock.now(), MINUTE_MS);
    await ledger.save(first ?? fail(), 41, later(MINUTE_MS));
    const second = await ledger.beginRequested(NAME, request, clock.now(), MINUTE_MS);
    expect(second).toMatchObject({ attempts: 2, cursor: 41, outcome: 'running' });
    await ledger.complete(first ?? fail(), { removed: 1 }, clock.now());
    expect(await ledger.find(NAME, request)).toMatchObject({ outcome: 'running' });
    await ledger.complete(second ?? fail(), { removed: 2 }, clock.now());
    expect(await ledger.beginRequested(NAME, request, clock.now(), MINUTE_MS)).toBeNull();
  });

  it('knows whether another run of the schedule holds a lease', async () => {
    const run = await begun();
    expect(await ledger.isRunning(NAME, PERIOD, clock.now())).toBe(false);
    expect(await ledger.isRunning(NAME, requestedPeriod(1), clock.now())).toBe(true);
    expect(await ledger.isRunning('retention.purge', requestedPeriod(1), clock.now())).toBe(false);
    expect(await ledger.isRunning(NAME, requestedPeriod(1), later(MINUTE_MS))).toBe(false);
    await ledger.fail(run, 'no', clock.now(), later(HOUR_MS));
    expect(await ledger.isRunning(NAME, requestedPeriod(1), clock.now())).toBe(false);
  });

  it('deletes old runs in chunks, but never the newest period, the last request and the last success of a schedule', async () => {
    const ended: string[] = [];
    for (let day = 1; day <= 6; day += 1) {
      const run = (await begin(`2026-03-0${day}T00`)) ?? fail();
      if (day <= 3) await ledger.complete(run, {}, clock.now());
      else await ledger.fail(run, 'no', clock.now(), clock.now());
      const requested = await ledger.beginRequested(NAME, requestedPeriod(day), clock.now(), MINUTE_MS);
      await ledger.complete(requested ?? fail(), {}, clock.now());
      ended.push(run.period);
      clock.advance(DAY_MS);
    }
    const all = async (period: string) => (await ledger.find(NAME, period)) !== null;
    expect(await ledger.deleteOld(clock.now(), 5)).toBe(5);
    expect(await ledger.deleteOld(clock.now(), 5)).toBe(4);
    expect(await ledger.deleteOld(clock.now(), 5)).toBe(0);
    const left = await Promise.all(ended.map(all));
    expect(left).toEqual([false, false, true, false, false, true]);
    expect(await all(requestedPeriod(6))).toBe(true);
    expect(await all(requestedPeriod(5))).toBe(false);
  });

  it('skips a period that was not begun, and does not change one that was begun', async () => {
    await ledger.skip(NAME, 'skipped', clock.now());
    expect(await ledger.find(NAME, 'skipped')).toMatchObject({ outcome: 'done', attempts: 0 });
    const run = await begun();
    await ledger.skip(NAME, PERIOD, later(SECOND_MS));
    expect(await ledger.find(NAME, PERIOD)).toEqual(run);
  });

  it('skips only the first period of a schedule, also when a process looked before another one stored it', async () => {
    await ledger.beginRequested(NAME, requestedPeriod(1), clock.now(), MINUTE_MS);
    await ledger.skip(NAME, PERIOD, clock.now());
    await ledger.skip(NAME, OTHER_PERIOD, clock.now());
    expect(await ledger.find(NAME, PERIOD)).toMatchObject({ outcome: 'done', attempts: 0 });
    expect(await ledger.find(NAME, OTHER_PERIOD)).toBeNull();
  });
}

function firstOf<T>([first]: T[]): T {
  return first ?? fail();
}

function fail(): never {
  throw new Error('There is none');
}
