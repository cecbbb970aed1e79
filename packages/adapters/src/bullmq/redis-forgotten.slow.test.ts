import { scaleDeadlines } from '@mailstead/core/deadlines';
import type { QueueName } from '@mailstead/core/jobs/jobs';
import { until } from '@mailstead/core/testing/until';
import { type RunningRedis, type Stoppable, startServices } from '../../../../scripts/services.mjs';
import { openQueue, type QueueParts } from './queue-parts.js';
import { RedisRelay } from './testing/redis-relay.js';

const ignore = (): void => undefined;

describe('a connection with Redis that a firewall has forgotten', () => {
  let services: RunningRedis & Stoppable;
  let relay: RedisRelay;
  let worker: QueueParts;
  let api: QueueParts;
  let wakes: QueueName[];
  let sweeps: number;

  beforeAll(async () => {
    scaleDeadlines(1);
    services = await startServices({ redis: true });
  });
  afterAll(() => services.stop());

  beforeEach(async () => {
    wakes = [];
    sweeps = 0;
    relay = new RedisRelay(new URL(services.redisUrl));
    const url = await relay.listen();
    worker = openQueue(url, ignore);
    api = openQueue(url, ignore);
    worker.sweepWaker.start({ wake: async (queue) => void wakes.push(queue), sweep: async () => void (sweeps += 1) });
    await until('a sweep and both probes', async () => sweeps > 0 && (await areWell(api)) && (await areWell(worker)));
  });
  afterEach(async () => {
    await worker.sweepWaker.stop();
    await worker.close();
    await api.close();
    relay.close();
  });

  it('is opened again: sweeps start at once, the API is ready again, and jobs are woken', async () => {
    const silence = performance.now();
    relay.hush();
    const before = sweeps;
    api.waker.wake('verification', new Date());
    await until('two sweeps', () => sweeps >= before + 2);
    await until('both to be well', async () => (await areWell(api)) && (await areWell(worker)));
    const wellAfterMs = performance.now() - silence;
    await until('the wake-up', () => {
      api.waker.wake('verification', new Date());
      return wakes.includes('verification');
    });
    // Without a probe that gives up, the connection is opened again after 15 s of silence.
    expect(wellAfterMs).toBeLessThan(15_000);
  });
});

async function areWell({ checks }: QueueParts): Promise<boolean> {
  const problems = await Promise.all(checks.map((check) => check.problem()));
  return problems.every((problem) => problem === null);
}
