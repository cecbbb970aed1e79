import type { StoredReason } from '../attention/attention.js';
import { Batcher } from '../batcher.js';
import type { FoundDomain, NeedingDomains } from '../domains/domain-finder.js';
import type { DomainName } from '../domains/domain-name.js';
import { needs } from '../needs.js';
import { type LedgerSnapshot, OutboundLedger } from '../outbound/outbound-ledger.js';
import { StopRecords } from '../outbound/stop-records.js';
import { RestoreGate } from '../recovery/restore-gate.js';
import type { DnsLack } from '../relay/looks/dns-lacks.js';
import { DnsLooks } from '../relay/looks/dns-looks.js';
import type { DomainState } from './domain-state.js';
import { StateOutlook } from './state-outlook.js';

/** A domain, and the reasons that are stored with it. */
interface Asked {
  name: DomainName;
  storedReasons: readonly StoredReason[];
  now: Date;
}

/** The state of a domain, and what it lacks in the DNS. */
export interface Stated {
  state: DomainState;
  lacks: readonly DnsLack[];
}

/** A found domain with its state. */
export type StatedDomain = FoundDomain & Stated;

export type NeedingStated = Omit<NeedingDomains, 'first'> & { first: StatedDomain[] };

/** Deleted since its row was read. */
const GONE: Stated = { state: { sends: 'no', receives: 'no', reason: null, until: null }, lacks: [] };

/**
 * Reads the states of domains: what a preview reads, in a fixed number of statements for up to 500 domains. Concurrent
 * calls share their statements.
 */
@needs(OutboundLedger, StopRecords, DnsLooks, RestoreGate)
export class DomainStates {
  private readonly batches: Batcher<Asked, Stated>;

  constructor(
    private readonly ledger: OutboundLedger,
    private readonly records: StopRecords,
    private readonly looks: DnsLooks,
    private readonly gate: RestoreGate,
  ) {
    this.batches = new Batcher((asked) => this.read(asked), { maxItems: 500, maxInFlight: 2 });
  }

  /** @throws AppError database_unavailable */
  of(name: DomainName, storedReasons: readonly StoredReason[], now: Date): Promise<Stated> {
    return this.batches.call({ name, storedReasons, now });
  }

  async ofAll(found: readonly FoundDomain[], now: Date): Promise<StatedDomain[]> {
    const states = await this.batches.callAll(
      found.map(({ domain, storedReasons }) => ({ name: domain.name, storedReasons, now })),
    );
    return found.map((each, index) => ({ ...each, ...(states[index] ?? GONE) }));
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

  private async read(asked: readonly Asked[]): Promise<Stated[]> {
    // Callers of a moment: their times differ by milliseconds.
    const now = new Date(Math.max(...asked.map(({ now: at }) => at.getTime())));
    const queries = asked.map(({ name }) => ({ domain: name, sender: null, id: null }));
    const snapshot = await this.ledger.read(queries, now);
    const isCapped = [...snapshot.domains.values()].some(({ transferMonthlyMb }) => transferMonthlyMb > 0);
    const capDefersIncoming = isCapped && (await this.records.capDefersIncoming());
    const lacks = await this.lacksOf(asked, snapshot);
    const settings = { capDefersIncoming, isRestored: this.gate.isClosed };
    return asked.map(({ name, storedReasons }) => {
      const own = snapshot.domains.get(name);
      if (own === undefined) return GONE;
      const stored = { reasons: storedReasons, lacks: lacks.get(own.id) ?? [] };
      return { state: new StateOutlook(snapshot, own, stored, settings).at(now), lacks: stored.lacks };
    });
  }

  /** Of the domains that lack something: most do not. */
  private async lacksOf(asked: readonly Asked[], { domains }: LedgerSnapshot): Promise<Map<number, DnsLack[]>> {
    const ids = asked.flatMap(({ name, storedReasons }) => {
      const own = storedReasons.includes('dns_missing') ? domains.get(name) : undefined;
      return own === undefined ? [] : [own.id];
    });
    return ids.length === 0 ? new Map() : this.looks.lacksOf(ids);
  }
}
