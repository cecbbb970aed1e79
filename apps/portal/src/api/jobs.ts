import { queryOptions } from '@tanstack/react-query';
import { api } from './client.js';

const LOOK_AGAIN_MS = 5_000;

/** Schedules and jobs. A run makes no event, so the service is asked again and again. */
export const jobsQuery = queryOptions({
  queryKey: ['jobs'],
  queryFn: async () => (await api.GET('/jobs')).data ?? [],
  refetchInterval: LOOK_AGAIN_MS,
});

/** What the service warns of. */
export const warningsQuery = queryOptions({
  queryKey: ['health', 'warnings'],
  queryFn: async () => (await api.GET('/health/ready')).data?.warnings ?? [],
});

export async function runNow(name: string): Promise<void> {
  await api.POST('/jobs/{name}/run', { params: { path: { name } }, body: {} });
}

/** Lets the purge apply the lowered retentions that it holds now. */
export async function releaseBrake(): Promise<void> {
  await api.POST('/jobs/{name}/run', { params: { path: { name: 'retention.purge' } }, body: { release_brake: true } });
}
