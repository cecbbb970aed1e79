import { jest } from '@jest/globals';
import { DAY_MS, MINUTE_MS } from '@mailstead/core/clock';
import type { JobHandlers } from '@mailstead/core/jobs/jobs';
import { RunSchedules } from '@mailstead/core/jobs/run-schedules';
import type { ScheduleHandlers } from '@mailstead/core/jobs/schedules';
import { SilentMeters } from '@mailstead/core/meters';
import { FixedClock } from '@mailstead/core/testing/fixed-clock';
import { OpenGate } from '@mailstead/core/testing/open-gate';
import { SilentWaker } from '@mailstead/core/testing/silent-waker';
import { steadyHandlers } from '@mailstead/core/testing/steady-handlers';
import { until } from '@mailstead/core/testing/until';
import { SqlAuditLog } from '../database/audit/audit-log.js';
import { SqlUnitOfWork } from '../database/driver/sql-unit-of-work.js';
import { SqlJobStore } from '../database/jobs/job-store.js';
import { SqlRunLedger } from '../database/jobs/run-ledger.js';
import { onEachDatabase, openTestDatabase, type TestDatabase } from '../database/testing/database-fixture.js';
import { NOT_INTERVALS } from '../testing/intervals.js';
import { SilentNotifier } from '../testing/silent-notifier.js';
import { JobRunner } from './job-runner.js';
import { JobSweep, type SweepWaker } from './job-sweep.js';
import { SilentJobLog } from './testing/silent-job-log.js';

const NO_WAKER: SweepWaker = { start: () => undefined, stop: async () => undefined };

