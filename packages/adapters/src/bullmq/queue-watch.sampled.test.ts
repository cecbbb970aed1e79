import { setImmediate } from 'node:timers/promises';
import { jest } from '@jest/globals';
import { scaleDeadlines } from '@mailstead/core/deadlines';
import { readinessOf } from '@mailstead/core/health-check';
import { sampled, sampleSize } from '@mailstead/core/testing/sampled';
import { until } from '@mailstead/core/testing/until';
import type { Redis } from 'ioredis';
import { type RunningRedis, type Stoppable, startServices } from '../../../../scripts/services.mjs';
import { QueueCheck, QueueRefusalCheck } from './queue-check.js';
import { QueueErrors } from './queue-errors.js';
import { QueueWatch, REFUSAL_LASTS_MS } from './queue-watch.js';
import { failingFast } from './redis.js';
import { passTime } from './testing/pass-time.js';

/** How often the connections of a demoted Redis are opened again. */
const ROUNDS = sampleSize(10, 4);
const ignore = (): void => undefined;

describe('a Redis that refuses what the queue needs', () => {
  let services: RunningRedis & Stoppable;
  let control: Redis;
  let producer: Redis;
  let watch: QueueWatch;
  let lines: string[];
  let errors: QueueErrors;

  beforeAll(async () => {
    scaleDeadlines(1);
    services = await startServices({ redis: true });
    control = failingFast(services.redisUrl, ignore);
    await until('the control connection', () => control.status === 'ready');
  });
  afterAll(async () => {
    control.disconnect();
    await services.stop();
  });
  beforeEach(async () => {
    lines = [];
    producer = failingFast(services.redisUrl, ignore);
    errors = new QueueErrors((text) => lines.push(text));
    watch = new QueueWatch(producer, errors);
    await until('a probe', async () => (await watch.probe()).is === 'working');
  });
  afterEach(() => {
    jest.restoreAllMocks();
    watch.stop();
    producer.disconnect();
  });

  const readiness = () => readinessOf([new QueueCheck(watch), new QueueRefusalCheck(watch)]);

  const refusals: [string, string, string[], string[]][] = [
    ['was demoted under open connections', 'READONLY', ['REPLICAOF', '127.0.0.1', '1'], ['REPLICAOF', 'NO', 'ONE']],
    ['is full', 'OOM', ['CONFIG', 'SET', 'maxmemory', '1'], ['CONFIG', 'SET', 'maxmemory', '0']],
    ['permits no scripts', 'NOPERM', aclOf('-eval', '-evalsha'), aclOf('+eval', '+evalsha')],
  ];

  it.each(sampled(refusals, 1))(
    'because it %s warns with its words, stays ready, starts sweeps and says so once in the log',
    async (_, words, begin, end) => {
      let sweeps = 0;
      watch.start(() => (sweeps += 1));
      await call(control, begin);
      try {
        await until('two sweeps', () => sweeps >= 2);
        await until('the warning, and readiness', async () => {
          const { isReady, warnings } = await readiness();
          return isReady && warnings.some(({ name, detail }) => name === 'queue' && detail.includes(words));
        });
        expect(lines.filter((line) => line.includes(words))).toHaveLength(1);
      } finally {
        await call(control, end);
      }
      passTime(REFUSAL_LASTS_MS);
      await until('readiness without a warning', async () => {
        const { isReady, warnings } = await readiness();
        return isReady && warnings.length === 0;
      });
    },
  );

  it.each([
    ['scripts that it does not know', 'NOPERM', aclOf('-eval'), aclOf('+eval')],
    ['scripts that write', "can't run this command|has no permissions to run", aclOf('-set'), aclOf('+set')],
    ['the keys of the queue', 'NOPERM', aclOf('resetkeys', '~mailstead:*'), aclOf('allkeys')],
  ])('because it does not permit %s is known by its words', async (_, words, begin, end) => {
    await control.script('FLUSH');
    await call(control, begin);
    try {
      expect(await watch.probe()).toEqual({ is: 'refused', words: expect.stringMatching(words) });
    } finally {
      await call(control, end);
    }
  });

  it('because it was demoted is never silent while its connections are opened again', async () => {
    await call(control, ['REPLICAOF', '127.0.0.1', '1']);
    try {
      for (let round = 0; round < ROUNDS; round += 1) await seesNoSilence();
    } finally {
      await call(control, ['REPLICAOF', 'NO', 'ONE']);
    }
  });

  async function seesNoSilence(): Promise<void> {
    const redis = failingFast(services.redisUrl, ignore);
    try {
      await until('a connection', () => redis.status === 'ready');
      let closed = 0;
      redis.on('close', () => (closed += 1));
      const fresh = new QueueWatch(redis, new QueueErrors(ignore));
      const states = new Set<string>();
      await until('a new connection', async () => {
        // Without waits, so that some begin while the connection closes.
        for (let probe = 0; probe < 50; probe += 1) {
          states.add((await fresh.probe()).is);
          await setImmediate();
        }
        return closed > 0 && redis.status === 'ready';
      });
      expect([...states]).toEqual(['refused']);
    } finally {
      redis.disconnect();
    }
  }

  it('because it was demoted gets new connections, which may lead to the new primary', async () => {
    let closed = 0;
    producer.on('close', () => (closed += 1));
    await call(control, ['REPLICAOF', '127.0.0.1', '1']);
    try {
      await until('a new connection', async () => (await watch.probe()).is === 'refused' && closed > 0);
    } finally {
      await call(control, ['REPLICAOF', 'NO', 'ONE']);
    }
    passTime(REFUSAL_LASTS_MS);
    await until('a write', async () => (await watch.probe()).is === 'working');
  });

  it('to BullMQ alone is known by its words', async () => {
    expect(await watch.probe()).toEqual({ is: 'working' });
    errors.report(await control.call('NOT-A-COMMAND').catch((error: unknown) => error));
    expect(await watch.probe()).toEqual({ is: 'refused', words: expect.stringContaining('unknown command') });
  });

  it('because it is frozen is not ready, and starts sweeps', async () => {
    let sweeps = 0;
    watch.start(() => (sweeps += 1));
    process.kill(services.redis.pid ?? 0, 'SIGSTOP');
    try {
      await until('a sweep', () => sweeps >= 2);
      expect(await readiness()).toMatchObject({ isReady: false, warnings: [] });
    } finally {
      process.kill(services.redis.pid ?? 0, 'SIGCONT');
    }
    await until('readiness', async () => (await readiness()).isReady);
  });
});

/** Changes what the user of all connections may do. */
function aclOf(...rules: string[]): string[] {
  return ['ACL', 'SETUSER', 'default', ...rules];
}

async function call(redis: Redis, [command = '', ...args]: string[]): Promise<void> {
  await redis.call(command, ...args);
}
