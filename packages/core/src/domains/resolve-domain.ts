import { enforcementOf, type OutboundEnforcement, type OutboundTier, tierOf } from '../outbound/outbound-settings.js';
import { isEffectivelyVerified, type VerificationStatus } from '../relay/verification.js';
import type { DomainName } from './domain-name.js';
import type { DomainWithParent, LinkedParent } from './domain-repository.js';

/** A parent as its domain's record may show it. */
export interface ShownParent {
  /** Null when the caller does not see the parent. */
  name: DomainName | null;
}

/**
 * The settings that apply to a domain, with those of its parent. Computed at every read, so a change of the parent
 * applies at once.
 */
export interface ResolvedDomain {
  outboundTier: OutboundTier;
  outboundEnforcement: OutboundEnforcement;
  verified: boolean;
  verificationStatus: VerificationStatus;
  /** The parent whose verification counts for the domain, when the domain's own does not; otherwise null. */
  verifiedBy: ShownParent | null;
  /** The parent that provides the tier or the enforcement; null when none does. */
  inheritsFrom: ShownParent | null;
}

export function resolveDomain({ domain, verification, parent }: DomainWithParent, now: Date): ResolvedDomain {
  const verified = isEffectivelyVerified(verification, parent?.verification ?? null, domain.inheritedUntil, now);
  const byParent = verification.status !== 'verified' && parent?.verification.status === 'verified';
  const inherits = parent !== null && (domain.outboundTier === null || domain.outboundEnforcement === null);
  return {
    outboundTier: tierOf(domain, parent?.domain),
    outboundEnforcement: enforcementOf(domain, parent?.domain),
    verified,
    verificationStatus: verified ? 'verified' : verification.status,
    verifiedBy: byParent ? shownParent(parent) : null,
    inheritsFrom: inherits ? shownParent(parent) : null,
  };
}

export function shownParent({ domain, isVisible }: LinkedParent): ShownParent {
  return { name: isVisible ? domain.name : null };
}
