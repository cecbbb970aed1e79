import { queryOptions } from '@tanstack/react-query';
import { api } from './client.js';

export const plansQuery = queryOptions({
  queryKey: ['plans'],
  queryFn: async () => (await api.GET('/plans')).data ?? [],
});

export const tiersQuery = queryOptions({
  queryKey: ['tiers'],
  queryFn: async () => (await api.GET('/outbound/tiers')).data ?? [],
});
