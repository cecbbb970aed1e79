import type { LedgerDomain } from './outbound-ledger.js';

export const INCOMING_ACTIONS = ['accept', 'defer', 'none'] as const;
export const INCOMING_REASONS = ['inbound_pending', 'domain_suspended', 'transfer_limit'] as const;

/** What the mail servers do with mail to the domain. */
export interface Incoming {
  /** `defer`: the sender's server tries again later; `none`: the mail servers do not know the domain. */
  action: (typeof INCOMING_ACTIONS)[number];
  reason: (typeof INCOMING_REASONS)[number] | null;
}

/**
 * As `mta_domain` and the views of the mail servers have it: of a partner's stages only `all` stops incoming mail, and
 * a parent's suspension only for abuse.
 *
 * @param isCapped the transfer cap is reached, and it counts for incoming mail too
 */
export function incomingOf(own: LedgerDomain, parent: LedgerDomain | null, isCapped: boolean): Incoming {
  if (own.inbound !== 'open') return { action: 'none', reason: 'inbound_pending' };
  const isSuspended =
    own.suspensionCauses.length > 0 ||
    own.partnerStage === 'all' ||
    parent?.suspensionCauses.includes('abuse') === true;
  if (isSuspended) return { action: 'defer', reason: 'domain_suspended' };
  return isCapped ? { action: 'defer', reason: 'transfer_limit' } : { action: 'accept', reason: null };
}
