import { until } from '@mailstead/core/testing/until';
import { Redis } from 'ioredis';
import { type RunningRedis, type Stoppable, startServices } from '../../../../../scripts/services.mjs';

/** Starts a Redis in cluster mode with one shard, which has all slots. */
export async function startClusterModeRedis(): Promise<RunningRedis & Stoppable> {
  const services = await startServices({ redis: true, redisOptions: ['--cluster-enabled', 'yes'] });
  const control = new Redis(services.redisUrl);
  try {
    await control.cluster('ADDSLOTSRANGE', 0, 16_383);
    await until('the cluster', async () => /cluster_state:ok/.test(await control.cluster('INFO')));
    return services;
  } catch (error) {
    await services.stop();
    throw error;
  } finally {
    control.disconnect();
  }
}
