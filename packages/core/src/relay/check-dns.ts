import type { DomainName } from '../domains/domain-name.js';
import { checkAdvice } from './check-advice.js';
import { checkChallenge } from './check-challenge.js';
import { checkDkim } from './check-dkim.js';
import { checkMx } from './check-mx.js';
import { checkSpf } from './check-spf.js';
import type { DnsCheck } from './dns-check.js';
import type { DnsResolver } from './dns-resolver.js';

export interface DnsExpectations {
  /** The platform's mail hosts (`MX_HOSTS`); empty when it has not said them. */
  mxHosts: string[];
  /** What customers' SPF records should include (`SPF_INCLUDE`); null when the platform has not said it. */
  spfInclude: string | null;
}

export interface CheckedDomain {
  name: DomainName;
  ownershipToken: string;
  /** Empty until the relay provider has made the keys. */
  dkimTokens: string[];
  dkimZone: string;
  /** Whether `verified` needs the ownership record too. */
  ownershipRequired: boolean;
  /** Why the provider has made no keys, a sentence; null when nothing went wrong. */
  relayFailure: string | null;
}

/** Compares what a domain publishes in the DNS with what it should. All records are looked up at once. */
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

  /** @returns the checks in the order MX, SPF, verification, DKIM, advice. Never throws for what the DNS does. */
  async execute(domain: CheckedDomain): Promise<DnsCheck[]> {
    const { name, ownershipToken, ownershipRequired, dkimTokens, dkimZone, relayFailure } = domain;
    const checks = await Promise.all([
      checkMx(this.dns, name, this.mxHosts),
      checkSpf(this.dns, name, this.spfInclude),
      checkChallenge(this.dns, name, ownershipToken, ownershipRequired),
      checkDkim(this.dns, name, { tokens: dkimTokens, zone: dkimZone, failure: relayFailure }),
      checkAdvice(this.dns, name),
    ]);
    return checks.flat();
  }
}

/** Whether every required record is as it should be. */
export function isDnsOk(checks: DnsCheck[]): boolean {
  return checks.every(({ required, status }) => !required || status === 'ok');
}

function hostOf(value: string): string {
  return value.trim().toLowerCase().replace(/\.$/, '');
}
