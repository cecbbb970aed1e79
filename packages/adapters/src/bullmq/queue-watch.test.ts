import { setImmediate } from 'node:timers/promises';
import { scaleDeadlines } from '@mailstead/core/deadlines';
import { readinessOf } from '@mailstead/core/health-check';
import { until } from '@mailstead/core/testing/until';
import type { Redis } from 'ioredis';
import { type RunningRedis, type Stoppable, startServices } from '../../../../scripts/services.mjs';
import { QueueCheck, QueueWriteCheck } from './queue-check.js';
import { QueueWatch } from './queue-watch.js';
import { failingFast } from './redis.js';

describe('a Redis that cannot be written to', () => {
  let services: RunningRedis & Stoppable;
  let control: Redis;
  let producer: Redis;
  let watch: QueueWatch;

  beforeAll(async () => {
    scaleDeadlines(1);
    services = await startServices({ redis: true });
    control = failingFast(services.redisUrl);
    await until('the control connection', () => control.status === 'ready');
  });
  afterAll(async () => {
    control.disconnect();
    await services.stop();
  });
  beforeEach(async () => {
    producer = failingFast(services.redisUrl);
    watch = new QueueWatch(producer);
    await until('a probe', async () => (await watch.probe()) === 'writable');
  });
  afterEach(() => {
    watch.stop();
    producer.disconnect();
  });

  const readiness = () => readinessOf([new QueueCheck(watch), new QueueWriteCheck(watch)]);

  it.each([
    ['was demoted under open connections', ['REPLICAOF', '127.0.0.1', '1'], ['REPLICAOF', 'NO', 'ONE']],
    ['is full', ['CONFIG', 'SET', 'maxmemory', '1'], ['CONFIG', 'SET', 'maxmemory', '0']],
  ])('because it %s warns, stays ready and starts sweeps that nobody asked for', async (_, begin, end) => {
    let sweeps = 0;
    watch.start(() => (sweeps += 1));
    await call(control, begin);
    try {
      await until('two sweeps', () => sweeps >= 2);
      await until('the warning, and readiness', async () => {
        const { isReady, warnings } = await readiness();
        return isReady && warnings.some(({ name }) => name === 'queue');
      });
    } finally {
      await call(control, end);
    }
    await until('readiness without a warning', async () => {
      const { isReady, warnings } = await readiness();
      return isReady && warnings.length === 0;
    });
  });

  it('because it was demoted is never silent while its connections are opened again', async () => {
    await call(control, ['REPLICAOF', '127.0.0.1', '1']);
    try {
      for (let round = 0; round < 10; round += 1) await seesNoSilence();
    } finally {
      await call(control, ['REPLICAOF', 'NO', 'ONE']);
    }
  });

  async function seesNoSilence(): Promise<void> {
    const redis = failingFast(services.redisUrl);
    try {
      await until('a connection', () => redis.status === 'ready');
      let closed = 0;
      redis.on('close', () => (closed += 1));
      const fresh = new QueueWatch(redis);
      const states = new Set<string>();
      await until('a new connection', async () => {
        // Without waits, so that some begin while the connection closes.
        for (let probe = 0; probe < 50; probe += 1) {
          states.add(await fresh.probe());
          await setImmediate();
        }
        return closed > 0 && redis.status === 'ready';
      });
      expect([...states]).toEqual(['refusing']);
    } finally {
      redis.disconnect();
    }
  }

  it('because it was demoted gets new connections, which may lead to the new primary', async () => {
    let closed = 0;
    producer.on('close', () => (closed += 1));
    await call(control, ['REPLICAOF', '127.0.0.1', '1']);
    try {
      await until('a new connection', async () => (await watch.probe()) === 'refusing' && closed > 0);
    } finally {
      await call(control, ['REPLICAOF', 'NO', 'ONE']);
    }
    await until('a write', async () => (await watch.probe()) === 'writable');
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

async function call(redis: Redis, [command = '', ...args]: string[]): Promise<void> {
  await redis.call(command, ...args);
}
