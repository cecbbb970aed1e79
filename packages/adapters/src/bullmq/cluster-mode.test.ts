import { scaleDeadlines } from '@mailstead/core/deadlines';
import { readinessOf } from '@mailstead/core/health-check';
import { QUEUES, type QueueName } from '@mailstead/core/jobs/jobs';
import { until } from '@mailstead/core/testing/until';
import { TEST_RULES } from '../relay/testing/rate-limiter-contract.js';
import { openQueue, type QueueParts } from './queue-parts.js';
import { ServiceQueues } from './service-queues.js';
import { type ClusterModeRedis, startClusterModeRedis } from './testing/cluster-mode-redis.js';

describe('a Redis in cluster mode with one shard', () => {
  let services: ClusterModeRedis;
  let parts: QueueParts;
  let wakes: Set<QueueName | 'all'>;

  beforeAll(async () => {
    scaleDeadlines(1);
    services = await startClusterModeRedis();
  });
  afterAll(() => services.stop());
  beforeEach(() => {
    wakes = new Set();
    parts = openQueue(services.redisUrl, () => undefined);
  });
  afterEach(async () => {
    await parts.sweepWaker.stop();
    await parts.close();
  });

  it('wakes each queue at once and starts the sweeps of its scheduler', async () => {
    parts.sweepWaker.start({
      wake: async (queue) => void wakes.add(queue),
      sweep: async () => void wakes.add('all'),
    });
    await until('no problem', async () => (await problems()).every((problem) => problem === null));
    for (const queue of QUEUES) parts.waker.wake(queue, new Date());
    await until('all wake-ups', () => wakes.size === QUEUES.length + 1);
  });

  it('has the rates of the relay provider and of partners', async () => {
    await until('no problem', async () => (await problems()).every((problem) => problem === null));
    await parts.createRateLimiter(TEST_RULES).take('background');
    const buckets = parts.openSharedBuckets();
    const size = { capacity: 10, perSecond: 0.001 };
    await until('a settlement', async () => {
      const spendings = ['p1', 'k1'].map((key) => ({ key, size, spent: 0, ceiling: 10 }));
      return (await buckets.settle(spendings)).levels.length === 2;
    });
    buckets.close();
  });

  it('is emptied by a restore', async () => {
    parts.waker.wake('verification', new Date());
    await until('a message', async () => (await services.control.keys('*verification:wait')).length === 1);
    const queues = await ServiceQueues.connect(services.redisUrl);
    await queues.empty();
    await queues.close();
    expect(await services.control.keys('*:wait')).toEqual([]);
  });

  it('warns of the number of a database in REDIS_URL, which it does not have, and says what to set', async () => {
    const lines: string[] = [];
    const numbered = openQueue(new URL('/3', services.redisUrl).toString(), (line) => lines.push(line));
    const words = /SELECT is not allowed.*leave the number of the database out of REDIS_URL/;
    try {
      await until('the warning', async () => {
        const { isReady, warnings } = await readinessOf(numbered.checks);
        return isReady && warnings.some(({ name, detail }) => name === 'queue' && words.test(detail));
      });
      expect(lines).toEqual([expect.stringMatching(words)]);
    } finally {
      await numbered.close();
    }
  });

  const problems = () => Promise.all(parts.checks.map((check) => check.problem()));
});
