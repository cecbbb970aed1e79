import { queryOptions } from '@tanstack/react-query';
import { change } from './change.js';
import { api } from './client.js';
import { keys } from './keys.js';
import type { Bodies, PartnerRelay, RelayState } from './shapes.js';

/** A job at the provider makes no event before it has ended, so a change is looked at again. */
const LOOK_AGAIN_MS = 5_000;

/** The account at the relay provider, as it was last read. */
export const relayQuery = queryOptions({
  queryKey: keys.relay,
  queryFn: async () => (await api.GET('/relay')).data as RelayState,
});

/** Takes an address off the list of the account. A job does it at the provider. */
export const liftAccountSuppression = change({
  run: async (address: string) => {
    await api.DELETE('/relay/suppressions/{address}', { params: { path: { address } } });
  },
  touches: [],
});

/** Whether the provider sends mail of a partner. Read again until it is as it was asked for. */
export function partnerRelayQuery(ref: string) {
  return queryOptions({
    queryKey: keys.partnerRelay(ref),
    queryFn: async () => (await api.GET('/partners/{partner_ref}/relay', at(ref))).data as PartnerRelay,
    refetchInterval: ({ state: { data } }) =>
      data === undefined || data.wanted === null || data.wanted === data.relay_status ? false : LOOK_AGAIN_MS,
  });
}

export const setPartnerRelay = (ref: string) =>
  change({
    run: async (status: Bodies['PartnerRelayBody']['status']) => {
      await api.PUT('/partners/{partner_ref}/relay', { ...at(ref), body: { status } });
    },
    touches: [keys.partnerRelay(ref)],
  });

function at(ref: string) {
  return { params: { path: { partner_ref: ref } } };
}
