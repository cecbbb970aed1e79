import { isFull } from './limit.js';
import type { PartnerStage } from './partner.js';

/**
 * What an operator has to know of a partner itself, the worst first; of its domains their own states tell.
 * `suspended`, `changes_stopped`: an operator suspended it, with this stage. `relay_paused`: the relay provider paused
 * its mail. `at_limit`, `near_limit`: no key can create another domain, or 80 % of what the widest allows are used.
 */
export const PARTNER_STATES = [
  'suspended',
  'changes_stopped',
  'relay_paused',
  'at_limit',
  'near_limit',
  'active',
] as const;
export type PartnerState = (typeof PARTNER_STATES)[number];

/** Of `domainsAllowed`. */
const NEAR = 0.8;

export interface PartnerFacts {
  stage: PartnerStage | null;
  isRelayPaused: boolean;
  domainCount: number;
  /** The most domains that a key of the partner allows; 0: unlimited, or it has no key that can create one. */
  domainsAllowed: number;
}

/** Each partner is in one state: the first that holds. */
export function partnerState({ stage, isRelayPaused, domainCount, domainsAllowed }: PartnerFacts): PartnerState {
  if (stage !== null) return stage === 'all' ? 'suspended' : 'changes_stopped';
  if (isRelayPaused) return 'relay_paused';
  if (isFull(domainsAllowed, domainCount)) return 'at_limit';
  return isFull(domainsAllowed * NEAR, domainCount) ? 'near_limit' : 'active';
}
