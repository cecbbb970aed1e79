import type { Clock } from '@mailstead/core/clock';
import type { RelayDomain, RelayIdentity } from '@mailstead/core/relay/relay-provider';
import { type SandboxRelayOptions, SandboxRelayProvider } from '../sandbox-relay/sandbox-relay-provider.js';
import { AGED_MS, type InventedOutside } from './invented-outside.js';

/** The sandbox, with domains that are not well. A verification that is started again begins anew. */
export class InventedRelay extends SandboxRelayProvider {
  constructor(
    options: SandboxRelayOptions,
    clock: Clock,
    private readonly fates: InventedOutside['fates'],
  ) {
    super(options, clock);
  }

  protected override identityOf(domain: RelayDomain): RelayIdentity {
    const identity = super.identityOf(domain);
    const fate = this.fates.get(domain.name);
    if (fate === 'waits') {
      return {
        ...identity,
        status: 'pending',
        providerStatus: 'pending',
        reason: 'The DNS records were not found yet',
      };
    }
    if (identity.status !== 'verified' || fate === undefined) return identity;
    const missedSince = (domain.startedAt?.getTime() ?? 0) + AGED_MS;
    const isMissed = this.clock.now().getTime() >= missedSince;
    if (fate === 'fails' || (fate === 'lost' && isMissed)) {
      return { ...identity, status: 'failed', providerStatus: 'failed', reason: 'The DNS records were not found' };
    }
    return fate === 'at_risk' && isMissed ? { ...identity, atRisk: { since: new Date(missedSince) } } : identity;
  }
}
