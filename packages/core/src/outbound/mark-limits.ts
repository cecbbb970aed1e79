import type { StoredReason } from '../attention/attention.js';
import { AttentionList } from '../attention/attention-list.js';
import { Clock } from '../clock.js';
import type { DomainName } from '../domains/domain-name.js';
import type { JobCounts } from '../jobs/jobs.js';
import { needs } from '../needs.js';
import { UnitOfWork } from '../unit-of-work.js';
import { isOfLimit, nearReasons } from './announce-limits.js';
import { type LedgerSnapshot, OutboundLedger } from './outbound-ledger.js';
import { OutboundReader } from './outbound-reader.js';
import { oneRecipient, SnapshotFacts } from './snapshot-facts.js';

/** The most domains whose counters are locked at once. */
const MARKED_AT_ONCE = 100;

/**
 * Writes which limits domains are near, after a change of their limits. A message that reaches one is marked with its
 * count (`AnnounceLimits`).
 */
@needs(UnitOfWork, OutboundLedger, OutboundReader, AttentionList, Clock)
export class MarkLimits {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly ledger: OutboundLedger,
    private readonly reader: OutboundReader,
    private readonly attention: AttentionList,
    private readonly clock: Clock,
  ) {}

  /** In the unit of work of the caller, who has saved the domains. @returns the number of domains that it changed */
  async execute(names: readonly DomainName[]): Promise<number> {
    let marked = 0;
    for (let from = 0; from < names.length; from += MARKED_AT_ONCE) {
      marked += await this.mark(names.slice(from, from + MARKED_AT_ONCE));
    }
    return marked;
  }

  /**
   * Marks a domain and those that are linked to it; with null all domains that sent or received mail this month. May be
   * interrupted and run again.
   */
  async ofLinked(domainId: number | null): Promise<JobCounts> {
    let marked = 0;
    let after = 0;
    for (;;) {
      const page = { after, limit: MARKED_AT_ONCE };
      const domains = await this.reader.withLimits(domainId, page, this.clock.now());
      marked += await this.mark(domains.map(({ name }) => name));
      const last = domains.at(-1);
      if (last === undefined || domains.length < MARKED_AT_ONCE) return { marked };
      after = last.id;
    }
  }

  /** The locks of the counters keep a message from being counted by former limits after its domain was marked. */
  private mark(names: readonly DomainName[]): Promise<number> {
    if (names.length === 0) return Promise.resolve(0);
    return this.unitOfWork.run(async () => {
      const now = this.clock.now();
      const queries = names.map((domain) => ({ domain, sender: null, id: null }));
      const wrong = await this.wrongOf(await this.ledger.lockAndRead(queries, now), now);
      for (const { id, reasons } of wrong) await this.attention.setLimits(id, reasons, now);
      return wrong.length;
    });
  }

  /** The domains with other marks than their limits and counts say. */
  private async wrongOf(snapshot: LedgerSnapshot, now: Date): Promise<{ id: number; reasons: StoredReason[] }[]> {
    const facts = new SnapshotFacts(snapshot, now);
    const domains = [...snapshot.domains.values()];
    const stored = await this.attention.ofDomains(
      domains.map(({ id }) => id),
      now,
    );
    return domains.flatMap((domain) => {
      const { id, name } = domain;
      const message = oneRecipient({ domain: name, sender: null, session: null, forwarded: false });
      const reasons = nearReasons(facts.of(message, domain, facts.parentOf(domain)));
      const marks = (stored.get(id) ?? []).filter(isOfLimit);
      return marks.join() === reasons.join() ? [] : [{ id, reasons }];
    });
  }
}
