import { Clock, DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '@mailstead/core/clock';
import { ForgetFuturePeriods } from '@mailstead/core/jobs/forget-future-periods';
import { RunSchedules } from '@mailstead/core/jobs/run-schedules';
import { SCHEDULE_NAMES, type ScheduleHandlers, type ScheduleName } from '@mailstead/core/jobs/schedules';
import { SilentMeters } from '@mailstead/core/meters';
import type { Actor } from '@mailstead/core/operators/actor';
import { SilentWaker } from '@mailstead/core/testing/silent-waker';
import { steadyHandlers } from '@mailstead/core/testing/steady-handlers';
import { until } from '@mailstead/core/testing/until';
import { SqlAuditLog } from '../database/audit/audit-log.js';
import { SqlUnitOfWork } from '../database/driver/sql-unit-of-work.js';
import { ClockCheck } from '../database/health/clock-check.js';
import { EmbeddedClock } from '../database/health/embedded-clock.js';
import { SchemaCheck } from '../database/health/schema-check.js';
import { SqlDatabaseClock } from '../database/installation/database-clock.js';
import { SqlJobStore } from '../database/jobs/job-store.js';
import { SqlRunLedger } from '../database/jobs/run-ledger.js';
import { onEachDatabase, type TestDatabase } from '../database/testing/database-fixture.js';
import { openReusedDatabase, type ReusedDatabase } from '../database/testing/reused-database.js';
import { SilentNotifier } from '../testing/silent-notifier.js';
import { ClockGate } from './clock-gate.js';
import { JobRunner } from './job-runner.js';
import { JobSweep } from './job-sweep.js';
import { SilentJobLog } from './testing/silent-job-log.js';

const MASTER: Actor = { kind: 'master', name: 'master', requestId: null };

/** The clock of this machine, set wrong by a number of milliseconds. */
class WrongClock extends Clock {
  wrongMs = 0;

  override now(): Date {
    return new Date(Date.now() + this.wrongMs);
  }
}

class WrongMeter extends SilentMeters {
  isWrong = false;

  override clockWrong(isWrong: boolean): void {
    this.isWrong = isWrong;
  }
}

/** A process that runs jobs and schedules. A start again is another one, on the same database. */
class Processor {
  readonly clock = new WrongClock();
  readonly log = new SilentJobLog();
  readonly meters = new WrongMeter();
  readonly ran: string[] = [];
  readonly store: SqlJobStore;
  readonly check: ClockCheck;
  readonly ledger: SqlRunLedger;
  private readonly sweeper: JobSweep;

  constructor(private readonly opened: TestDatabase) {
    const { database } = opened;
    const unitOfWork = new SqlUnitOfWork(database);
    this.store = new SqlJobStore(database, unitOfWork);
    this.ledger = new SqlRunLedger(database);
    const databaseClock = new SqlDatabaseClock(database, this.clock);
    const embedded = new EmbeddedClock(database, this.clock, () => performance.now());
    this.check = new ClockCheck(database, this.clock, databaseClock, embedded);
    const gate = new ClockGate(this.check, new SchemaCheck(database), this.log, this.meters);
    const handlers = steadyHandlers({ 'domain.verify': async () => void this.ran.push('job') });
    const runner = new JobRunner(this.store, handlers, new SilentWaker(), this.clock, this.log, this.meters, gate);
    const schedules = new RunSchedules(
      unitOfWork,
      this.ledger,
      Object.fromEntries(SCHEDULE_NAMES.map((name) => [name, this.recorded(name)])) as unknown as ScheduleHandlers,
      new SilentNotifier(),
      new SqlAuditLog(database),
      this.clock,
      gate,
    );
    const noWaker = { start: () => undefined, stop: async () => undefined };
    this.sweeper = new JobSweep(noWaker, this.store, runner, schedules, this.clock, this.log);
  }

  /** Tries to run all jobs and schedules. */
  async sweep(): Promise<void> {
    await this.sweeper.sweep();
    await this.sweeper.wake('verification');
  }

  /** Waits until everything that a sweep started has ended. */
  async end(): Promise<void> {
    await this.sweeper.stop();
  }

  /** A new process, whose clock is as wrong as the one of this process. */
  async startAgain(): Promise<Processor> {
    await this.end();
    const next = new Processor(this.opened);
    next.clock.wrongMs = this.clock.wrongMs;
    return next;
  }

  private recorded(name: ScheduleName) {
    return async () => (this.ran.push(name), {});
  }
}

onEachDatabase((kind) => {
  describe('a process with a wrong clock', () => {
    let reused: ReusedDatabase;
    let opened: TestDatabase;
    let processor: Processor;

    beforeAll(async () => {
      reused = await openReusedDatabase(kind);
    });
    afterAll(() => reused.close());
    beforeEach(async () => {
      opened = await reused.asNew();
      processor = new Processor(opened);
      // The newest period of each schedule is an old one.
      for (const name of SCHEDULE_NAMES) await processor.ledger.skip(name, '2026-01-01T00', new Date());
      await processor.store.add('domain.verify', { domainId: 1 }, { runAt: new Date(0) }, new Date());
    });
    afterEach(() => processor.end());

    const runs = () => opened.database.read("SELECT name FROM job_run WHERE period > '2026-01-01T00'");
    const jobs = () => opened.database.read('SELECT attempts, leased_by FROM job');
    async function expectToWait(): Promise<void> {
      await processor.sweep();
      await processor.sweep();
      await processor.end();
      expect([processor.ran, await runs(), await jobs()]).toEqual([[], [], [{ attempts: 0, leased_by: null }]]);
      expect([processor.log.clocks.length, processor.log.errors, processor.meters.isWrong]).toEqual([1, [], true]);
      expect(await processor.check.problem()).toEqual(processor.log.clocks[0]);
    }
    async function expectToRun(): Promise<void> {
      await processor.sweep();
      await until('every schedule and the job to run', () => processor.ran.length === SCHEDULE_NAMES.length + 1);
      expect(await processor.check.problem()).toBeNull();
      expect(processor.meters.isWrong).toBe(false);
    }

    if (kind === 'mariadb') {
      it.each([
        ['nine days ahead', 9 * DAY_MS],
        ['nine days behind', -9 * DAY_MS],
        ['6 seconds ahead', 6 * SECOND_MS],
      ])('%s of the database claims no job and begins no schedule', async (_, wrongMs) => {
        processor.clock.wrongMs = wrongMs;
        await expectToWait();
        expect(processor.check.isWarning).toBe(false);
        expect(processor.log.clocks[0]).toContain('apart');
      });

      it('runs jobs and schedules by itself when the clock is right again, in the present periods', async () => {
        processor.clock.wrongMs = 9 * DAY_MS;
        await processor.sweep();
        processor.clock.wrongMs = 2 * SECOND_MS;
        await expectToRun();
        expect(processor.log.clocks).toEqual([expect.any(String), null]);
        const tomorrow = new Date(Date.now() + DAY_MS).toISOString().slice(0, 10);
        expect(await opened.database.read('SELECT 1 FROM job_run WHERE period >= ?', [tomorrow])).toEqual([]);
      });
      return;
    }

    it('runs jobs and schedules at the first start, and after a step of some seconds', async () => {
      await processor.check.problem();
      processor.clock.wrongMs = -4 * SECOND_MS;
      await expectToRun();
    });

    it('behind the last write waits with a warning, also after a start, and goes on when the clock is right', async () => {
      await processor.check.problem();
      processor.clock.wrongMs = -10 * MINUTE_MS;
      await expectToWait();
      expect(processor.check.isWarning).toBe(true);
      processor = await processor.startAgain();
      await expectToWait();
      processor = await processor.startAgain();
      processor.clock.wrongMs = -2 * DAY_MS;
      await processor.check.problem();
      processor.clock.wrongMs = 0;
      await expectToRun();
    });

    it.each([
      ['forward', 2 * HOUR_MS],
      ['nine days forward', 9 * DAY_MS],
      ['back', -2 * HOUR_MS],
    ])('that leaps %s while it runs waits until the clock is back', async (_, wrongMs) => {
      await processor.check.problem();
      processor.clock.wrongMs = wrongMs;
      const { clock } = processor;
      await processor.sweep();
      await processor.sweep();
      expect([processor.ran, await runs(), processor.log.clocks.length]).toEqual([[], [], 1]);
      expect(await processor.check.problem()).not.toBeNull();
      clock.wrongMs = 0;
      await expectToRun();
    });

    it('that leaps forward waits until the process is started again, when the new time is right', async () => {
      await processor.check.problem();
      processor.clock.wrongMs = 2 * HOUR_MS;
      await expectToWait();
      processor = await processor.startAgain();
      await expectToRun();
    });

    it('leaves no time of a last write while it waits, so that the right time is not behind it', async () => {
      await processor.check.problem();
      processor.clock.wrongMs = 9 * DAY_MS;
      await processor.check.problem();
      processor.clock.wrongMs = 0;
      processor = await processor.startAgain();
      await expectToRun();
    });

    it('that began ahead and is right now waits until the command removes the time of the last write', async () => {
      processor.clock.wrongMs = 9 * DAY_MS;
      await processor.check.problem();
      processor = await processor.startAgain();
      processor.clock.wrongMs = 0;
      await expectToWait();
      const { ledger, clock } = processor;
      const [unitOfWork, audit] = [new SqlUnitOfWork(opened.database), new SqlAuditLog(opened.database)];
      const databaseClock = new SqlDatabaseClock(opened.database, clock);
      await new ForgetFuturePeriods(unitOfWork, ledger, audit, databaseClock).execute(MASTER);
      processor = await processor.startAgain();
      await expectToRun();
    });
  });
});
