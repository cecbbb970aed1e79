import { queryOptions } from '@tanstack/react-query';
import { change } from './change.js';
import { api } from './client.js';
import { keys } from './keys.js';
import type { Bodies, Tier } from './shapes.js';

export const plansQuery = queryOptions({
  queryKey: keys.plans,
  queryFn: async () => (await api.GET('/plans')).data ?? [],
});

export const tiersQuery = queryOptions({
  queryKey: keys.tiers,
  queryFn: async () => (await api.GET('/outbound/tiers')).data ?? [],
});

export const changeTier = (tier: Tier['tier']) =>
  change({
    run: async (body: Bodies['TierBody']) => {
      await api.PUT('/outbound/tiers/{tier}', { params: { path: { tier } }, body });
    },
    touches: [keys.tiers, keys.everyDomain],
  });
