import type { DomainName } from '../domains/domain-name.js';

/** The name of the TXT record that proves ownership of a domain (draft-ietf-dnsop-domain-verification-techniques). */
export function challengeName(domain: DomainName): string {
  return `_mailstead-challenge.${domain}`;
}

/** The value of that TXT record. */
export function challengeValue(ownershipToken: string): string {
  return `token=${ownershipToken}`;
}
