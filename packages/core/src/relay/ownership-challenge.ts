import type { DomainName } from '../domains/domain-name.js';

/** Where a domain's holder proves ownership (draft-ietf-dnsop-domain-verification-techniques). */
export function challengeName(domain: DomainName): string {
  return `_mailstead-challenge.${domain}`;
}

/** The TXT value that proves it. */
export function challengeValue(ownershipToken: string): string {
  return `token=${ownershipToken}`;
}
