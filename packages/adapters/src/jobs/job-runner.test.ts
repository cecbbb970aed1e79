import { MINUTE_MS, SECOND_MS } from '@mailstead/core/clock';
import { AppError } from '@mailstead/core/errors';
import type { JobHandlers } from '@mailstead/core/jobs/jobs';
import { SilentMeters } from '@mailstead/core/meters';
import { FixedClock } from '@mailstead/core/testing/fixed-clock';
import { steadyHandlers } from '@mailstead/core/testing/steady-handlers';
import { TypeormUnitOfWork } from '../database/driver/typeorm-unit-of-work.js';
import { TypeormJobStore } from '../database/jobs/job-store.js';
import { StoredJobQueue } from '../database/jobs/stored-job-queue.js';
import { onEachDatabase, openTestDatabase, type TestDatabase } from '../database/testing/database-fixture.js';
import { InProcessWaker } from '../in-process/in-process-jobs.js';
import { JobLog } from './job-log.js';
import { JobRunner } from './job-runner.js';

class SilentLog extends JobLog {
  override ran(): void {}
  override scheduled(): void {}
  override stalled(): void {}
}

onEachDatabase((kind) => {
  let opened: TestDatabase;
  let clock: FixedClock;
  let store: TypeormJobStore;
  let queue: StoredJobQueue;
  let unitOfWork: TypeormUnitOfWork;

  beforeAll(async () => {
    opened = await openTestDatabase(kind);
  });
  afterAll(() => opened.close());
  beforeEach(async () => {
    await opened.database.write('DELETE FROM job');
    clock = new FixedClock();
    unitOfWork = new TypeormUnitOfWork(opened.database);
    store = new TypeormJobStore(opened.database, unitOfWork);
    queue = new StoredJobQueue(store, new InProcessWaker(), unitOfWork, clock);
  });

  const runner = (handlers: Partial<JobHandlers>) =>
    new JobRunner(store, steadyHandlers(handlers), clock, new SilentLog(), new SilentMeters());
  const verified: number[] = [];
  const noting: Partial<JobHandlers> = {
    'domain.verify': async ({ domainId }) => {
      verified.push(domainId);
      return undefined;
    },
  };
  beforeEach(() => verified.splice(0));

  it('runs a job once, and not before its time', async () => {
    await queue.enqueue('domain.verify', { domainId: 1 });
    await queue.enqueue('domain.verify', { domainId: 2 }, { runAt: new Date(clock.now().getTime() + SECOND_MS) });
    await runner(noting).drain('verification');
    expect(verified).toEqual([1]);
    clock.advance(SECOND_MS);
    await runner(noting).drain('verification');
    await runner(noting).drain('verification');
    expect(verified).toEqual([1, 2]);
  });

  it('runs nothing of a unit of work that was rolled back', async () => {
    const rolledBack = unitOfWork.run(async () => {
      await queue.enqueue('domain.verify', { domainId: 1 });
      throw new Error('no');
    });
    await expect(rolledBack).rejects.toThrow('no');
    await runner(noting).drain('verification');
    expect(verified).toEqual([]);
  });

  it('adds one job for one key, at the earlier of the times, and another once it runs', async () => {
    const later = new Date(clock.now().getTime() + MINUTE_MS);
    await queue.enqueue('domain.verify', { domainId: 1 }, { key: 'k', runAt: later });
    await queue.enqueue('domain.verify', { domainId: 1 }, { key: 'k' });
    let asked = false;
    await runner({
      'domain.verify': async ({ domainId }) => {
        verified.push(domainId);
        // What is asked for while the job runs must not be lost.
        if (!asked) await queue.enqueue('domain.verify', { domainId: 9 }, { key: 'k' });
        asked = true;
        return undefined;
      },
    }).drain('verification');
    expect(verified).toEqual([1, 9]);
  });

  it('tries a failed job again later, longer each time, and gives it up in the end with its reason', async () => {
    let attempts = 0;
    const failing = runner({
      'schedule.run': async () => {
        attempts += 1;
        throw new Error('not today');
      },
    });
    await queue.enqueue('schedule.run', { name: 'housekeeping' });
    for (let round = 0; round < 10; round += 1) {
      await failing.drain('schedules');
      clock.advance(2 * 60 * MINUTE_MS);
    }
    expect(attempts).toBe(3);
    expect(await store.dead(10)).toEqual([
      expect.objectContaining({ name: 'schedule.run', reason: 'not today', attempts: 3 }),
    ]);
  });

  it.each(['disk_full', 'database_unavailable'] as const)(
    'gives no job up for %s, however long it lasts',
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
        await failing.drain('schedules');
        clock.advance(5 * MINUTE_MS);
      }
      expect(await store.dead(10)).toEqual([]);
      isFull = false;
      await failing.drain('schedules');
      expect(verified).toEqual([7]);
      expect(await store.backlog(clock.now())).toEqual([]);
    },
  );

  it('gives a job up at once when trying again cannot help', async () => {
    await queue.enqueue('domain.verify', { domainId: 1 });
    await runner({
      'domain.verify': async () => {
        throw new AppError('domain_not_found');
      },
    }).drain('verification');
    expect(await store.dead(10)).toEqual([expect.objectContaining({ reason: 'Domain not found', attempts: 1 })]);
  });

  it('never runs one job in two runners, however many claim at once', async () => {
    for (let domainId = 1; domainId <= 60; domainId += 1) await queue.enqueue('domain.verify', { domainId });
    await Promise.all(Array.from({ length: 6 }, () => runner(noting).drain('verification')));
    expect(verified.sort((left, right) => left - right)).toEqual(Array.from({ length: 60 }, (_, index) => index + 1));
  });

  it('takes a job over when the lease of a crashed runner ran out, not before', async () => {
    await queue.enqueue('domain.verify', { domainId: 1 });
    await store.claim('verification', 1, 'a runner that crashed', clock.now(), MINUTE_MS);
    await runner(noting).drain('verification');
    expect(verified).toEqual([]);
    clock.advance(MINUTE_MS);
    await runner(noting).drain('verification');
    expect(verified).toEqual([1]);
    expect(await store.backlog(clock.now())).toEqual([]);
  });

  it('leaves a job of a version it does not know for one that does', async () => {
    await opened.database.write(
      "INSERT INTO job (name, payload, state, run_at, attempts, created_at) VALUES ('future.job', '{}', 'waiting', 0, 0, 0)",
    );
    expect(await store.dueQueues(clock.now())).toEqual([]);
  });
});
