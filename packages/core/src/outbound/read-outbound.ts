import { Clock } from '../clock.js';
import type { DomainName } from '../domains/domain-name.js';
import { DomainRepository, type DomainWithParent } from '../domains/domain-repository.js';
import { type ResolvedDomain, resolveDomain } from '../domains/resolve-domain.js';
import { AppError } from '../errors.js';
import { needs } from '../needs.js';
import type { PartnerScope } from '../partners/partner-scope.js';
import type { OutboundAnswer } from './outbound-answer.js';
import type { Refusal } from './outbound-batch.js';
import { type LiveCounters, OutboundReader } from './outbound-reader.js';
import { effectiveLimits, type OutboundLimits, temporaryUntil } from './outbound-settings.js';
import { PreviewOutbound } from './preview-outbound.js';
import { TierRepository } from './tier-repository.js';

export interface OutboundState {
  found: DomainWithParent;
  resolved: ResolvedDomain;
  /** The effective limits. */
  limits: OutboundLimits;
  /** When limits of the operator for a time end, and the effective limits after them; null when none hold. */
  temporary: { until: Date; limitsAfter: OutboundLimits } | null;
  live: LiveCounters;
  /** What the policy daemon would be told now about one outside recipient of a message without a known sender. */
  verdict: OutboundAnswer | Refusal;
}

/** Reads the outbound state of a domain: its effective settings, its counters, and its bounce window. */
@needs(DomainRepository, TierRepository, OutboundReader, PreviewOutbound, Clock)
export class ReadOutbound {
  constructor(
    private readonly domains: DomainRepository,
    private readonly tiers: TierRepository,
    private readonly reader: OutboundReader,
    private readonly preview: PreviewOutbound,
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
      verdict: await this.verdictOf(name),
    };
  }

  private async verdictOf(domain: DomainName): Promise<OutboundAnswer | Refusal> {
    const query = { domain, sender: null, recipient: null, recipientDomain: null, forwarded: false };
    const [preview] = await this.preview.execute([query]);
    if (preview === undefined) throw new Error('A query has no preview');
    return preview.verdict;
  }
}
