import { Batcher } from '../batcher.js';
import type { FoundDomain, NeedingDomains } from '../domains/domain-finder.js';
import { needs } from '../needs.js';
import { type LedgerFacts, OutboundLedger } from '../outbound/outbound-ledger.js';
import { StopRecords } from '../outbound/stop-records.js';
import { RestoreGate } from '../recovery/restore-gate.js';
import type { DnsLack } from '../relay/looks/dns-lacks.js';
import { DnsLooks } from '../relay/looks/dns-looks.js';
import type { DomainState } from './domain-state.js';
import { StateOutlook } from './state-outlook.js';

interface Asked {
  found: FoundDomain;
  now: Date;
}

/** A found domain with its state, and what it lacks in the DNS. */
export type StatedDomain = FoundDomain & { state: DomainState; lacks: readonly DnsLack[] };

export type NeedingStated = Omit<NeedingDomains, 'first'> & { first: StatedDomain[] };

/**
 * Reads the states of domains: what a preview reads beside their rows, in a fixed number of statements for up to 500
 * domains. Concurrent calls share their statements.
 */
@needs(OutboundLedger, StopRecords, DnsLooks, RestoreGate)
export class DomainStates {
  private readonly batches: Batcher<Asked, StatedDomain>;

  constructor(
    private readonly ledger: OutboundLedger,
    private readonly records: StopRecords,
    private readonly looks: DnsLooks,
    private readonly gate: RestoreGate,
  ) {
    this.batches = new Batcher((asked) => this.read(asked), { maxItems: 500, maxInFlight: 2 });
  }

  /** @param facts those of the domain, as `DomainRecords` reads them. @throws AppError database_unavailable */
  async of(found: FoundDomain, facts: LedgerFacts, now: Date): Promise<StatedDomain> {
    return (await this.decider([found], facts, now))(found);
  }

  /** @throws AppError database_unavailable */
  ofAll(domains: readonly FoundDomain[], now: Date): Promise<StatedDomain[]> {
    return this.batches.callAll(domains.map((found) => ({ found, now })));
  }

  /** A domain with several reasons is asked about once. */
  async ofNeeding(needing: readonly NeedingDomains[], now: Date): Promise<NeedingStated[]> {
    const found = new Map(needing.flatMap(({ first }) => first.map((each) => [each.id, each])));
    const stated = new Map((await this.ofAll([...found.values()], now)).map((each) => [each.id, each]));
    return needing.map(({ first, ...counts }) => ({
      ...counts,
      first: first.flatMap(({ id }) => stated.get(id) ?? []),
    }));
  }

  private async read(asked: readonly Asked[]): Promise<StatedDomain[]> {
    // Callers of a moment: their times differ by milliseconds.
    const now = new Date(Math.max(...asked.map(({ now: at }) => at.getTime())));
    const domains = asked.map(({ found }) => found);
    const facts = await this.ledger.readOf(domains, now);
    return domains.map(await this.decider(domains, facts, now));
  }

  private async decider(domains: readonly FoundDomain[], facts: LedgerFacts, now: Date) {
    const isCapped = domains.some(({ domain }) => domain.transferMonthlyMb > 0);
    const capDefersIncoming = isCapped && (await this.records.capDefersIncoming());
    const lacks = await this.lacksOf(domains);
    const settings = { capDefersIncoming, isRestored: this.gate.isClosed };
    return (found: FoundDomain): StatedDomain => {
      const { id, storedReasons } = found;
      const own = facts.byId.get(id);
      if (own === undefined) throw new Error(`The facts of the domain ${id} were not read`);
      const stored = { reasons: storedReasons, lacks: lacks.get(id) ?? [] };
      return { ...found, state: new StateOutlook(facts, own, stored, settings).at(now), lacks: stored.lacks };
    };
  }

  /** Of the domains that lack something: most do not. */
  private async lacksOf(domains: readonly FoundDomain[]): Promise<Map<number, DnsLack[]>> {
    const ids = domains.filter(({ storedReasons }) => storedReasons.includes('dns_missing')).map(({ id }) => id);
    return ids.length === 0 ? new Map() : this.looks.lacksOf(ids);
  }
}
