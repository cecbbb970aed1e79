import { jest } from '@jest/globals';
import { MINUTE_MS, SECOND_MS } from '@mailstead/core/clock';
import { AppError } from '@mailstead/core/errors';
import type { JobHandlers, QueueName } from '@mailstead/core/jobs/jobs';
import { FixedClock } from '@mailstead/core/testing/fixed-clock';
import { OpenGate } from '@mailstead/core/testing/open-gate';
import { SilentWaker } from '@mailstead/core/testing/silent-waker';
import { steadyHandlers } from '@mailstead/core/testing/steady-handlers';
import { until } from '@mailstead/core/testing/until';
import { Registry } from 'prom-client';
import { SqlUnitOfWork } from '../database/driver/sql-unit-of-work.js';
import { SqlJobStore } from '../database/jobs/job-store.js';
import { StoredJobQueue } from '../database/jobs/stored-job-queue.js';
import { onEachDatabase, openTestDatabase, type TestDatabase } from '../database/testing/database-fixture.js';
import { PrometheusMeters } from '../metrics/prometheus-meters.js';
import { NOT_INTERVALS } from '../testing/intervals.js';
import { JobRunner } from './job-runner.js';
import { SilentJobLog } from './testing/silent-job-log.js';

onEachDatabase((kind) => {
  let opened: TestDatabase;
  let clock: FixedClock;
  let store: SqlJobStore;
  let queue: StoredJobQueue;
  let registry: Registry;
  let meters: PrometheusMeters;
  let unitOfWork: SqlUnitOfWork;
  let waker: SilentWaker;

  beforeAll(async () => {
    opened = await openTestDatabase(kind);
  });
  afterAll(() => opened.close());
  beforeEach(async () => {
    await opened.database.write('DELETE FROM job');
    clock = new FixedClock();
    waker = new SilentWaker();
    registry = new Registry();
    meters = new PrometheusMeters(registry);
    unitOfWork = new SqlUnitOfWork(opened.database);
    store = new SqlJobStore(opened.database, unitOfWork);
    queue = new StoredJobQueue(store, new SilentWaker(), unitOfWork, clock);
  });

  const runner = (handlers: Partial<JobHandlers>) =>
    new JobRunner(store, steadyHandlers(handlers), waker, clock, new SilentJobLog(), meters, new OpenGate(clock));
  const verified: number[] = [];
  const noting: Partial<JobHandlers> = {
    'domain.verify': async ({ domainId }) => {
      verified.push(domainId);
      return undefined;
    },
  };
  beforeEach(() => verified.splice(0));

  it('meters a job of which some items failed as failed, and one without failures as done', async () => {
    for (const failed of [0, 2]) {
      await queue.enqueue('notifications.deliver', {});
      await drain(runner({ 'notifications.deliver': async () => ({ delivered: 1, failed }) }), 'notifications');
    }
    const text = await registry.metrics();
    expect(text).toContain('mailstead_job_seconds_count{name="notifications.deliver",outcome="done"} 1');
    expect(text).toContain('mailstead_job_seconds_count{name="notifications.deliver",outcome="failed"} 1');
  });

  it('runs a job once, and not before it is due', async () => {
    await queue.enqueue('domain.verify', { domainId: 1 });
    await queue.enqueue('domain.verify', { domainId: 2 }, { runAt: new Date(clock.now().getTime() + SECOND_MS) });
    await drain(runner(noting), 'verification');
    expect(verified).toEqual([1]);
    clock.advance(SECOND_MS);
    await drain(runner(noting), 'verification');
    await drain(runner(noting), 'verification');
    expect(verified).toEqual([1, 2]);
  });

  it('does not run a job of a unit of work that was rolled back', async () => {
    const rolledBack = unitOfWork.run(async () => {
      await queue.enqueue('domain.verify', { domainId: 1 });
      throw new Error('no');
    });
    await expect(rolledBack).rejects.toThrow('no');
    await drain(runner(noting), 'verification');
    expect(verified).toEqual([]);
  });

  it('adds one waiting job for a key, due at the earlier time, and a further one while it runs', async () => {
    const later = new Date(clock.now().getTime() + MINUTE_MS);
    await queue.enqueue('domain.verify', { domainId: 1 }, { key: 'k', runAt: later });
    await queue.enqueue('domain.verify', { domainId: 1 }, { key: 'k' });
    let asked = false;
    const asking = runner({
      'domain.verify': async ({ domainId }) => {
        verified.push(domainId);
        // A job that is added while the first one runs must not be lost.
        if (!asked) await queue.enqueue('domain.verify', { domainId: 9 }, { key: 'k' });
        asked = true;
        return undefined;
      },
    });
    await drain(asking, 'verification');
    expect(verified).toEqual([1, 9]);
  });

  it('retries a failed job with growing backoff, and marks it dead with its reason after the last attempt', async () => {
    let attempts = 0;
    const failing = runner({
      'schedule.run': async () => {
        attempts += 1;
        throw new Error('not today');
      },
    });
    await queue.enqueue('schedule.run', { name: 'housekeeping' });
    for (let round = 0; round < 10; round += 1) {
      await drain(failing, 'schedules');
      clock.advance(2 * 60 * MINUTE_MS);
    }
    expect(attempts).toBe(3);
    expect(await store.dead(10)).toEqual([
      expect.objectContaining({ name: 'schedule.run', reason: 'not today', attempts: 3 }),
    ]);
  });

  it.each(['disk_full', 'database_unavailable', 'busy'] as const)(
    'never marks a job dead for %s, even after many attempts',
    async (code) => {
      let isFull = true;
      const failing = runner({
        'schedule.run': async () => {
          if (isFull) throw new AppError(code);
          verified.push(7);
          return undefined;
        },
      });
      await queue.enqueue('schedule.run', { name: 'housekeeping' });
      for (let round = 0; round < 50; round += 1) {
        await drain(failing, 'schedules');
        clock.advance(5 * MINUTE_MS);
      }
      expect(await store.dead(10)).toEqual([]);
      isFull = false;
      await drain(failing, 'schedules');
      expect(verified).toEqual([7]);
      expect(await store.backlog(clock.now())).toEqual([]);
    },
  );

  it('marks a job dead at once when a retry cannot succeed', async () => {
    await queue.enqueue('domain.verify', { domainId: 1 });
    const failing = runner({
      'domain.verify': async () => {
        throw new AppError('domain_not_found');
      },
    });
    await drain(failing, 'verification');
    expect(await store.dead(10)).toEqual([expect.objectContaining({ reason: 'Domain not found', attempts: 1 })]);
  });

  it('runs each job in only one runner when many claim at once', async () => {
    for (let domainId = 1; domainId <= 60; domainId += 1) await queue.enqueue('domain.verify', { domainId });
    await Promise.all(Array.from({ length: 6 }, () => drain(runner(noting), 'verification')));
    expect(verified.sort((left, right) => left - right)).toEqual(Array.from({ length: 60 }, (_, index) => index + 1));
  });

  it('claims the job of a crashed runner when its lease ends, not before', async () => {
    await queue.enqueue('domain.verify', { domainId: 1 });
    await store.claim('verification', 1, 'a runner that crashed', clock.now(), MINUTE_MS);
    await drain(runner(noting), 'verification');
    expect(verified).toEqual([]);
    clock.advance(MINUTE_MS);
    await drain(runner(noting), 'verification');
    expect(verified).toEqual([1]);
    expect(await store.backlog(clock.now())).toEqual([]);
  });

  it('renews the lease of a job while it runs', async () => {
    jest.useFakeTimers({ doNotFake: [...NOT_INTERVALS] });
    try {
      await queue.enqueue('domain.verify', { domainId: 1 });
      const work = held();
      const running = runner({ 'domain.verify': () => work.until });
      await running.startDue('verification');
      for (let minute = 1; minute <= 5; minute += 1) {
        clock.advance(0.9 * MINUTE_MS);
        jest.advanceTimersByTime(MINUTE_MS / 3);
        const due = clock.now().getTime() + MINUTE_MS;
        await until(
          'the renewal of the lease',
          async () => Number((await opened.database.read('SELECT leased_until FROM job'))[0]?.leased_until) === due,
        );
        await drain(runner(noting), 'verification');
      }
      expect(verified).toEqual([]);
      work.end();
      await running.idle();
      expect(await store.backlog(clock.now())).toEqual([]);
    } finally {
      jest.useRealTimers();
    }
  });

  it('runs at most four jobs of a queue at once, and continues with others while one takes long', async () => {
    for (let domainId = 1; domainId <= 9; domainId += 1) await queue.enqueue('domain.verify', { domainId });
    const works = new Map<number, Held>();
    const most: number[] = [];
    let running = 0;
    const slow = runner({
      'domain.verify': async ({ domainId }) => {
        running += 1;
        most.push(running);
        const work = held();
        works.set(domainId, work);
        await work.until;
        running -= 1;
        return undefined;
      },
    });
    const started = slow.startDue('verification');
    for (let domainId = 2; domainId <= 9; domainId += 1) {
      await until(`the job of domain ${domainId}`, () => works.has(domainId));
      works.get(domainId)?.end();
    }
    expect(await started).toBe(9);
    expect(Math.max(...most)).toBe(4);
    await until('all jobs but one to end', () => running === 1);
    works.get(1)?.end();
    await slow.idle();
    expect(await store.backlog(clock.now())).toEqual([]);
  });

  it('wakes the queue at the time of the next attempt, after the backoff of the job', async () => {
    const failing = runner({
      'domain.verify': async () => {
        throw new Error('not yet');
      },
    });
    await queue.enqueue('domain.verify', { domainId: 1 });
    for (const backoffMs of [1_000, 2_000, 4_000]) {
      waker.wakes.length = 0;
      await drain(failing, 'verification');
      const [wake] = waker.wakes;
      expect(waker.wakes).toEqual([{ queue: 'verification', runAt: expect.any(Date) }]);
      const delayMs = (wake?.runAt.getTime() ?? 0) - clock.now().getTime();
      expect(delayMs).toBeGreaterThanOrEqual(0.75 * backoffMs);
      expect(delayMs).toBeLessThanOrEqual(1.25 * backoffMs);
      clock.advance(delayMs - 1);
      expect(await failing.startDue('verification')).toBe(0);
      clock.advance(1);
    }
  });

  it('stops when the running jobs have ended, and claims no further jobs', async () => {
    for (let domainId = 1; domainId <= 9; domainId += 1) await queue.enqueue('domain.verify', { domainId });
    const work = held();
    let ended = 0;
    const stopping = runner({
      'domain.verify': async () => {
        await work.until;
        ended += 1;
        return undefined;
      },
    });
    const started = stopping.startDue('verification');
    let isStopped = false;
    // Called while a claim runs: its jobs run to their end.
    const stopped = stopping.stop().then(() => {
      isStopped = true;
    });
    await until('four leased jobs', async () => {
      const held = await opened.database.read('SELECT id FROM job WHERE leased_by IS NOT NULL');
      return held.length === 4;
    });
    expect(isStopped).toBe(false);
    work.end();
    await stopped;
    expect(await started).toBe(4);
    expect(ended).toBe(4);
    expect(await stopping.startDue('verification')).toBe(0);
  });
});

interface Held {
  until: Promise<undefined>;
  end: () => void;
}

/** A promise that the test resolves, for a job that runs until then. */
function held(): Held {
  let end = () => {};
  const until = new Promise<undefined>((resolve) => {
    end = () => resolve(undefined);
  });
  return { until, end };
}

/** Runs all due jobs, including those that become due meanwhile. */
async function drain(runner: JobRunner, queue: QueueName): Promise<void> {
  while ((await runner.startDue(queue)) > 0) await runner.idle();
}
