import type { DomainName } from '../domains/domain-name.js';
import type { LedgerSnapshot } from './outbound-ledger.js';

/** What the mail server names to the relay provider in the header of a message. */
export interface RelayFields {
  /** The configuration set; null when the provider uses the right one for the identity anyway, or does not know it. */
  configurationSet: string | null;
}

const NONE: RelayFields = { configurationSet: null };

/**
 * Returns the relay fields of a domain's mail; null for a provider without sets. A provider refuses mail that names a
 * set which it does not have. Therefore a set is named only after a check has found it.
 *
 * @param wantedSet `RelayProvider.configurationSet`
 */
export function relayFieldsOf(
  name: DomainName,
  { domains, byId, foundSet }: LedgerSnapshot,
  wantedSet: string | null,
): RelayFields | null {
  if (wantedSet === null) return null;
  const domain = domains.get(name);
  if (domain === undefined || foundSet !== wantedSet) return NONE;
  const parent = domain.parentId === null ? undefined : byId.get(domain.parentId);
  const isVerifiedByParent = domain.verificationStatus !== 'verified' && parent?.verificationStatus === 'verified';
  const identity = isVerifiedByParent ? parent : domain;
  return identity.configurationSet === wantedSet ? NONE : { configurationSet: wantedSet };
}
