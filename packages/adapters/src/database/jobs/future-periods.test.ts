import { DAY_MS, HOUR_MS } from '@mailstead/core/clock';
import { ForgetFuturePeriods } from '@mailstead/core/jobs/forget-future-periods';
import { FuturePeriodsCheck } from '@mailstead/core/jobs/future-periods-check';
import { RunSchedules } from '@mailstead/core/jobs/run-schedules';
import {
  latestPeriods,
  SCHEDULE_NAMES,
  type ScheduleHandlers,
  type ScheduleName,
} from '@mailstead/core/jobs/schedules';
import type { Actor } from '@mailstead/core/operators/actor';
import { FixedClock } from '@mailstead/core/testing/fixed-clock';
import { OpenGate } from '@mailstead/core/testing/open-gate';
import { SilentNotifier } from '../../testing/silent-notifier.js';
import { SqlAuditLog } from '../audit/audit-log.js';
import { SqlUnitOfWork } from '../driver/sql-unit-of-work.js';
import { onEachDatabase, openTestDatabase, type TestDatabase } from '../testing/database-fixture.js';
import { SqlRunLedger } from './run-ledger.js';

const MASTER: Actor = { kind: 'master', name: 'master', requestId: null };

/** The worker of an earlier release, whose clock was nine days ahead, ran all schedules, and was stopped. */
onEachDatabase((kind) => {
  describe('periods in the future in the run ledger', () => {
    let opened: TestDatabase;
    let clock: FixedClock;
    let notifier: SilentNotifier;
    let ran: ScheduleName[];

    beforeAll(async () => {
      opened = await openTestDatabase(kind);
    });
    afterAll(() => opened.close());
    beforeEach(async () => {
      await opened.database.write('DELETE FROM job_run');
      await opened.database.write("DELETE FROM installation WHERE name = 'future_periods_reported'");
      clock = new FixedClock(new Date('2026-03-15T12:30:00.000Z'));
      notifier = new SilentNotifier();
      ran = [];
    });

    /** The schedules of one of several processes. */
    const schedules = () => {
      const recorded = (name: ScheduleName) => async () => (ran.push(name), {});
      return new RunSchedules(
        new SqlUnitOfWork(opened.database),
        new SqlRunLedger(opened.database),
        Object.fromEntries(SCHEDULE_NAMES.map((name) => [name, recorded(name)])) as unknown as ScheduleHandlers,
        notifier,
        new SqlAuditLog(opened.database),
        clock,
        new OpenGate(clock),
      );
    };
    const leaveFuture = async (day = '2026-03-24') => {
      const at = Date.parse(`${day}T12:30:00Z`);
      for (const [name, period] of latestPeriods(new Date(at))) {
        if (name === 'outbound.reset-monthly') continue;
        await opened.database.write(
          `INSERT INTO job_run (name, period, outcome, started_at, ended_at, attempts, resume_after)
           VALUES (?, ?, 'done', ?, ?, 1, 0)`,
          [name, period, at, at],
        );
      }
    };
    const warning = () => new FuturePeriodsCheck(schedules()).problem();
    const notices = () => notifier.notices.filter(([type]) => type === 'job.future_periods');

    it('delay no schedule, are a warning and one notification, until the command removes them', async () => {
      await schedules().executeDue();
      expect(await warning()).toBeNull();
      await leaveFuture();
      for (let hour = 0; hour < 24; hour += 1) {
        clock.advance(HOUR_MS);
        await Promise.all([schedules().executeDue(), schedules().executeDue()]);
      }
      for (const name of SCHEDULE_NAMES) {
        if (name !== 'outbound.reset-monthly') expect(ran).toContain(name);
      }
      expect(ran.filter((name) => name === 'housekeeping')).toHaveLength(24);
      expect(await schedules().missed()).toEqual([]);
      expect(await warning()).toContain('housekeeping');
      expect(notices()).toEqual([
        ['job.future_periods', { jobs: expect.arrayContaining(['usage.snapshot']), latest_period: '2026-03-24T12' }],
      ]);

      const ledger = new SqlRunLedger(opened.database);
      const audit = new SqlAuditLog(opened.database);
      const unitOfWork = new SqlUnitOfWork(opened.database);
      const kept = await opened.database.read("SELECT 1 FROM job_run WHERE period < '2026-03-17'");
      expect(await new ForgetFuturePeriods(unitOfWork, ledger, audit, clock).execute(MASTER)).toBe(
        SCHEDULE_NAMES.length - 1,
      );
      expect(await opened.database.read('SELECT 1 FROM job_run')).toHaveLength(kept.length);
      expect(await warning()).toBeNull();
      await leaveFuture('2026-03-20');
      await schedules().executeDue();
      expect(notices()).toHaveLength(2);
    });

    it('are no longer a warning when their time has come, and each schedule runs its next period', async () => {
      await schedules().executeDue();
      await leaveFuture();
      clock.set(new Date('2026-03-24T12:30:00.000Z'));
      await schedules().executeDue();
      expect(await warning()).toBeNull();
      expect(ran).not.toContain('housekeeping');
      clock.advance(DAY_MS);
      await schedules().executeDue();
      expect(ran).toContain('housekeeping');
    });

    it('do not stop an installation that has no other period', async () => {
      await leaveFuture();
      await schedules().executeDue();
      clock.advance(DAY_MS);
      await schedules().executeDue();
      expect(ran).toContain('usage.snapshot');
    });

    it('are none of another node of the database, whose clock is some seconds ahead', async () => {
      clock.set(new Date('2026-03-15T12:59:59.000Z'));
      await leaveFuture('2026-03-15');
      await opened.database.write("UPDATE job_run SET period = '2026-03-15T13' WHERE name = 'housekeeping'");
      await opened.database.write("DELETE FROM job_run WHERE name <> 'housekeeping'");
      await schedules().executeDue();
      expect([await warning(), notices()]).toEqual([null, []]);
    });
  });
});
