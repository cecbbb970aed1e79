import { until } from '@mailstead/core/testing/until';
import { Redis } from 'ioredis';
import { type RunningRedis, type Stoppable, startServices } from '../../../../../scripts/services.mjs';

/** `control` is a connection of the test. */
export type ClusterModeRedis = RunningRedis & Stoppable & { control: Redis };

/** Starts a Redis in cluster mode with one shard, which has all slots. */
export async function startClusterModeRedis(): Promise<ClusterModeRedis> {
  const services = await startServices({ redis: true, redisOptions: ['--cluster-enabled', 'yes'] });
  const control = new Redis(services.redisUrl);
  const stop = async () => {
    control.disconnect();
    await services.stop();
  };
  try {
    await control.cluster('ADDSLOTSRANGE', 0, 16_383);
    await until('the cluster', async () => /cluster_state:ok/.test(await control.cluster('INFO')));
    return { ...services, control, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
