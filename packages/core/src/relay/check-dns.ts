import type { DomainName } from '../domains/domain-name.js';
import { checkAdvice } from './check-advice.js';
import { checkChallenge } from './check-challenge.js';
import { checkMx } from './check-mx.js';
import { checkRelayRecords } from './check-relay-records.js';
import { checkSpf } from './check-spf.js';
import type { DnsCheck } from './dns-check.js';
import type { DnsRecord } from './dns-records.js';
import type { DnsResolver } from './dns-resolver.js';

export interface DnsExpectations {
  /** The platform's mail hosts (`MX_HOSTS`); empty when none are set. */
  mxHosts: string[];
  /** The host that SPF records of domains should include (`SPF_INCLUDE`); null when not set. */
  spfInclude: string | null;
}

export interface CheckedDomain {
  name: DomainName;
  ownershipToken: string;
  /** The DNS records of the relay provider; empty until the provider has created them. */
  records: DnsRecord[];
  /** Whether the domain needs the ownership record to become verified. */
  ownershipRequired: boolean;
  /** Why the provider has created no records, a sentence; null when there was no error. */
  relayFailure: string | null;
}

/** Compares the DNS records that a domain publishes with those that it should publish. All are looked up concurrently. */
export class CheckDns {
  private readonly mxHosts: string[];
  private readonly spfInclude: string | null;

  constructor(
    private readonly dns: DnsResolver,
    { mxHosts, spfInclude }: DnsExpectations,
  ) {
    this.mxHosts = mxHosts.map(hostOf);
    this.spfInclude = spfInclude === null ? null : hostOf(spfInclude);
  }

  /**
   * @returns the checks in the order MX, SPF, verification, records of the relay, advice. A DNS failure does not throw: it
   * gives a check with the status `error`.
   */
  async execute(domain: CheckedDomain): Promise<DnsCheck[]> {
    const { name, ownershipToken, ownershipRequired, records, relayFailure } = domain;
    const checks = await Promise.all([
      checkMx(this.dns, name, this.mxHosts),
      checkSpf(this.dns, name, this.spfInclude),
      checkChallenge(this.dns, name, ownershipToken, ownershipRequired),
      checkRelayRecords(this.dns, name, records, relayFailure),
      checkAdvice(this.dns, name),
    ]);
    return checks.flat();
  }
}

/** Whether all required records are correct. */
export function isDnsOk(checks: DnsCheck[]): boolean {
  return checks.every(({ required, status }) => !required || status === 'ok');
}

function hostOf(value: string): string {
  return value.trim().toLowerCase().replace(/\.$/, '');
}
