import { jest } from '@jest/globals';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@mailstead/core/clock';
import { AppError } from '@mailstead/core/errors';
import type { JobCounts } from '@mailstead/core/jobs/jobs';
import { RunSchedules } from '@mailstead/core/jobs/run-schedules';
import { SCHEDULE_NAMES, type ScheduleHandlers, type ScheduleName } from '@mailstead/core/jobs/schedules';
import { FixedClock } from '@mailstead/core/testing/fixed-clock';
import { NOT_INTERVALS, until } from '../../testing/intervals.js';
import { SilentNotifier } from '../../testing/silent-notifier.js';
import { TypeormUnitOfWork } from '../driver/typeorm-unit-of-work.js';
import { onEachDatabase, openTestDatabase, type TestDatabase } from '../testing/database-fixture.js';
import { TypeormRunLedger } from './run-ledger.js';

onEachDatabase((kind) => {
  let opened: TestDatabase;
  let clock: FixedClock;
  let ledger: TypeormRunLedger;
  let notifier: SilentNotifier;
  let ran: [ScheduleName, string][];
  /** Work that goes on until the test lets it go, and before the test ends: what runs on would write into the next one's rows. */
  let held: Promise<JobCounts>;
  let letGo: () => void;

  beforeAll(async () => {
    opened = await openTestDatabase(kind);
  });
  afterAll(() => opened.close());
  beforeEach(async () => {
    await opened.database.write('DELETE FROM job_run');
    clock = new FixedClock(new Date('2026-03-15T12:00:00.000Z'));
    ledger = new TypeormRunLedger(opened.database);
    notifier = new SilentNotifier();
    ran = [];
    held = new Promise((resolve) => {
      letGo = () => resolve({});
    });
  });

  const schedules = (own: Partial<ScheduleHandlers> = {}) => {
    const noting = (name: ScheduleName) => async (run: { period: { key: string } }) => {
      ran.push([name, run.period.key]);
      return { done: 1 };
    };
    const handlers = Object.fromEntries(
      SCHEDULE_NAMES.map((name) => [name, noting(name)]),
    ) as unknown as ScheduleHandlers;
    return new RunSchedules(new TypeormUnitOfWork(opened.database), ledger, { ...handlers, ...own }, notifier, clock);
  };

  it('runs nothing for the time before the installation existed', async () => {
    await schedules().executeDue();
    expect(ran).toEqual([]);
    expect(await schedules().missed()).toEqual([]);
  });

  it('runs each period once, whoever and however many start it', async () => {
    await schedules().executeDue();
    clock.set(new Date('2026-03-16T00:00:01.000Z'));
    await Promise.all(Array.from({ length: 6 }, () => schedules().executeDue()));
    await schedules().executeDue();
    expect(ran.filter(([name]) => name === 'outbound.reset-daily')).toEqual([
      ['outbound.reset-daily', '2026-03-16T00'],
    ]);
    expect(ran.filter(([name]) => name === 'verification.poll')).toHaveLength(1);
  });

  it('catches the newest missed period up at start, and tells of it once', async () => {
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
  });

  it('takes a run over whose process crashed, where it had come to', async () => {
    await schedules().executeDue();
    clock.set(new Date('2026-03-16T03:00:01.000Z'));
    const cursors: number[] = [];
    const crashed = schedules({ 'retention.purge': async (run) => run.save(41).then(() => held) }).executeDue();
    await until(async () => (await ledger.find('retention.purge', '2026-03-16T03'))?.cursor === 41);
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
    letGo();
    await crashed;
  });

  it('leaves a run to the process that has it, however long it takes', async () => {
    jest.useFakeTimers({ doNotFake: [...NOT_INTERVALS] });
    try {
      await schedules().executeDue();
      clock.set(new Date('2026-03-16T03:00:01.000Z'));
      let begun = false;
      const purge = async () => {
        begun = true;
        await held;
        return { removed: 7 };
      };
      const running = schedules({ 'retention.purge': purge }).executeDue();
      await until(async () => begun);
      const leasedUntil = async () => {
        const [row] = await opened.database.read(
          "SELECT leased_until FROM job_run WHERE name = 'retention.purge' AND outcome = 'running'",
        );
        return Number(row?.leased_until);
      };
      for (let minute = 0; minute < 10; minute += 1) {
        clock.advance(MINUTE_MS);
        const now = clock.now().getTime();
        jest.advanceTimersByTime(MINUTE_MS);
        await until(async () => (await leasedUntil()) > now + MINUTE_MS);
        await schedules().executeDue();
      }
      expect(ran.filter(([name]) => name === 'retention.purge')).toEqual([]);
      letGo();
      await running;
      expect(await ledger.find('retention.purge', '2026-03-16T03')).toMatchObject({
        attempts: 1,
        counts: { removed: 7 },
      });
    } finally {
      jest.useRealTimers();
    }
  });

  it('starts what is due beside a run that takes long', async () => {
    await schedules().executeDue();
    clock.set(new Date('2026-03-16T05:00:01.000Z'));
    const long = schedules({ 'retention.purge': () => held }).executeDue();
    await until(async () => (await ledger.newest()).get('verification.recheck')?.outcome === 'done');
    clock.advance(HOUR_MS);
    await schedules().executeDue();
    expect(ran).toContainEqual(['verification.poll', '2026-03-16T06']);
    letGo();
    await long;
  });

  it('gives up no period for a full disk, tells of a late one once, and does it when there is room', async () => {
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

  it('keeps the reason of a failure, tries again ever later, and lets no other schedule wait for it', async () => {
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
    expect((await ledger.newest()).get('outbound.reset-daily')).toMatchObject({
      outcome: 'failed',
      reason: 'the disk is full',
    });
    clock.advance(DAY_MS);
    await schedules().executeDue();
    expect(ran).toContainEqual(['outbound.reset-daily', '2026-03-17T00']);
  });
});
