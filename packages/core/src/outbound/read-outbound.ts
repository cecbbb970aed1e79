import { Clock } from '../clock.js';
import type { DomainName } from '../domains/domain-name.js';
import { DomainRepository, type DomainWithParent } from '../domains/domain-repository.js';
import { type ResolvedDomain, resolveDomain } from '../domains/resolve-domain.js';
import { AppError } from '../errors.js';
import { needs } from '../needs.js';
import { type Actor, scopeOf } from '../operators/actor.js';
import { BounceRuleOptions, type RateLimits, rateLimits } from './bounce-rule.js';
import { ExplainOutbound, type Explanation } from './explain-outbound.js';
import { type LiveCounters, OutboundReader } from './outbound-reader.js';
import { effectiveLimits, type OutboundLimits, temporaryUntil } from './outbound-settings.js';
import { TierRepository } from './tier-repository.js';

export interface OutboundState {
  found: DomainWithParent;
  resolved: ResolvedDomain;
  /** The effective limits. */
  limits: OutboundLimits;
  /** When limits of the operator for a time end, and the effective limits after them; null when none hold. */
  temporary: { until: Date; limitsAfter: OutboundLimits } | null;
  live: LiveCounters;
  rateLimits: RateLimits;
  /** For a message to one outside recipient without a known sender. */
  explanation: Explanation;
}

/** Reads the outbound state of a domain: its effective settings, its counters, and its bounce window. */
@needs(DomainRepository, TierRepository, OutboundReader, ExplainOutbound, Clock, BounceRuleOptions)
export class ReadOutbound {
  constructor(
    private readonly domains: DomainRepository,
    private readonly tiers: TierRepository,
    private readonly reader: OutboundReader,
    private readonly explain: ExplainOutbound,
    private readonly clock: Clock,
    private readonly rule: BounceRuleOptions,
  ) {}

  /** @throws AppError domain_not_found */
  async execute(actor: Actor, name: DomainName): Promise<OutboundState> {
    const found = await this.domains.findWithParent(scopeOf(actor), name);
    if (found === null) throw new AppError('domain_not_found');
    const explanation = await this.explain.execute(actor, name, null);
    if (explanation === null) throw new AppError('domain_not_found');
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
      rateLimits: rateLimits(this.rule),
      explanation,
    };
  }
}
