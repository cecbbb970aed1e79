import { jest } from '@jest/globals';
import { SECOND_MS } from '@mailstead/core/clock';
import { readinessOf } from '@mailstead/core/health-check';
import { QUEUES, type QueueName } from '@mailstead/core/jobs/jobs';
import { sampled } from '@mailstead/core/testing/sampled';
import { until } from '@mailstead/core/testing/until';
import { Redis } from 'ioredis';
import { type RunningRedis, type Stoppable, startServices } from '../../../../scripts/services.mjs';
import { PREFIX, SWEEP_QUEUE } from './queue-names.js';
import { openQueue, type QueueParts } from './queue-parts.js';
import { REFUSAL_LASTS_MS } from './queue-watch.js';
import { passTime } from './testing/pass-time.js';

/** `QueueConsumer` waits so long after a refusal. */
const RETRY_AFTER_MS = 5 * SECOND_MS;
const CONSUMERS = QUEUES.length + 1;

describe('a process that runs jobs, on a Redis that refuses a command of BullMQ', () => {
  let services: RunningRedis & Stoppable;
  let control: Redis;
  let parts: QueueParts;
  let lines: string[];
  let wakes: Set<QueueName>;
  let sweeps: number;

  beforeAll(async () => {
    services = await startServices({ redis: true });
    control = new Redis(services.redisUrl);
  });
  afterAll(async () => {
    control.disconnect();
    await services.stop();
  });
  beforeEach(async () => {
    lines = [];
    wakes = new Set();
    sweeps = 0;
    await control.flushall();
    parts = openQueue(services.redisUrl, (line) => lines.push(line));
  });
  afterEach(async () => {
    jest.restoreAllMocks();
    await parts.sweepWaker.stop();
    await parts.close();
  });

  const permit = (...rules: string[]) => control.call('ACL', 'SETUSER', 'default', ...rules);
  const start = () =>
    parts.sweepWaker.start({
      wake: async (queue) => void wakes.add(queue),
      sweep: async () => void (sweeps += 1),
    });
  /** A message that waits is taken when the consumer is back, so that no second one is sent. */
  const isWoken = async () => {
    for (const queue of QUEUES) {
      if (wakes.has(queue) || (await control.llen(`${PREFIX}:${queue}:wait`)) > 0) continue;
      parts.waker.wake(queue, new Date());
    }
    return wakes.size === QUEUES.length;
  };
  /** How often Redis refused a command. */
  const refused = async (command: string) => {
    const found = new RegExp(`cmdstat_${command}:.*rejected_calls=(\\d+)`).exec(await control.info('commandstats'));
    return Number(found?.[1] ?? 0);
  };

  const commands: [string, string][] = [
    ['zpopmin, which waits for messages', 'bzpopmin'],
    ['info, which opens a queue', 'info'],
  ];

  it.each(sampled(commands, 1))(
    '(%s) warns, starts sweeps, spaces its tries, and works when it is permitted',
    async (_, command) => {
      await permit(`-${command}`);
      try {
        const begun = performance.now();
        const before = await refused(command).catch(() => 0);
        start();
        await until('the warning', async () => {
          const { isReady, warnings } = await readinessOf(parts.checks);
          return isReady && warnings.some(({ detail }) => detail.includes('NOPERM'));
        });
        await until('two sweeps', () => sweeps >= 2);
        if (command !== 'info') {
          await until('tries', async () => (await refused(command)) - before >= 3 * CONSUMERS);
          expect(performance.now() - begun).toBeGreaterThan(RETRY_AFTER_MS);
        }
        expect(lines.filter((line) => line.includes('NOPERM'))).toHaveLength(1);
      } finally {
        await permit(`+${command}`);
      }
      await until('a wake-up of each queue', isWoken);
      passTime(REFUSAL_LASTS_MS);
      await until('no warning', async () => (await readinessOf(parts.checks)).warnings.length === 0);
    },
  );

  it('writes the scheduler without INFO, at whose answer BullMQ writes lines on the console', async () => {
    await permit('-info');
    try {
      start();
      await until('the scheduler', async () => (await control.exists(`${PREFIX}:${SWEEP_QUEUE}:repeat`)) === 1);
    } finally {
      await permit('+info');
    }
  });
});
