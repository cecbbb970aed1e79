import { MINUTE_MS, SECOND_MS } from '../clock.js';
import type { LedgerRun, RunAttempt, RunLedger } from '../jobs/run-ledger.js';
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
const MAX_ATTEMPTS = 3;

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
  const begin = (period = 'p', by = firstOf(ports.ledgers)): Promise<LedgerRun | null> =>
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
    expect(run).toMatchObject({ name: NAME, period: 'p', outcome: 'running', attempts: 1, cursor: 0 });
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
      expect(await ledger.find(NAME, 'p')).toEqual(run);
      clock.advance(MINUTE_MS - 1);
      expect(await begin()).toBeNull();
      clock.advance(1);
      expect(await begin()).not.toBeNull();
    });

    it('changes nothing after the next attempt was postponed', async () => {
      const former = await begun();
      clock.advance(MINUTE_MS);
      await ledger.postpone(await begun(), 'full', clock.now(), later(SECOND_MS));
      const before = await ledger.find(NAME, 'p');
      await act(former);
      expect(await ledger.find(NAME, 'p')).toEqual(before);
    });
  });

  it('begins a failed period again when it is due, at most `maxAttempts` times, and never a period that is done', async () => {
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
      await ledger.fail(await begun(), `no ${attempt}`, clock.now(), later(SECOND_MS));
      expect(await begin()).toBeNull();
      clock.advance(SECOND_MS);
    }
    expect(await begin()).toBeNull();
    expect(await ledger.find(NAME, 'p')).toMatchObject({ outcome: 'failed', reason: 'no 3', attempts: 3 });

    const other = await begin('q');
    await ledger.complete(other ?? fail(), { removed: 2 }, clock.now());
    clock.advance(MINUTE_MS);
    expect(await begin('q')).toBeNull();
    expect((await ledger.newest()).get(NAME)).toMatchObject({ period: 'q', outcome: 'done', counts: { removed: 2 } });
  });

  it('does not count postponed attempts, but keeps the first attempt counted', async () => {
    for (let round = 0; round < 2 * MAX_ATTEMPTS; round += 1) {
      const run = await begun();
      expect(run.attempts).toBe(round === 0 ? 1 : 2);
      await ledger.postpone(run, 'full', clock.now(), clock.now());
    }
  });

  it('skips a period that was not begun, and does not change one that was begun', async () => {
    await ledger.skip(NAME, 'skipped', clock.now());
    expect(await ledger.find(NAME, 'skipped')).toMatchObject({ outcome: 'done', attempts: 0 });
    const run = await begun();
    await ledger.skip(NAME, 'p', later(SECOND_MS));
    expect(await ledger.find(NAME, 'p')).toEqual(run);
  });
}

function firstOf<T>([first]: T[]): T {
  return first ?? fail();
}

function fail(): never {
  throw new Error('There is none');
}
