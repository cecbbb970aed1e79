import type { DomainName } from '../domains/domain-name.js';
import type { ShownParent } from '../domains/resolve-domain.js';
import { checkAdvice } from './check-advice.js';
import { checkChallenge } from './check-challenge.js';
import { checkMx } from './check-mx.js';
import { checkRelayRecords } from './check-relay-records.js';
import { checkSpf } from './check-spf.js';
import { conclude, type DnsCheck } from './dns-check.js';
import type { DnsRecord } from './dns-records.js';
import type { DnsResolver } from './dns-resolver.js';
import { challengeName } from './ownership-challenge.js';

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
  /** The parent whose verification counts for the domain; null when the domain needs its own. */
  verifiedBy: ShownParent | null;
  /** Whether the domain must prove its ownership to be opened, also when its parent is verified. */
  isProofMissing: boolean;
}

/**
 * Compares the DNS records that a domain publishes with those that it should publish. All are looked up concurrently.
 */
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
   * @returns the checks in the order MX, SPF, verification, records of the relay, advice. A DNS failure does not throw:
   * it gives a check with the status `error`.
   */
  async execute(domain: CheckedDomain): Promise<DnsCheck[]> {
    const { name } = domain;
    const checks = await Promise.all([
      checkMx(this.dns, name, this.mxHosts),
      checkSpf(this.dns, name, this.spfInclude),
      this.checkOwnership(domain),
      this.checkRelay(domain),
      checkAdvice(this.dns, name),
    ]);
    return checks.flat();
  }

  private async checkOwnership(domain: CheckedDomain): Promise<DnsCheck> {
    const { name, ownershipToken, ownershipRequired, verifiedBy, isProofMissing } = domain;
    if (verifiedBy === null || isProofMissing) return checkChallenge(this.dns, name, ownershipToken, ownershipRequired);
    const question = { record: 'verification', type: 'TXT', name: challengeName(name) } as const;
    return conclude({ ...question, expected: [], required: false }, 'ok', inheritedDetail(verifiedBy));
  }

  private async checkRelay({ name, records, relayFailure, verifiedBy }: CheckedDomain): Promise<DnsCheck[]> {
    if (verifiedBy === null) return checkRelayRecords(this.dns, name, records, relayFailure);
    const question = { record: 'dkim', type: 'CNAME', name: `_domainkey.${name}` } as const;
    return [conclude({ ...question, expected: [], required: false }, 'ok', inheritedDetail(verifiedBy))];
  }
}

/** Whether all required records are correct. */
export function isDnsOk(checks: DnsCheck[]): boolean {
  return checks.every(({ required, status }) => !required || status === 'ok');
}

function inheritedDetail({ name }: ShownParent): string {
  return `The verification of ${name ?? 'its parent domain'} counts for this domain. It needs no record of its own.`;
}

function hostOf(value: string): string {
  return value.trim().toLowerCase().replace(/\.$/, '');
}
