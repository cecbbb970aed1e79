import { setImmediate as nextTurn } from 'node:timers/promises';
import { jest } from '@jest/globals';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@mailstead/core/clock';
import { AppError } from '@mailstead/core/errors';
import type { JobCounts } from '@mailstead/core/jobs/jobs';
import { RunSchedules } from '@mailstead/core/jobs/run-schedules';
import {
  latestPeriods,
  SCHEDULE_NAMES,
  type ScheduleHandlers,
  type ScheduleName,
} from '@mailstead/core/jobs/schedules';
import { FixedClock } from '@mailstead/core/testing/fixed-clock';
import { OpenGate } from '@mailstead/core/testing/open-gate';
import { until } from '@mailstead/core/testing/until';
import { NOT_INTERVALS } from '../../testing/intervals.js';
import { SilentNotifier } from '../../testing/silent-notifier.js';
import { SqlAuditLog } from '../audit/audit-log.js';
import { SqlUnitOfWork } from '../driver/sql-unit-of-work.js';
import { onEachDatabase, openTestDatabase, type TestDatabase } from '../testing/database-fixture.js';
import { SqlRunLedger } from './run-ledger.js';

onEachDatabase((kind) => {
  let opened: TestDatabase;
  let clock: FixedClock;
  let ledger: SqlRunLedger;
  let notifier: SilentNotifier;
  let ran: [ScheduleName, string][];
  /** Resolved by `endWork` and after each test: work that still runs would change the rows of the next test. */
  let workEnded: Promise<JobCounts>;
  let endWork: () => void;

  beforeAll(async () => {
    opened = await openTestDatabase(kind);
  });
  afterAll(() => opened.close());
  beforeEach(async () => {
    await opened.database.write('DELETE FROM job_run');
    clock = new FixedClock(new Date('2026-03-15T12:00:00.000Z'));
    ledger = new SqlRunLedger(opened.database);
    notifier = new SilentNotifier();
    ran = [];
    workEnded = new Promise((resolve) => {
      endWork = () => resolve({});
    });
  });

  const schedules = (own: Partial<ScheduleHandlers> = {}) => {
    const recorded = (name: ScheduleName) => async (run: { period: { key: string } }) => {
      ran.push([name, run.period.key]);
      return { done: 1 };
    };
    const handlers = Object.fromEntries(
      SCHEDULE_NAMES.map((name) => [name, recorded(name)]),
    ) as unknown as ScheduleHandlers;
    return new RunSchedules(
      new SqlUnitOfWork(opened.database),
      ledger,
      { ...handlers, ...own },
      notifier,
      new SqlAuditLog(opened.database),
      clock,
      new OpenGate(clock),
    );
  };

  it('does not run periods before the installation existed', async () => {
    await schedules().executeDue();
    expect(ran).toEqual([]);
    expect(await schedules().missed()).toEqual([]);
  });

  it('runs each period once when several processes start it', async () => {
    await schedules().executeDue();
    clock.set(new Date('2026-03-16T00:00:01.000Z'));
    await Promise.all(Array.from({ length: 6 }, () => schedules().executeDue()));
    await schedules().executeDue();
    expect(ran.filter(([name]) => name === 'outbound.reset-daily')).toEqual([
      ['outbound.reset-daily', '2026-03-16T00'],
    ]);
    expect(ran.filter(([name]) => name === 'verification.poll')).toHaveLength(1);
  });

  it('runs the newest missed period at start, and notifies once', async () => {
    await schedules().executeDue();
    clock.set(new Date('2026-04-20T09:00:00.000Z'));
    expect(await schedules().missed()).toContain('outbound.reset-monthly');
    await schedules().executeDue();
    expect(ran).toContainEqual(['outbound.reset-monthly', '2026-04-01T00']);
    expect(notifier.notices).toContainEqual([
      'job.missed',
      expect.objectContaining({ job: 'outbound.reset-monthly', period: '2026-04-01T00' }),
    ]);
    expect(await schedules().missed()).toEqual([]);
    const told = notifier.notices.length;
    await schedules().executeDue();
    expect(notifier.notices).toHaveLength(told);
    const events = await opened.database.read(
      "SELECT actor, event_type, partner_id FROM audit_log WHERE subject = 'outbound.reset-monthly'",
    );
    expect(events).toEqual([{ actor: 'schedules', event_type: 'job.missed', partner_id: null }]);
  });

  it('continues the run of a crashed process at its stored position', async () => {
    await schedules().executeDue();
    clock.set(new Date('2026-03-16T03:00:01.000Z'));
    const cursors: number[] = [];
    const crashed = schedules({ 'retention.purge': async (run) => run.save(41).then(() => workEnded) }).executeDue();
    await until(
      'the stored cursor',
      async () => (await ledger.find('retention.purge', '2026-03-16T03'))?.cursor === 41,
    );
    const second = schedules({
      'retention.purge': async (run) => {
        cursors.push(run.cursor);
        return {};
      },
    });
    await second.executeDue();
    expect(cursors).toEqual([]);
    clock.advance(HOUR_MS);
    await second.executeDue();
    expect(cursors).toEqual([41]);
    endWork();
    await crashed;
  });

  it('does not start a run again while its process still runs it', async () => {
    jest.useFakeTimers({ doNotFake: [...NOT_INTERVALS] });
    try {
      await schedules().executeDue();
      clock.set(new Date('2026-03-16T03:00:01.000Z'));
      let begun = false;
      const purge = async () => {
        begun = true;
        await workEnded;
        return { removed: 7 };
      };
      const running = schedules({ 'retention.purge': purge }).executeDue();
      await until('the begin of the run', () => begun);
      const leasedUntil = async () => {
        const [row] = await opened.database.read(
          "SELECT leased_until FROM job_run WHERE name = 'retention.purge' AND outcome = 'running'",
        );
        return Number(row?.leased_until);
      };
      for (let minute = 0; minute < 10; minute += 1) {
        clock.advance(MINUTE_MS);
        const now = clock.now().getTime();
        await until('the renewal of the lease', async () => {
          // Again at each look: a renewal that meets a deadlock is left to the next one.
          jest.advanceTimersByTime(MINUTE_MS);
          return (await leasedUntil()) > now + MINUTE_MS;
        });
        await schedules().executeDue();
      }
      expect(ran.filter(([name]) => name === 'retention.purge')).toEqual([]);
      endWork();
      await running;
      expect(await ledger.find('retention.purge', '2026-03-16T03')).toMatchObject({
        attempts: 1,
        counts: { removed: 7 },
      });
    } finally {
      jest.useRealTimers();
    }
  });

  it('starts due schedules while another run takes long', async () => {
    await schedules().executeDue();
    clock.set(new Date('2026-03-16T05:00:01.000Z'));
    const long = schedules({ 'retention.purge': () => workEnded }).executeDue();
    await until(
      'the recheck to be done',
      async () => (await ledger.newest(latestPeriods(clock.now()))).get('verification.recheck')?.outcome === 'done',
    );
    clock.advance(HOUR_MS);
    await schedules().executeDue();
    expect(ran).toContainEqual(['verification.poll', '2026-03-16T06']);
    endWork();
    await long;
  });

  it('a lost read of future periods waits for the runs, whose process goes on', async () => {
    await schedules().executeDue();
    clock.set(new Date('2026-03-16T05:00:01.000Z'));
    ledger.future = () => Promise.reject(new AppError('database_unavailable'));
    let begun = false;
    const purge = () => {
      begun = true;
      return workEnded;
    };
    const lost = schedules({ 'retention.purge': purge }).executeDue();
    await until('the begin of the run', () => begun);
    // Node reports a rejection that nobody heard after the present turn.
    await nextTurn();
    endWork();
    await expect(lost).rejects.toMatchObject({ code: 'database_unavailable' });
    expect(await ledger.find('retention.purge', '2026-03-16T03')).toMatchObject({ outcome: 'done' });
  });

  it('retries a period while the disk is full, notifies once when it is late, and runs it when the disk has space', async () => {
    await schedules().executeDue();
    clock.set(new Date('2026-04-01T02:00:00.000Z'));
    let isFull = true;
    const monthly = schedules({
      'outbound.reset-monthly': async () => {
        if (isFull) throw new AppError('disk_full');
        return { frozen: 3 };
      },
    });
    for (let round = 0; round < 40; round += 1) {
      await monthly.executeDue();
      clock.advance(10 * MINUTE_MS);
    }
    expect(await ledger.find('outbound.reset-monthly', '2026-04-01T00')).toMatchObject({ outcome: 'failed' });
    isFull = false;
    await monthly.executeDue();
    expect(await ledger.find('outbound.reset-monthly', '2026-04-01T00')).toMatchObject({
      outcome: 'done',
      counts: { frozen: 3 },
    });
    const told = notifier.notices.filter(([, data]) => (data as { job: string }).job === 'outbound.reset-monthly');
    expect(told).toHaveLength(1);
  });

  it('stores the reason of a failure, retries with growing backoff, and does not delay other schedules', async () => {
    await schedules().executeDue();
    clock.set(new Date('2026-03-16T00:00:01.000Z'));
    let attempts = 0;
    const failing = schedules({
      'outbound.reset-daily': async () => {
        attempts += 1;
        throw new Error('the disk is full');
      },
    });
    const after = async (minutes: number) => {
      clock.advance(minutes * MINUTE_MS);
      await failing.executeDue();
      return attempts;
    };
    expect(await after(0)).toBe(1);
    expect(await after(0.9)).toBe(1);
    expect(await after(0.1)).toBe(2);
    expect(await after(1.9)).toBe(2);
    expect(await after(0.1)).toBe(3);
    for (let hour = 0; hour < 12; hour += 1) await after(60);
    expect(attempts).toBe(8);
    expect(ran.map(([name]) => name)).toContain('verification.poll');
    expect((await ledger.newest(latestPeriods(clock.now()))).get('outbound.reset-daily')).toMatchObject({
      outcome: 'failed',
      reason: 'the disk is full',
    });
    clock.advance(DAY_MS);
    await schedules().executeDue();
    expect(ran).toContainEqual(['outbound.reset-daily', '2026-03-17T00']);
  });
});
