import { DAY_MS, MINUTE_MS, SECOND_MS } from '@mailstead/core/clock';
import type { BeatingProcess } from '@mailstead/core/jobs/heartbeats';
import { WatchWorkers } from '@mailstead/core/jobs/watch-workers';
import { WorkerCheck } from '@mailstead/core/jobs/worker-check';
import { FixedClock } from '@mailstead/core/testing/fixed-clock';
import { OpenGate } from '@mailstead/core/testing/open-gate';
import { SilentNotifier } from '../../testing/silent-notifier.js';
import { SqlUnitOfWork } from '../driver/sql-unit-of-work.js';
import { onEachDatabase, openTestDatabase, type TestDatabase } from '../testing/database-fixture.js';
import { SqlHeartbeats } from './heartbeats.js';

const BEAT_MS = 15 * SECOND_MS;
const aProcess = (kind: BeatingProcess['kind'], id: string): BeatingProcess => ({ id, kind, label: `${kind} ${id}` });

onEachDatabase((kind) => {
  let opened: TestDatabase;
  let clock: FixedClock;
  let heartbeats: SqlHeartbeats;
  let notifier: SilentNotifier;
  let deliveries: number;
  /** The processes that write heartbeats, and the database that takes them. */
  let running: Map<string, BeatingProcess>;
  let watches: WatchWorkers[];
  let isFull: boolean;
  /** Heartbeats wait for it before they are stored. */
  let hold: Promise<void>;
  let release: () => void;
  let deliveryMs: number;

  beforeAll(async () => {
    opened = await openTestDatabase(kind);
  });
  afterAll(() => opened.close());
  beforeEach(async () => {
    await opened.database.write('DELETE FROM process_heartbeat');
    await opened.database.write("DELETE FROM installation WHERE name LIKE 'worker%'");
    clock = new FixedClock();
    heartbeats = new SqlHeartbeats(opened.database);
    notifier = new SilentNotifier();
    deliveries = 0;
    isFull = false;
    hold = Promise.resolve();
    deliveryMs = 0;
    running = new Map();
    watches = [aWatch(), aWatch()];
  });

  function aWatch(): WatchWorkers {
    const deliver = {
      execute: async () => {
        deliveries += 1;
        clock.advance(deliveryMs);
        return {};
      },
    };
    const beats = Object.assign(Object.create(heartbeats) as SqlHeartbeats, {
      beat: async (process: BeatingProcess, now: Date) => {
        if (isFull) throw new Error('The disk is full');
        await hold;
        await heartbeats.beat(process, now);
      },
    });
    return new WatchWorkers(new SqlUnitOfWork(opened.database), beats, notifier, deliver, clock, new OpenGate(clock));
  }
  const startWorker = (id: string) => running.set(id, aProcess('worker', id));
  const endWorker = async (id: string) => {
    running.delete(id);
    await heartbeats.end(id, clock.now());
  };
  /** Lets the time pass, with the heartbeats of all processes. */
  async function pass(ms: number): Promise<void> {
    for (let passed = 0; passed < ms; passed += BEAT_MS) {
      clock.advance(BEAT_MS);
      if (!isFull) for (const worker of running.values()) await heartbeats.beat(worker, clock.now());
      const turns = watches.map((watch, index) => watch.execute(aProcess('api', `a${index}`)));
      await Promise.allSettled(turns);
    }
  }
  const warning = () => new WorkerCheck(watches[0] ?? aWatch()).problem();
  const reports = () => notifier.notices.filter(([type]) => type === 'worker.stopped');

  it('warns two minutes after the last worker was killed, and reports each stop once, whatever the number of APIs', async () => {
    startWorker('w1');
    await pass(5 * MINUTE_MS);
    expect(await warning()).toBeNull();
    running.clear();
    await pass(2 * MINUTE_MS - BEAT_MS);
    expect(await warning()).toBeNull();
    expect(reports()).toEqual([]);
    await pass(MINUTE_MS);
    expect(await warning()).toContain('No worker runs since');
    await pass(10 * MINUTE_MS);
    expect(reports()).toHaveLength(1);
    expect(deliveries).toBeGreaterThan(0);
    startWorker('w2');
    await pass(MINUTE_MS);
    expect(await warning()).toBeNull();
    running.clear();
    await pass(5 * MINUTE_MS);
    expect(reports()).toHaveLength(2);
  });

  it('does not warn while one of two workers runs, or during a restart of the only one', async () => {
    startWorker('w1');
    startWorker('w2');
    await pass(MINUTE_MS);
    await endWorker('w1');
    await pass(10 * MINUTE_MS);
    expect(await warning()).toBeNull();
    await endWorker('w2');
    await pass(MINUTE_MS);
    expect(await warning()).toBeNull();
    startWorker('w3');
    await pass(5 * MINUTE_MS);
    expect(await warning()).toBeNull();
    expect(reports()).toEqual([]);
    expect(deliveries).toBe(0);
  });

  it('warns when no worker was ever started, but not in the first two minutes of the API', async () => {
    await pass(2 * MINUTE_MS);
    expect(await warning()).toBeNull();
    await pass(BEAT_MS);
    expect(await warning()).toContain('No worker has run yet');
    await pass(5 * MINUTE_MS);
    expect(reports()).toEqual([['worker.stopped', { last_seen_at: null }]]);
  });

  it('does not take a database that took no writes for a stopped worker', async () => {
    startWorker('w1');
    await pass(5 * MINUTE_MS);
    isFull = true;
    await pass(10 * MINUTE_MS);
    expect(await warning()).toBeNull();
    isFull = false;
    await Promise.allSettled(watches.map((watch, index) => watch.execute(aProcess('api', `a${index}`))));
    expect(await warning()).toBeNull();
    await pass(10 * MINUTE_MS);
    expect(await warning()).toBeNull();
    expect(reports()).toEqual([]);
  });

  it('does not take a database that held back all writes, and then took them, for a stopped worker', async () => {
    startWorker('w1');
    await pass(5 * MINUTE_MS);
    hold = new Promise((resolve) => {
      release = resolve;
    });
    const turns = watches.map((watch, index) => watch.execute(aProcess('api', `a${index}`)));
    // The heartbeat of the worker waits like those of the APIs, and is stored after them.
    clock.advance(5 * MINUTE_MS);
    release();
    await Promise.all(turns);
    expect(await warning()).toBeNull();
    await pass(10 * MINUTE_MS);
    expect(reports()).toEqual([]);
    expect(deliveries).toBe(0);
  });

  it('does not take a suspended machine for a stopped worker, but notices a stop afterwards', async () => {
    startWorker('w1');
    await pass(5 * MINUTE_MS);
    clock.advance(DAY_MS);
    await Promise.all(watches.map((watch, index) => watch.execute(aProcess('api', `a${index}`))));
    expect(await warning()).toBeNull();
    await pass(5 * MINUTE_MS);
    expect([await warning(), reports(), deliveries]).toEqual([null, [], 0]);
    running.clear();
    await pass(5 * MINUTE_MS);
    expect(reports()).toHaveLength(1);
  });

  it('goes on delivering while no worker runs and each delivery takes minutes', async () => {
    watches = [aWatch()];
    await pass(3 * MINUTE_MS);
    const before = deliveries;
    deliveryMs = 3 * MINUTE_MS;
    for (let turn = 0; turn < 5; turn += 1) await pass(BEAT_MS);
    expect(deliveries - before).toBe(5);
    expect(await warning()).toContain('No worker has run yet');
  });

  it('counts the workers that run, without ended and killed ones and those of a clock ahead', async () => {
    for (const id of ['w1', 'w2', 'w3']) startWorker(id);
    await pass(BEAT_MS);
    await endWorker('w1');
    running.delete('w2');
    await heartbeats.beat(aProcess('worker', 'ahead'), new Date(clock.now().getTime() + DAY_MS));
    await pass(MINUTE_MS + BEAT_MS);
    const state = await heartbeats.workers(clock.now(), new Date(clock.now().getTime() - MINUTE_MS));
    expect(state).toEqual({ lastSeenAt: clock.now(), running: 1 });
  });

  it('keeps the newest heartbeat of each kind when old ones are deleted', async () => {
    for (const id of ['w1', 'w2', 'w3']) {
      clock.advance(SECOND_MS);
      await heartbeats.beat(aProcess('worker', id), clock.now());
    }
    await heartbeats.beat(aProcess('api', 'a1'), clock.now());
    const lastSeenAt = clock.now();
    clock.advance(DAY_MS);
    expect(await heartbeats.deleteOld(clock.now())).toBe(2);
    expect(await heartbeats.workers(clock.now(), clock.now())).toEqual({ lastSeenAt, running: 0 });
  });
});
