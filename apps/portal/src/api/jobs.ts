import { queryOptions } from '@tanstack/react-query';
import { api } from './client.js';
import { keys } from './keys.js';

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
