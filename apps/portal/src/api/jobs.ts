import { queryOptions } from '@tanstack/react-query';
import { change } from './change.js';
import { api } from './client.js';
import { keys } from './keys.js';
import type { Bodies } from './shapes.js';

const LOOK_AGAIN_MS = 5_000;
const LOOK_AT_HEALTH_MS = 30_000;

/** Schedules and jobs. A run makes no event, so the service is asked again and again. */
export const jobsQuery = queryOptions({
  queryKey: keys.jobs,
  queryFn: async () => (await api.GET('/jobs')).data ?? [],
  refetchInterval: LOOK_AGAIN_MS,
});

/** What the service warns of. */
export const warningsQuery = queryOptions({
  queryKey: keys.health,
  queryFn: async () => (await api.GET('/health/ready')).data?.warnings ?? [],
  refetchInterval: LOOK_AT_HEALTH_MS,
});

export const runNow = (name: string) => change({ run: () => runJob(name, {}), touches: [keys.jobs] });

/** Lets the purge apply the lowered retentions that it holds now. */
export const releaseBrake = change({
  run: () => runJob('retention.purge', { release_brake: true }),
  touches: [keys.jobs, keys.health],
});

/** Lets what domains lack in the DNS, which is held now, be told. */
export const releaseLooks = change({
  run: () => runJob('dns.look', { release_brake: true }),
  touches: [keys.jobs, keys.health],
});

async function runJob(name: string, body: Bodies['RunJobBody']): Promise<void> {
  await api.POST('/jobs/{name}/run', { params: { path: { name } }, body });
}
