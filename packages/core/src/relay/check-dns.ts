import type { DomainName } from '../domains/domain-name.js';
import type { ShownParent } from '../domains/resolve-domain.js';
import { needs } from '../needs.js';
import { checkAdvice } from './check-advice.js';
import { checkChallenge } from './check-challenge.js';
import { checkMx } from './check-mx.js';
import { checkOwnName } from './check-own-name.js';
import { checkRelayRecords } from './check-relay-records.js';
import { checkSpf, spfRecord } from './check-spf.js';
import { conclude, type DnsCheck } from './dns-check.js';
import { DnsExpectations, expectedHosts } from './dns-expectations.js';
import { type DnsFinding, finding } from './dns-findings.js';
import type { DnsRecord } from './dns-records.js';
import { DnsResolver } from './dns-resolver.js';
import { type DnsZone, findZone } from './find-zone.js';
import { challengeName } from './ownership-challenge.js';
import { type RecordToPublish, recordsOf, recordsToPublish } from './records-to-publish.js';

export interface CheckedDomain {
  name: DomainName;
  ownershipToken: string;
  /** The DNS records of the relay provider; empty until the provider has created them. */
  records: DnsRecord[];
  /** Whether the domain needs the ownership record to become verified. */
  ownershipRequired: boolean;
  /** Why the provider has created no records, a sentence; null when there was no error. */
  relayFailure: string | null;
  /** Whether the provider has reported that it found its records. */
  isDkimConfirmed: boolean;
  /** The parent whose verification counts for the domain; null when the domain needs its own. */
  verifiedBy: ShownParent | null;
  /** Whether the domain must prove its ownership to be opened, also when its parent is verified. */
  isProofMissing: boolean;
  /** The hosts that stand in front of ours, as the holder of the domain said. */
  frontHosts: readonly string[];
}

export interface DnsReport {
  zone: DnsZone;
  /** In the order MX, SPF, verification, records of the relay, advice. */
  checks: ReportedCheck[];
  /** The checks of MX and SPF as the daily looks make them, which do not say of a CNAME that it is one. */
  looked: DnsCheck[];
}

export interface ReportedCheck extends DnsCheck {
  records: RecordToPublish[];
  /** Whether `records` are examples, which nobody should publish. */
  isExample: boolean;
}

/**
 * Compares the DNS records that a domain publishes with those that it should publish. All are looked up concurrently.
 */
@needs(DnsResolver, DnsExpectations)
export class CheckDns {
  private readonly mxHosts: string[];
  private readonly spfInclude: string | null;
  private readonly examples: Partial<Record<DnsCheck['record'], string[]>>;

  constructor(
    private readonly dns: DnsResolver,
    { mxHosts, spfInclude, examples }: DnsExpectations,
  ) {
    this.examples = examples === null ? {} : { mx: examples.mxHosts, spf: [spfRecord(examples.spfInclude)] };
    const hosts = expectedHosts({ mxHosts, spfInclude });
    this.mxHosts = hosts.mxHosts;
    this.spfInclude = hosts.spfInclude;
  }

  /** A DNS failure does not throw: it gives a check with the status `error`. */
  async execute(domain: CheckedDomain): Promise<DnsReport> {
    const { name } = domain;
    const alias = this.dns.cname(name);
    const [ownName, zone, mx, spf, ...checks] = await Promise.all([
      alias,
      findZone(this.dns, name, alias),
      checkMx(this.dns, name, this.mxHosts, domain.frontHosts),
      checkSpf(this.dns, name, this.spfInclude),
      this.checkOwnership(domain),
      this.checkRelay(domain),
      checkAdvice(this.dns, name),
    ]);
    const looked = [mx, spf];
    const all = [...looked.map((check) => checkOwnName(check, ownName)), ...checks.flat()];
    return { zone, checks: all.map((check) => this.withRecords(check, zone.name)), looked };
  }

  private withRecords(check: DnsCheck, zone: string): ReportedCheck {
    const examples = this.examples[check.record];
    return examples === undefined
      ? { ...check, records: recordsToPublish(check, zone), isExample: false }
      : { ...check, records: recordsOf(check, zone, examples), isExample: true };
  }

  private async checkOwnership(domain: CheckedDomain): Promise<DnsCheck> {
    const { name, ownershipToken, ownershipRequired, verifiedBy, isProofMissing } = domain;
    if (verifiedBy === null || isProofMissing) return checkChallenge(this.dns, name, ownershipToken, ownershipRequired);
    const question = { record: 'verification', type: 'TXT', name: challengeName(name) } as const;
    return conclude({ ...question, expected: [], required: false }, 'ok', inherited(verifiedBy));
  }

  private async checkRelay(domain: CheckedDomain): Promise<DnsCheck[]> {
    const { name, records, relayFailure: failure, isDkimConfirmed: isConfirmed, verifiedBy } = domain;
    if (verifiedBy === null) return checkRelayRecords(this.dns, name, { records, failure, isConfirmed });
    const question = { record: 'dkim', type: 'CNAME', name: `_domainkey.${name}` } as const;
    return [conclude({ ...question, expected: [], required: false }, 'ok', inherited(verifiedBy))];
  }
}

/** Whether all required records are correct. */
export function isDnsOk(checks: readonly DnsCheck[]): boolean {
  return checks.every(({ required, status }) => !required || status === 'ok');
}

function inherited({ name }: ShownParent): DnsFinding {
  return name === null ? finding('verification_inherited_hidden') : finding('verification_inherited', { parent: name });
}
