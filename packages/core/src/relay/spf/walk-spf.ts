import { type DnsFinding, finding } from '../dns-findings.js';
import { isLookedUp, literalName } from './domain-spec.js';
import { MAX_LOOKUPS } from './evaluate-spf.js';
import type { SpfLookups } from './spf-lookups.js';
import { faultFinding, isCostly, type SpfRecord } from './spf-record.js';

/** The result of reading an SPF record and everything that it includes, in the order of a receiver. */
export interface SpfWalk {
  /** Whether the wanted include is reached, and passes, before an error stops the receiver. */
  isReached: boolean;
  /**
   * The reason why an include could not be looked up (the first one); null when all could. It says nothing about the
   * record.
   */
  failedLookup: string | null;
  /** Whether that include is before the wanted one, or the wanted one itself. */
  hasFailedBefore: boolean;
  /** Errors at which receivers stop; the walk stops there too. */
  problems: DnsFinding[];
  /** Records that allow every server to send. */
  allowAll: DnsFinding[];
}

/**
 * Follows `include` and `redirect` in the order of a receiver whom nothing matches: it shows what the evaluation for an
 * address does not reach. Names with macros are counted and not followed. The names in one record are looked up
 * concurrently.
 */
export async function walkSpf(lookups: SpfLookups, domain: string, wanted: string | null): Promise<SpfWalk> {
  const walker = new SpfWalker(lookups, wanted);
  await walker.follow(domain, true);
  return walker.walk;
}

class SpfWalker {
  readonly walk: SpfWalk = {
    isReached: false,
    failedLookup: null,
    hasFailedBefore: false,
    problems: [],
    allowAll: [],
  };
  private count = 0;

  constructor(
    private readonly lookups: SpfLookups,
    private readonly wanted: string | null,
  ) {}

  /** @param passing whether a match in this record is a pass for the domain */
  async follow(name: string, passing: boolean): Promise<void> {
    const isWanted = passing && name === this.wanted;
    const found = isLookedUp(name) ? await this.lookups.spf(name) : ({ outcome: 'missing' } as const);
    if (found.outcome === 'error') {
      this.walk.hasFailedBefore ||= !this.walk.isReached;
      this.walk.failedLookup ??= found.reason;
    }
    this.walk.isReached ||= isWanted;
    if (found.outcome === 'missing') return this.stop(finding('spf_included_missing', { name }));
    if (found.outcome === 'several') return this.stop(finding('spf_included_duplicate', { name }));
    if (found.outcome === 'found') await this.read(name, found.record, passing);
  }

  private async read(name: string, { faults, terms, redirect }: SpfRecord, passing: boolean): Promise<void> {
    const [fault] = faults;
    if (fault !== undefined) return this.stop(faultFinding(name, fault));
    const targets = terms.flatMap((term) => (term.name === 'include' && term.target !== null ? [term.target] : []));
    for (const target of redirect === null ? targets : [...targets, redirect]) {
      const next = literalName(target);
      if (next !== null && isLookedUp(next)) this.lookups.ahead(() => this.lookups.spf(next));
    }
    for (const term of terms) {
      const passes = passing && term.qualifier === '+';
      if (term.name === 'all' && passes) this.walk.allowAll.push(finding('spf_allows_all', { name }));
      if (!isCostly(term)) continue;
      if (!this.countLookup(name)) return;
      const next = term.name === 'include' && term.target !== null ? literalName(term.target) : null;
      if (next !== null) await this.follow(next, passes);
      if (this.walk.problems.length > 0) return;
    }
    if (redirect === null || !this.countLookup(name)) return;
    const next = literalName(redirect);
    if (next !== null) await this.follow(next, passing);
  }

  private countLookup(name: string): boolean {
    this.count += 1;
    if (this.count <= MAX_LOOKUPS) return true;
    this.stop(finding('spf_too_many_lookups', { name, limit: String(MAX_LOOKUPS) }));
    return false;
  }

  private stop(problem: DnsFinding): void {
    this.walk.problems.push(problem);
  }
}
