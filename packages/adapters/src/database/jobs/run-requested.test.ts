import { DAY_MS, MINUTE_MS, SECOND_MS } from '@mailstead/core/clock';
import type { JobCounts } from '@mailstead/core/jobs/jobs';
import { RequestRun } from '@mailstead/core/jobs/request-run';
import { RunRequested } from '@mailstead/core/jobs/run-requested';
import { RunSchedules } from '@mailstead/core/jobs/run-schedules';
import {
  latestPeriods,
  SCHEDULE_NAMES,
  type ScheduleHandlers,
  type ScheduleName,
} from '@mailstead/core/jobs/schedules';
import { SilentMeters } from '@mailstead/core/meters';
import { systemActor } from '@mailstead/core/operators/actor';
import type { RetryRelayEvents } from '@mailstead/core/relay-events/retry-relay-events';
import { FixedClock } from '@mailstead/core/testing/fixed-clock';
import { OpenGate } from '@mailstead/core/testing/open-gate';
import { SilentWaker } from '@mailstead/core/testing/silent-waker';
import { steadyHandlers } from '@mailstead/core/testing/steady-handlers';
import { until } from '@mailstead/core/testing/until';
import { JobRunner } from '../../jobs/job-runner.js';
import { SilentJobLog } from '../../jobs/testing/silent-job-log.js';
import { SilentNotifier } from '../../testing/silent-notifier.js';
import { SqlAuditLog } from '../audit/audit-log.js';
import { SqlUnitOfWork } from '../driver/sql-unit-of-work.js';
import { onEachDatabase, openTestDatabase, type TestDatabase } from '../testing/database-fixture.js';
import { SqlJobStore } from './job-store.js';
import { SqlRunLedger } from './run-ledger.js';
import { StoredJobQueue } from './stored-job-queue.js';

const NAME = 'retention.purge';

const NO_RELAY_EVENTS = { execute: async () => undefined } as unknown as RetryRelayEvents;

/** Work that ends when the test says so. */
function deferred() {
  let resolve: (counts: JobCounts) => void = () => undefined;
  const promise = new Promise<JobCounts>((end) => {
    resolve = end;
  });
  return { promise, resolve };
}

