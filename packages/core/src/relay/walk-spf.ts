import { type DnsFinding, finding } from './dns-findings.js';
import type { DnsAnswer, DnsResolver } from './dns-resolver.js';
import { isSpf, parseSpf } from './spf-record.js';

/** With more look-ups a receiver stops with a permanent error (RFC 7208 section 4.6.4). */
const MAX_LOOKUPS = 10;

/** The result of reading an SPF record and everything that it includes, in the order of a receiver. */
export interface SpfWalk {
  /** Whether the wanted include is reached, and passes, before an error stops the receiver. */
  reached: boolean;
  /**
   * The reason why an include could not be looked up (the first one); null when all could. It says nothing about the
   * record.
   */
  failedLookup: string | null;
  /** Errors at which receivers stop; the walk stops there too. */
  problems: DnsFinding[];
  /** Records that allow every server to send. */
  allowAll: DnsFinding[];
}

/** Follows `include` and `redirect` in the order of a receiver. The names in one record are looked up concurrently. */
export async function walkSpf(
  dns: DnsResolver,
  domain: string,
  record: string,
  wanted: string | null,
): Promise<SpfWalk> {
  const walker = new SpfWalker(dns, wanted);
  await walker.read(domain, record, true);
  return walker.walk;
}

class SpfWalker {
  readonly walk: SpfWalk = { reached: false, failedLookup: null, problems: [], allowAll: [] };
  private readonly answers = new Map<string, Promise<DnsAnswer<string>>>();
  private lookups = 0;

  constructor(
    private readonly dns: DnsResolver,
    private readonly wanted: string | null,
  ) {}

  /** @param passing whether a match in this record is a pass for the domain. */
  async read(name: string, record: string, passing: boolean): Promise<void> {
    const { mechanisms, redirect, unknown } = parseSpf(record);
    if (unknown !== null) return this.stop(finding('spf_unknown_term', { name, term: unknown }));
    const targets = mechanisms.filter((mechanism) => mechanism.name === 'include').map(({ value }) => value);
    const toFetch = (redirect === null ? targets : [...targets, redirect]).filter((target) => !isMacro(target));
    for (const target of toFetch.slice(0, MAX_LOOKUPS - this.lookups)) void this.fetch(target);
    for (const mechanism of mechanisms) {
      const passes = passing && mechanism.qualifier === '+';
      if (mechanism.name === 'all' && passes) {
        this.walk.allowAll.push(finding('spf_allows_all', { name }));
      }
      if (!mechanism.costly) continue;
      if (!this.countLookup(name)) return;
      if (mechanism.name === 'include') await this.follow(mechanism.value, passes);
      if (this.walk.problems.length > 0) return;
    }
    if (redirect !== null && this.countLookup(name)) await this.follow(redirect, passing);
  }

  private async follow(target: string, passing: boolean): Promise<void> {
    if (passing && target === this.wanted) this.walk.reached = true;
    // A macro is replaced by values of the message, so it cannot be followed here.
    if (isMacro(target)) return;
    const answer = await this.fetch(target);
    if (answer.outcome === 'error') {
      this.walk.failedLookup ??= answer.reason;
      return;
    }
    const records = answer.outcome === 'found' ? answer.values.filter(isSpf) : [];
    const [record] = records;
    if (record === undefined) return this.stop(finding('spf_included_missing', { name: target }));
    if (records.length > 1) return this.stop(finding('spf_included_duplicate', { name: target }));
    await this.read(target, record, passing);
  }

  private countLookup(name: string): boolean {
    this.lookups += 1;
    if (this.lookups <= MAX_LOOKUPS) return true;
    this.stop(finding('spf_too_many_lookups', { name, limit: String(MAX_LOOKUPS) }));
    return false;
  }

  private stop(problem: DnsFinding): void {
    this.walk.problems.push(problem);
  }

  private fetch(target: string): Promise<DnsAnswer<string>> {
    const known = this.answers.get(target);
    if (known !== undefined) return known;
    const answer = this.dns.txt(target);
    this.answers.set(target, answer);
    return answer;
  }
}

function isMacro(target: string): boolean {
  return target.includes('%');
}