onEachDatabase((kind) => {
  let opened: TestDatabase;
  let clock: FixedClock;
  let store: SqlJobStore;
  let log: SilentJobLog;
  let ran: string[];
  let sweeps: JobSweep[];
  let endWork: () => void;
  let workEnded: Promise<void>;

  beforeAll(async () => {
    opened = await openTestDatabase(kind);
  });
  afterAll(() => opened.close());
  beforeEach(async () => {
    await opened.database.write('DELETE FROM job');
    await opened.database.write('DELETE FROM job_run');
    clock = new FixedClock();
    store = new SqlJobStore(opened.database, new SqlUnitOfWork(opened.database));
    log = new SilentJobLog();
    ran = [];
    sweeps = [];
    workEnded = new Promise((resolve) => {
      endWork = resolve;
    });
  });
  afterEach(async () => {
    endWork();
    await Promise.all(sweeps.map((sweep) => sweep.stop()));
    jest.useRealTimers();
  });

  function aSweep(jobs: Partial<JobHandlers> = {}, own: Partial<ScheduleHandlers> = {}): JobSweep {
    const recorded: Partial<JobHandlers> = {
      'domain.verify': async ({ domainId }) => void ran.push(`domain ${domainId}`),
      'notifications.deliver': async () => void ran.push('notifications'),
      ...jobs,
    };
    const unitOfWork = new SqlUnitOfWork(opened.database);
    const handlers = steadyHandlers(recorded);
    const gate = new OpenGate(clock);
    const runner = new JobRunner(store, handlers, new SilentWaker(), clock, log, new SilentMeters(), gate);
    const schedules = new RunSchedules(
      unitOfWork,
      new SqlRunLedger(opened.database),
      steadySchedules({ housekeeping: async () => (ran.push('housekeeping'), {}), ...own }),
      new SilentNotifier(),
      new SqlAuditLog(opened.database),
      clock,
      gate,
    );
    const sweep = new JobSweep(NO_WAKER, store, runner, schedules, clock, log);
    sweeps.push(sweep);
    return sweep;
  }
  /** Registers all schedules and advances the clock by a day, so that all are due. */
  async function aDayLater(): Promise<void> {
    const first = aSweep();
    await first.sweep();
    await first.stop();
    clock.advance(DAY_MS);
  }
  const verify = (domainId: number) => store.add('domain.verify', { domainId }, {}, clock.now());

  it('runs at start the jobs of every queue and the schedules that were already due', async () => {
    await aDayLater();
    await verify(1);
    await store.add('notifications.deliver', {}, {}, clock.now());
    aSweep().start();
    await until('three runs', () => ran.length === 3);
    expect(ran.toSorted()).toEqual(['domain 1', 'housekeeping', 'notifications']);
    await until('the end of housekeeping', () =>
      log.schedules.some(({ name, outcome }) => name === 'housekeeping' && outcome === 'done'),
    );
  });

  it('sweeps once a minute without a wake-up', async () => {
    jest.useFakeTimers({ doNotFake: [...NOT_INTERVALS] });
    const sweep = aSweep();
    sweep.start();
    await sweep.sweep();
    for (const domainId of [1, 2]) {
      await verify(domainId);
      jest.advanceTimersByTime(MINUTE_MS);
      await until(`the job of domain ${domainId}`, () => ran.includes(`domain ${domainId}`));
    }
  });

  it('finds each job that was added before a wake-up, with many wake-ups during a sweep', async () => {
    const sweep = aSweep();
    const wakes: Promise<void>[] = [];
    for (let domainId = 1; domainId <= 40; domainId += 1) {
      await verify(domainId);
      wakes.push(sweep.wake('verification'));
    }
    await Promise.all(wakes);
    expect(await store.dueQueues(clock.now())).toEqual([]);
    await until('forty runs', () => ran.length === 40);
    expect(new Set(ran).size).toBe(40);
  });

  it('does not delay other queues and schedules while a job and a schedule take long', async () => {
    await aDayLater();
    await verify(1);
    const purge = async () => {
      await workEnded;
      return {};
    };
    const sweep = aSweep(
      { 'domain.verify': async () => workEnded.then(() => undefined) },
      { 'retention.purge': purge },
    );
    await sweep.sweep();
    await until('every due job to be claimed', async () => (await store.dueQueues(clock.now())).length === 0);
    await store.add('notifications.deliver', {}, {}, clock.now());
    await sweep.sweep();
    await until(
      'the other queue and the schedule',
      () => ran.includes('notifications') && ran.includes('housekeeping'),
    );
  });

  it('stops when the running jobs and schedules have ended, and starts no others', async () => {
    await aDayLater();
    await verify(1);
    const ended: string[] = [];
    const sweep = aSweep(
      { 'domain.verify': async () => workEnded.then(() => void ended.push('job')) },
      { 'retention.purge': async () => workEnded.then(() => (ended.push('schedule'), {})) },
    );
    await sweep.sweep();
    await until('every due job to be claimed', async () => (await store.dueQueues(clock.now())).length === 0);
    // Waits for the current claim, because a claim that began before the stop may still start its jobs.
    await sweep.wake('verification');
    const stopped = sweep.stop().then(() => ended.push('stopped'));
    await verify(2);
    await Promise.all([sweep.wake('verification'), sweep.sweep()]);
    expect(ended).toEqual([]);
    endWork();
    await stopped;
    expect(ended.toSorted()).toEqual(['job', 'schedule', 'stopped']);
    expect(ended.at(-1)).toBe('stopped');
    expect(await store.dueQueues(clock.now())).toEqual(['verification']);
  });

  it('logs an error of the database, and runs the jobs at a later sweep', async () => {
    await verify(1);
    const sweep = aSweep();
    const failure = new Error('away');
    const dueQueues = jest.spyOn(store, 'dueQueues').mockRejectedValueOnce(failure);
    const claim = jest.spyOn(store, 'claim').mockRejectedValueOnce(failure);
    await sweep.sweep();
    await sweep.wake('verification');
    expect(log.errors).toEqual([failure, failure]);
    await sweep.sweep();
    await until('the run', () => ran.length === 1);
    expect([dueQueues.mock.calls.length, claim.mock.calls.length > 1]).toEqual([2, true]);
  });
});

function steadySchedules(own: Partial<ScheduleHandlers>): ScheduleHandlers {
  const nothing = async () => ({});
  return {
    'outbound.reset-daily': nothing,
    'usage.snapshot': nothing,
    'usage.storage': nothing,
    'suppressions.compare': nothing,
    'usage.sum-months': nothing,
    'outbound.reset-monthly': nothing,
    'retention.purge': nothing,
    'deleted-mail.remove': nothing,
    'retention.remind': nothing,
    'pending-domains.expire': nothing,
    'verification.poll': nothing,
    'verification.recheck': nothing,
    'relay.account': nothing,
    'trail.days': nothing,
    housekeeping: nothing,
    ...own,
  };
}