onEachDatabase((kind) => {
  let opened: TestDatabase;
  let clock: FixedClock;
  let ledger: SqlRunLedger;
  let store: SqlJobStore;
  let runs: number;

  beforeAll(async () => {
    opened = await openTestDatabase(kind);
  });
  afterAll(() => opened.close());
  beforeEach(async () => {
    await opened.database.write('DELETE FROM job');
    await opened.database.write('DELETE FROM job_run');
    clock = new FixedClock(new Date('2026-03-15T12:10:00.000Z'));
    ledger = new SqlRunLedger(opened.database);
    store = new SqlJobStore(opened.database, new SqlUnitOfWork(opened.database));
    runs = 0;
  });

  /** A process: its runner of jobs and its schedules, with this work as the purge. */
  function aProcess(work: () => Promise<JobCounts> = async () => ({ removed: 7 })) {
    const unitOfWork = new SqlUnitOfWork(opened.database);
    const purge: ScheduleHandlers[typeof NAME] = () => {
      runs += 1;
      return work();
    };
    const nothing = SCHEDULE_NAMES.map((name) => [name, async () => ({})]);
    const handlers = { ...(Object.fromEntries(nothing) as ScheduleHandlers), [NAME]: purge };
    const queue = new StoredJobQueue(store, new SilentWaker(), unitOfWork, clock);
    const requested = new RunRequested(unitOfWork, ledger, handlers, queue, clock);
    const schedules = new RunSchedules(
      unitOfWork,
      ledger,
      handlers,
      new SilentNotifier(),
      new SqlAuditLog(opened.database),
      clock,
      new OpenGate(clock),
    );
    const jobs = steadyHandlers({ 'schedule.run': ({ name }, context) => requested.execute(name, context) });
    const runner = new JobRunner(
      store,
      jobs,
      new SilentWaker(),
      clock,
      new SilentJobLog(),
      new SilentMeters(),
      new OpenGate(clock),
    );
    return {
      schedules,
      request: (key = '', name: ScheduleName = NAME) =>
        queue.enqueue('schedule.run', { name }, { key: `schedule.run/${name}${key}` }),
      start: () => runner.startDue('schedules'),
      work: async () => {
        await runner.startDue('schedules');
        await runner.idle();
      },
    };
  }
  const last = async () => (await ledger.last(latestPeriods(clock.now()))).get(NAME);

  it('runs each time it is requested, and its row has the outcome and the counts', async () => {
    const process = aProcess();
    for (let time = 1; time <= 3; time += 1) {
      await process.request();
      await process.work();
      expect(runs).toBe(time);
      expect(await last()).toMatchObject({ outcome: 'done', counts: { removed: 7 }, attempts: 1 });
    }
  });

  it('neither replaces nor doubles the scheduled run of the period', async () => {
    const process = aProcess();
    await process.schedules.executeDue();
    clock.set(new Date('2026-03-16T02:59:00.000Z'));
    await process.request();
    await process.work();
    clock.set(new Date('2026-03-16T03:00:01.000Z'));
    await process.schedules.executeDue();
    await process.schedules.executeDue();
    expect(runs).toBe(2);
    await process.request();
    await process.work();
    await process.schedules.executeDue();
    expect(runs).toBe(3);
    expect((await ledger.newest(latestPeriods(clock.now()))).get(NAME)).toMatchObject({
      period: '2026-03-16T03',
      attempts: 1,
    });
  });

  it('waits for a run in progress, and many requests meanwhile make one further run', async () => {
    const [first, second] = [deferred(), aProcess()];
    const busy = aProcess(() => first.promise);
    await busy.request();
    await busy.start();
    for (let time = 0; time < 10; time += 1) {
      await second.request();
      await second.work();
    }
    expect(runs).toBe(1);
    first.resolve({ removed: 1 });
    await busy.work();
    clock.advance(30 * SECOND_MS);
    await second.work();
    await second.work();
    expect(runs).toBe(2);
    expect(await store.backlog(clock.now())).toEqual([]);
  });

  it('runs one at a time, also when several processes begin requested runs at once', async () => {
    let [active, most] = [0, 0];
    const work = async () => {
      active += 1;
      most = Math.max(most, active);
      for (let step = 0; step < 10; step += 1) await opened.database.read('SELECT 1');
      active -= 1;
      return {};
    };
    const processes = Array.from({ length: 4 }, () => aProcess(work));
    for (let round = 0; round < 10; round += 1) {
      for (const process of processes) await process.request(String(round) + String(processes.indexOf(process)));
      await Promise.all(processes.map((process) => process.work()));
      clock.advance(30 * SECOND_MS);
    }
    for (const process of processes) await process.work();
    expect(most).toBe(1);
    expect(runs).toBeGreaterThanOrEqual(10);
    expect(await store.backlog(clock.now())).toEqual([]);
  });

  it('accepts each of many requests at once while workers claim jobs, each with its audit row', async () => {
    const unitOfWork = new SqlUnitOfWork(opened.database);
    const queue = new StoredJobQueue(store, new SilentWaker(), unitOfWork, clock);
    const audit = new SqlAuditLog(opened.database);
    const requests = new RequestRun(unitOfWork, queue, NO_RELAY_EVENTS, audit, clock);
    const workers = [aProcess(), aProcess()];
    for (let round = 0; round < 5; round += 1) {
      const accepted = Array.from({ length: 100 }, () => requests.execute(systemActor('test'), NAME));
      await Promise.all([...accepted, ...workers.map((worker) => worker.work())]);
      clock.advance(30 * SECOND_MS);
    }
    const [row] = await opened.database.read("SELECT COUNT(*) AS count FROM audit_log WHERE action = 'job.run'");
    expect(Number(row?.count)).toBe(500);
  });

  it('leaves a schedule of a later release to a process that has it, however often it takes the job', async () => {
    const process = aProcess();
    const name = 'later.schedule' as ScheduleName;
    await process.request('', name);
    for (let time = 0; time < 5; time += 1) {
      await process.work();
      expect(await store.dead(10)).toEqual([]);
      clock.advance(30 * SECOND_MS);
    }
    expect(await store.backlog(clock.now())).toMatchObject([{ name: 'schedule.run', waiting: 1, dead: 0 }]);
    const rows = await opened.database.read('SELECT payload, unique_key FROM job');
    expect(rows).toMatchObject([{ payload: JSON.stringify({ name }), unique_key: `schedule.run/${name}` }]);
    expect(await opened.database.read('SELECT * FROM job_run')).toEqual([]);
  });

  it('waits for a scheduled run in progress, which it never delays', async () => {
    const scheduled = deferred();
    const process = aProcess(() => scheduled.promise);
    await process.schedules.executeDue();
    clock.advance(DAY_MS);
    const due = process.schedules.executeDue();
    await until('the first run', () => runs > 0);
    await process.request();
    await process.work();
    expect(runs).toBe(1);
    scheduled.resolve({});
    await due;
    clock.advance(30 * SECOND_MS);
    await process.work();
    expect(runs).toBe(2);
  });

  it('is run again by another process after a crash, in the same row', async () => {
    const crashed = deferred();
    const process = aProcess(() => crashed.promise);
    await process.request();
    await process.start();
    await until('the first run', () => runs > 0);
    clock.advance(MINUTE_MS);
    await aProcess().work();
    expect(await last()).toMatchObject({ outcome: 'done', counts: { removed: 7 }, attempts: 2 });
    crashed.resolve({ removed: 99 });
    await process.work();
    expect(await last()).toMatchObject({ counts: { removed: 7 } });
  });

  it('shows a failure with its reason, is tried again, and leaves the scheduled run alone', async () => {
    let isBroken = true;
    const process = aProcess(async () => {
      if (isBroken) throw new Error('the store is away');
      return { removed: 1 };
    });
    await process.schedules.executeDue();
    await process.request();
    await process.work();
    expect(await last()).toMatchObject({ outcome: 'failed', reason: 'the store is away', attempts: 1 });
    isBroken = false;
    clock.advance(MINUTE_MS);
    await process.work();
    expect(await last()).toMatchObject({ outcome: 'done', reason: null, attempts: 2 });
    expect((await ledger.newest(latestPeriods(clock.now()))).get(NAME)).toMatchObject({ attempts: 0 });
  });

  it('ends the warning of a period that failed or was missed', async () => {
    const process = aProcess();
    await process.schedules.executeDue();
    clock.advance(DAY_MS);
    expect(await process.schedules.missed()).toContain(NAME);
    await process.request();
    await process.work();
    expect(await process.schedules.missed()).not.toContain(NAME);
    expect(await process.schedules.missed()).toContain('outbound.reset-daily');
  });

  it('is no missed run where Mailstead runs no schedules', async () => {
    const process = aProcess();
    await process.request();
    await process.work();
    clock.advance(30 * DAY_MS);
    expect(await process.schedules.missed()).toEqual([]);
  });
});
