import { hash } from 'node:crypto';
import { type Clock, SECOND_MS } from '@mailstead/core/clock';
import {
  type EnsureOutcome,
  type ListedIdentity,
  type RelayDomain,
  type RelayIdentity,
  RelayProvider,
} from '@mailstead/core/relay/relay-provider';

/** `.invalid` never resolves (RFC 2606): nobody can mistake the sandbox's keys for real ones. */
const SANDBOX_DKIM_ZONE = 'dkim.sandbox.invalid';

export interface SandboxRelayOptions {
  /** How long after its start a verification succeeds, seconds. */
  verifyAfterSeconds: number;
}

/**
 * A relay provider that asks nobody: for trying the service out and for tests. It keeps no state, so any number of
 * processes agree and nothing is lost with one: the tokens follow from the name, the outcome from the start.
 */
export class SandboxRelayProvider extends RelayProvider {
  override readonly name = 'sandbox';
  override readonly lists = false;
  override readonly minAskIntervalMs = 0;

  constructor(
    private readonly options: SandboxRelayOptions,
    private readonly clock: Clock,
  ) {
    super();
  }

  override async ensureIdentity(domain: RelayDomain): Promise<EnsureOutcome> {
    return { outcome: 'ours', identity: this.identityOf(domain) };
  }

  /** Never null: every domain has an identity here. */
  override async getIdentity(domain: RelayDomain): Promise<RelayIdentity> {
    return this.identityOf(domain);
  }

  override async listIdentities(): Promise<{ listed: ListedIdentity[]; nextToken: string | null }> {
    return { listed: [], nextToken: null };
  }

  override async deleteIdentity(): Promise<void> {}

  private identityOf({ name, startedAt }: RelayDomain): RelayIdentity {
    const dueAfterMs = this.options.verifyAfterSeconds * SECOND_MS;
    const verified = startedAt !== null && this.clock.now().getTime() >= startedAt.getTime() + dueAfterMs;
    return {
      status: verified ? 'verified' : 'pending',
      dkimStatus: verified ? 'success' : 'pending',
      dkimTokens: [1, 2, 3].map((index) => dkimToken(name, index)),
      dkimZone: SANDBOX_DKIM_ZONE,
      reason: verified ? null : `The sandbox verifies ${this.options.verifyAfterSeconds} seconds after the start`,
    };
  }
}

function dkimToken(name: string, index: number): string {
  return hash('sha256', `${index}.${name}`).slice(0, 32);
}
