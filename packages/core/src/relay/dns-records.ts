import type { DomainName } from '../domains/domain-name.js';
import { challengeName, challengeValue } from './ownership-challenge.js';

/** One record that the holder of a domain publishes. */
export interface DnsRecord {
  purpose: 'verification' | 'dkim';
  type: 'TXT' | 'CNAME';
  name: string;
  value: string;
}

/** The records that verify a domain: our ownership challenge, and the provider's DKIM keys once it has made them. */
export function dnsRecords(
  domain: DomainName,
  { ownershipToken, dkimTokens, dkimZone }: { ownershipToken: string; dkimTokens: string[]; dkimZone: string },
): DnsRecord[] {
  const challenge: DnsRecord = {
    purpose: 'verification',
    type: 'TXT',
    name: challengeName(domain),
    value: challengeValue(ownershipToken),
  };
  const keys = dkimTokens.map((token): DnsRecord => {
    return { purpose: 'dkim', type: 'CNAME', name: `${token}._domainkey.${domain}`, value: `${token}.${dkimZone}` };
  });
  return [challenge, ...keys];
}
