import type { DomainName } from '../domains/domain-name.js';
import type { WantedOfIdentity } from '../relay/verification.js';
import type { LedgerSnapshot } from './outbound-ledger.js';

/** What the mail server names to the relay provider in the header of a message. */
export interface RelayFields {
  /** The configuration set; null when the provider uses the right one for the identity anyway, or does not know it. */
  configurationSet: string | null;
  /** The tenant of the domain's partner; null until the identity is confirmed in it. */
  tenant: string | null;
}

const NONE: RelayFields = { configurationSet: null, tenant: null };

/**
 * Returns the relay fields of a domain's mail; null for a provider without sets. A provider refuses mail that names a
 * set which it does not have, or a tenant in which the set or the identity is not. Therefore a set is named only after
 * a check has found it, and a tenant only when both are confirmed in it.
 */
export function relayFieldsOf(
  name: DomainName,
  { domains, byId, foundSet }: LedgerSnapshot,
  { configurationSet: wantedSet, inTenant }: WantedOfIdentity,
): RelayFields | null {
  if (wantedSet === null) return null;
  const domain = domains.get(name);
  if (domain === undefined || foundSet !== wantedSet) return NONE;
  const parent = domain.parentId === null ? undefined : byId.get(domain.parentId);
  const isVerifiedByParent = domain.verificationStatus !== 'verified' && parent?.verificationStatus === 'verified';
  const identity = isVerifiedByParent ? parent : domain;
  const configurationSet = identity.configurationSet === wantedSet ? null : wantedSet;
  const { partnerId, tenant } = domain;
  const isInTenant = inTenant && identity.tenantOf === partnerId && tenant?.configurationSet === wantedSet;
  return { configurationSet, tenant: isInTenant ? tenant.name : null };
}
