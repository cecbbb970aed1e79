import type { Clock } from '../clock.js';
import type { DomainName } from '../domains/domain-name.js';
import type { DomainRepository, DomainWithParent } from '../domains/domain-repository.js';
import { type ResolvedDomain, resolveDomain } from '../domains/resolve-domain.js';
import { AppError } from '../errors.js';
import type { PartnerScope } from '../partners/partner-scope.js';
import type { LiveCounters, OutboundReader } from './outbound-reader.js';
import { effectiveLimits, type OutboundLimits, temporaryUntil } from './outbound-settings.js';
import type { TierRepository } from './tier-repository.js';

export interface OutboundState {
  found: DomainWithParent;
  resolved: ResolvedDomain;
  /** The effective limits. */
  limits: OutboundLimits;
  /** When limits of the operator for a time end, and the effective limits after them; null when none hold. */
  temporary: { until: Date; limitsAfter: OutboundLimits } | null;
  live: LiveCounters;
}

/** Reads the outbound state of a domain: its effective settings, its counters, and its bounce window. */
export class ReadOutbound {
  constructor(
    private readonly domains: DomainRepository,
    private readonly tiers: TierRepository,
    private readonly reader: OutboundReader,
    private readonly clock: Clock,
  ) {}

  /** @throws AppError domain_not_found */
  async execute(scope: PartnerScope, name: DomainName): Promise<OutboundState> {
    const found = await this.domains.findWithParent(scope, name);
    if (found === null) throw new AppError('domain_not_found');
    const now = this.clock.now();
    const { domain, parent } = found;
    const tiers = await this.tiers.list();
    const limitsAt = (at: Date) => effectiveLimits(domain, parent?.domain ?? null, tiers, at);
    const until = temporaryUntil(domain, now);
    return {
      found,
      resolved: resolveDomain(found, now),
      limits: limitsAt(now),
      temporary: until === null ? null : { until, limitsAfter: limitsAt(until) },
      live: await this.reader.live(domain.id, domain.bounceWindowStart, now),
    };
  }
}
