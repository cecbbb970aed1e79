import { hash } from 'node:crypto';
import { type Clock, SECOND_MS } from '@mailstead/core/clock';
import type { DomainName } from '@mailstead/core/domains/domain-name';
import type { DnsRecord } from '@mailstead/core/relay/dns-records';
import {
  type AlignedIdentity,
  type EnsureOutcome,
  type ListedIdentity,
  type RelayDomain,
  type RelayIdentity,
  RelayProvider,
  type RelayReport,
} from '@mailstead/core/relay/relay-provider';

/** `.invalid` never resolves (RFC 2606), so the sandbox's keys cannot be mistaken for real ones. */
const DKIM_ZONE = 'dkim.sandbox.invalid';

export interface SandboxRelayOptions {
  /** Seconds from the start of a verification to its success. */
  verifyAfterSeconds: number;
}

/**
 * A relay provider without a remote service, for evaluation and tests. It keeps no state: it computes the keys from the
 * domain name, and the status from the start time of the verification. So all processes return the same values.
 */
export class SandboxRelayProvider extends RelayProvider {
  override readonly lists = false;
  override readonly minCheckIntervalMs = 0;
  override readonly configurationSet = null;
  override readonly alignIntervalMs = 0;
  override readonly tenants = null;

  constructor(
    private readonly options: SandboxRelayOptions,
    protected readonly clock: Clock,
  ) {
    super();
  }

  override async ensureIdentity(domain: RelayDomain): Promise<EnsureOutcome> {
    return { outcome: 'ours', identity: this.identityOf(domain) };
  }

  /** Never returns null: every domain has an identity in the sandbox. */
  override async readIdentity(domain: RelayDomain): Promise<RelayIdentity> {
    return this.identityOf(domain);
  }

  override async alignIdentity(domain: RelayDomain): Promise<AlignedIdentity> {
    return { identity: this.identityOf(domain), calls: 0 };
  }

  override async readAccount(): Promise<RelayReport> {
    return { account: null, configurationSet: null };
  }

  override async listIdentities(): Promise<{ listed: ListedIdentity[]; nextToken: string | null }> {
    return { listed: [], nextToken: null };
  }

  override async deleteIdentity(): Promise<void> {}

  override async liftSuppression(): Promise<void> {}

  protected identityOf({ name, startedAt }: RelayDomain): RelayIdentity {
    const dueAfterMs = this.options.verifyAfterSeconds * SECOND_MS;
    const verified = startedAt !== null && this.clock.now().getTime() >= startedAt.getTime() + dueAfterMs;
    return {
      status: verified ? 'verified' : 'pending',
      providerStatus: verified ? 'success' : 'pending',
      reason: verified ? null : `The sandbox verifies ${this.options.verifyAfterSeconds} seconds after the start`,
      records: [1, 2, 3].map((index) => dkimRecord(name, index)),
      configurationSet: null,
      atRisk: null,
    };
  }
}

function dkimRecord(name: DomainName, index: number): DnsRecord {
  const key = hash('sha256', `${index}.${name}`).slice(0, 32);
  return { purpose: 'dkim', type: 'CNAME', name: `${key}._domainkey.${name}`, value: dkimTarget(key) };
}

/** Where the CNAME record of a key leads. */
export function dkimTarget(key: string): string {
  return `${key}.${DKIM_ZONE}`;
}
