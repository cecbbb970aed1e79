import { MINUTE_MS, SECOND_MS } from '../clock.js';
import type { ClaimedJob, HeldJob, JobStore } from '../jobs/job-store.js';
import type { EnqueueOptions } from '../jobs/jobs.js';
import { FixedClock } from './fixed-clock.js';
import { untilAvailable } from './until-available.js';

export interface JobStorePorts {
  /** Several stores over the same rows, each with its own connections when the database has any. */
  stores: [JobStore, JobStore, ...JobStore[]];
  /** Deletes all jobs. */
  clear(): Promise<void>;
  /** Waits until every store reads what the first one wrote. Not needed when they read the same rows. */
  caughtUp?(): Promise<void>;
}

const JOBS = 120;
const CLAIMERS_PER_STORE = 4;

/** The guarantees of every `JobStore`, with several stores that claim at the same time. */
export function jobStoreContract(open: () => Promise<JobStorePorts>): void {
  let ports: JobStorePorts;
  let store: JobStore;
  let clock: FixedClock;
  let claims: number;

  beforeAll(async () => {
    ports = await open();
    store = ports.stores[0];
  });
  beforeEach(async () => {
    await ports.clear();
    clock = new FixedClock();
    claims = 0;
  });

  const later = (ms: number) => new Date(clock.now().getTime() + ms);
  const add = (domainId: number, options: EnqueueOptions = {}) =>
    store.add('domain.verify', { domainId }, options, clock.now());
  const claim = (limit = 10, by = store): Promise<ClaimedJob[]> =>
    untilAvailable(() => by.claim('verification', limit, `claim ${(claims += 1)}`, clock.now(), MINUTE_MS));
  const domains = (jobs: ClaimedJob[]) => jobs.map(({ payload }) => (payload as { domainId: number }).domainId);
  const one = async (): Promise<ClaimedJob> => {
    const [job] = await claim(1);
    if (job === undefined) throw new Error('No job was claimed');
    return job;
  };

  it('gives each job to exactly one of many claimers', async () => {
    for (let id = 1; id <= JOBS; id += 1) await add(id);
    const claimed: ClaimedJob[] = [];
    const claimAll = async (by: JobStore): Promise<void> => {
      for (let jobs = await claim(3, by); jobs.length > 0; jobs = await claim(3, by)) claimed.push(...jobs);
    };
    const claimers = ports.stores.flatMap((each) => Array.from({ length: CLAIMERS_PER_STORE }, () => each));
    await Promise.all(claimers.map(claimAll));
    expect(domains(claimed).toSorted((left, right) => left - right)).toEqual(
      Array.from({ length: JOBS }, (_, index) => index + 1),
    );
  });

  it('returns to each claimer only jobs that it can complete, until no job is left', async () => {
    for (let id = 1; id <= JOBS; id += 1) await add(id);
    const work = async (by: JobStore): Promise<void> => {
      for (let jobs = await claim(3, by); jobs.length > 0; jobs = await claim(3, by)) {
        for (const job of jobs) {
          expect(await untilAvailable(() => by.renew(job, later(2 * MINUTE_MS)))).toBe(true);
          await untilAvailable(() => by.complete(job));
        }
      }
    };
    await Promise.all(ports.stores.map(work));
    expect(await store.backlog(clock.now())).toEqual([]);
  });

  it('finds the due job of a queue while other queues are claimed at the same time', async () => {
    for (let round = 0; round < 30; round += 1) {
      await add(round);
      await store.add('notifications.deliver', {}, {}, clock.now());
      await store.add('relay-events.process', {}, {}, clock.now());
      await ports.caughtUp?.();
      const claimed = await Promise.all(
        (['verification', 'notifications', 'relay-events'] as const).map((queue, index) =>
          untilAvailable(() =>
            (ports.stores[index] ?? store).claim(queue, 4, `${round} ${queue}`, clock.now(), MINUTE_MS),
          ),
        ),
      );
      expect(claimed.map((jobs) => jobs.length)).toEqual([1, 1, 1]);
    }
  });

  it('claims the oldest due jobs of one queue, up to the limit', async () => {
    await add(1, { runAt: later(2 * SECOND_MS) });
    await add(2, { runAt: later(SECOND_MS) });
    await add(3, { runAt: later(SECOND_MS) });
    await add(4, { runAt: later(MINUTE_MS) });
    await store.add('notifications.deliver', {}, {}, clock.now());
    expect(await claim()).toEqual([]);
    clock.advance(2 * SECOND_MS);
    expect(domains(await claim(2))).toEqual([2, 3]);
    expect(domains(await claim())).toEqual([1]);
    expect(await store.dueQueues(clock.now())).toEqual(['notifications']);
  });

  it('keeps a job claimed until the lease ends; then another claim gets it', async () => {
    const [requestId, traceId] = ['r-1', '4bf92f3577b34da6a3ce929d0e0e4736'];
    await add(1, { requestId, traceId });
    const first = await one();
    expect(first).toMatchObject({ name: 'domain.verify', payload: { domainId: 1 }, attempts: 0, requestId, traceId });
    clock.advance(MINUTE_MS - 1);
    expect(await claim()).toEqual([]);
    expect(await store.dueQueues(clock.now())).toEqual([]);
    expect(await store.renew(first, later(MINUTE_MS))).toBe(true);
    clock.advance(MINUTE_MS - 1);
    expect(await claim()).toEqual([]);
    clock.advance(1);
    expect(await store.dueQueues(clock.now())).toEqual(['verification']);
    const second = await one();
    expect(second.id).toBe(first.id);
    expect(await store.renew(first, later(MINUTE_MS))).toBe(false);
  });

  it.each<[string, (job: HeldJob) => Promise<unknown>]>([
    ['completes', (job) => store.complete(job)],
    ['retries', (job) => store.retry(job, 'late', clock.now())],
    ['postpones', (job) => store.postpone(job, 'late', clock.now())],
    ['marks dead', (job) => store.markDead(job, 'late')],
    ['renews', (job) => store.renew(job, later(MINUTE_MS))],
  ])('changes nothing when a former claim %s a job', async (_, act) => {
    await add(1);
    const former = await one();
    clock.advance(MINUTE_MS);
    const current = await one();
    await act(former);
    expect(await store.renew(current, later(SECOND_MS))).toBe(true);
    expect(await store.dead(1)).toEqual([]);
    clock.advance(SECOND_MS);
    expect(await claim()).toEqual([{ ...current, owner: `claim ${claims}` }]);
  });

  it('has one waiting job for a key, due at the earlier time, and accepts another when that job is claimed', async () => {
    await add(1, { key: 'k', runAt: later(MINUTE_MS) });
    await add(2, { key: 'k' });
    await add(3, { key: 'k', runAt: later(MINUTE_MS) });
    expect(domains(await claim())).toEqual([1]);
    await add(4, { key: 'k' });
    expect(domains(await claim())).toEqual([4]);
  });

  it('counts a failed attempt that is retried, but not one that is postponed', async () => {
    await add(1);
    await store.retry(await one(), 'no', later(SECOND_MS));
    expect(await claim()).toEqual([]);
    clock.advance(SECOND_MS);
    const second = await one();
    expect(second.attempts).toBe(1);
    await store.postpone(second, 'no', clock.now());
    expect(await one()).toMatchObject({ attempts: 1 });
  });

  it('counts the jobs of each name that wait or run, and no dead ones', async () => {
    expect(await store.waiting()).toEqual(new Map());
    for (const id of [1, 2, 3]) await add(id);
    await add(4, { runAt: later(MINUTE_MS) });
    await store.add('notifications.deliver', {}, {}, clock.now());
    await store.markDead(await one(), 'never');
    await claim(1);
    expect(await store.waiting()).toEqual(
      new Map([
        ['domain.verify', 3],
        ['notifications.deliver', 1],
      ]),
    );
  });

  it('lists a dead job with its reason, and does not return it to a claim', async () => {
    await add(1);
    const job = await one();
    await store.markDead(job, 'never');
    clock.advance(MINUTE_MS);
    expect(await claim()).toEqual([]);
    expect(await store.dead(10)).toMatchObject([{ id: job.id, name: 'domain.verify', reason: 'never', attempts: 1 }]);
    expect(await store.backlog(clock.now())).toEqual([
      { name: 'domain.verify', waiting: 0, dead: 1, oldestDueAt: null },
    ]);
  });
}
