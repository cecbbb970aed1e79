import { DAY_MS, HOUR_MS, MINUTE_MS } from '@mailstead/core/clock';
import { Notifier } from '@mailstead/core/notifications/notifier';
import { RunSchedules } from '@mailstead/core/run-schedules';
import { SCHEDULE_NAMES, type ScheduleHandlers, type ScheduleName } from '@mailstead/core/schedules';
import { FixedClock } from '@mailstead/core/testing/fixed-clock';
import { TypeormRunLedger } from './run-ledger.js';
import { onEachDatabase, openTestDatabase, type TestDatabase } from './testing/database-fixture.js';
import { TypeormUnitOfWork } from './typeorm-unit-of-work.js';

class RememberedNotices extends Notifier {
  readonly notices: [string, unknown][] = [];
  override async notify(type: string, _about: unknown, _at: Date, data: unknown): Promise<void> {
    this.notices.push([type, data]);
  }
}

onEachDatabase((kind) => {
  let opened: TestDatabase;
  let clock: FixedClock;
  let ledger: TypeormRunLedger;
  let notifier: RememberedNotices;
  let ran: [ScheduleName, string][];

  beforeAll(async () => {
    opened = await openTestDatabase(kind);
  });
  afterAll(() => opened.close());
  beforeEach(async () => {
    await opened.database.write('DELETE FROM job_run');
    clock = new FixedClock(new Date('2026-03-15T12:00:00.000Z'));
    ledger = new TypeormRunLedger(opened.database);
    notifier = new RememberedNotices();
    ran = [];
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
    const crash = new Promise<never>(() => {});
    const cursors: number[] = [];
    const crashing = schedules({ 'retention.purge': async (run) => run.save(41).then(() => crash) });
    void crashing.executeDue();
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
  });

  it('keeps the reason of a failure, tries again, and lets no other schedule wait for it', async () => {
    await schedules().executeDue();
    clock.set(new Date('2026-03-16T00:00:01.000Z'));
    let attempts = 0;
    const failing = schedules({
      'outbound.reset-daily': async () => {
        attempts += 1;
        throw new Error('the disk is full');
      },
    });
    for (let round = 0; round < 8; round += 1) {
      await failing.executeDue();
      clock.advance(MINUTE_MS);
    }
    expect(attempts).toBe(5);
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

async function until(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) await new Promise((resolve) => setImmediate(resolve));
}
