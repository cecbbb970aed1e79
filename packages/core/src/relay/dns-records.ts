import type { DomainName } from '../domains/domain-name.js';
import { challengeName, challengeValue } from './ownership-challenge.js';

/** A DNS record that the holder of a domain publishes. */
export interface DnsRecord {
  purpose: 'verification' | 'dkim';
  type: 'TXT' | 'CNAME';
  /** The full name with the domain, lower case, without a trailing dot. */
  name: string;
  /** The text of a TXT record; the target of a CNAME, lower case, without a trailing dot. */
  value: string;
}

/**
 * All records that verify a domain: our ownership challenge, then the records of the relay provider, when it has
 * created them.
 */
export function dnsRecords(
  domain: DomainName,
  { ownershipToken, records }: { ownershipToken: string; records: DnsRecord[] },
): DnsRecord[] {
  const challenge: DnsRecord = {
    purpose: 'verification',
    type: 'TXT',
    name: challengeName(domain),
    value: challengeValue(ownershipToken),
  };
  return [challenge, ...records];
}
