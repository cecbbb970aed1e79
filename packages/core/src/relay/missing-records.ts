import { zonelessTime } from '../clock.js';
import type { DomainName } from '../domains/domain-name.js';
import { checkRelayRecords } from './check-relay-records.js';
import type { DnsRecord } from './dns-records.js';
import type { DnsResolver } from './dns-resolver.js';

/** The most characters of a stored reason. */
const MAX_REASON = 500;

/** @returns the names of the records that are not published as expected now, also those that could not be looked up */
export async function missingRecords(dns: DnsResolver, domain: DomainName, records: DnsRecord[]): Promise<string[]> {
  const checks = await checkRelayRecords(dns, domain, { records, failure: null, isConfirmed: true });
  return checks.filter(({ status }) => status !== 'ok').map(({ name }) => name);
}

/** What the holder of a domain must do so that it stays verified, a sentence. */
export function riskReason(missing: readonly string[], since: Date): string {
  const text =
    missing.length > 0
      ? `The relay provider misses DNS records of the domain since ${zonelessTime(since)}, and will stop its mail when they stay missing: ${missing.join(', ')}`
      : `The relay provider misses DNS records of the domain since ${zonelessTime(since)}; they are published now, and it will find them at its next check`;
  return text.length <= MAX_REASON ? text : `${text.slice(0, MAX_REASON - 1)}…`;
}
