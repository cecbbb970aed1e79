import type { DnsAnswer, DnsResolver } from './dns-resolver.js';
import { isSpf, parseSpf } from './spf-record.js';

/** Beyond this a receiver gives up with a permanent error (RFC 7208 section 4.6.4). */
const MAX_LOOKUPS = 10;

/** What a receiver that finds no match would see on its way through an SPF record. */
export interface SpfWalk {
  /** Whether it comes past the wanted include, with a pass, before anything makes it give up. */
  reached: boolean;
  /** Why the first include that could not be looked up was not; null when all were. Nothing follows from that. */
  unanswered: string | null;
  /** What makes receivers give up, a sentence each; after it the walk ends. */
  problems: string[];
  /** Records that let everybody send, a sentence each. */
  openings: string[];
}

/** Walks `include` and `redirect` in a receiver's order. What one record names is looked up at once. */
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
  readonly walk: SpfWalk = { reached: false, unanswered: null, problems: [], openings: [] };
  private readonly answers = new Map<string, Promise<DnsAnswer<string>>>();
  private lookups = 0;

  constructor(
    private readonly dns: DnsResolver,
    private readonly wanted: string | null,
  ) {}

  /** @param passing whether a match in this record is a pass for the domain. */
  async read(name: string, record: string, passing: boolean): Promise<void> {
    const { mechanisms, redirect, unknown } = parseSpf(record);
    if (unknown !== null) return this.giveUp(`The SPF record of ${name} has "${unknown}", which SPF does not know.`);
    const targets = mechanisms.filter((mechanism) => mechanism.name === 'include').map(({ value }) => value);
    const ahead = (redirect === null ? targets : [...targets, redirect]).filter((target) => !isMacro(target));
    for (const target of ahead.slice(0, MAX_LOOKUPS - this.lookups)) void this.fetch(target);
    for (const mechanism of mechanisms) {
      const passes = passing && mechanism.qualifier === '+';
      if (mechanism.name === 'all' && passes) {
        this.walk.openings.push(`"+all" in the SPF record of ${name} lets everybody send as this domain.`);
      }
      if (!mechanism.costly) continue;
      if (!this.spend(name)) return;
      if (mechanism.name === 'include') await this.enter(mechanism.value, passes);
      if (this.walk.problems.length > 0) return;
    }
    if (redirect !== null && this.spend(name)) await this.enter(redirect, passing);
  }

  private async enter(target: string, passing: boolean): Promise<void> {
    if (passing && target === this.wanted) this.walk.reached = true;
    // A macro is filled in from the message, so it cannot be followed here.
    if (isMacro(target)) return;
    const answer = await this.fetch(target);
    if (answer.outcome === 'error') {
      this.walk.unanswered ??= answer.reason;
      return;
    }
    const records = answer.outcome === 'found' ? answer.values.filter(isSpf) : [];
    const [record] = records;
    if (record === undefined) return this.giveUp(`${target}, which the SPF record includes, has no SPF record.`);
    if (records.length > 1) return this.giveUp(`${target}, which the SPF record includes, has several SPF records.`);
    await this.read(target, record, passing);
  }

  private spend(name: string): boolean {
    this.lookups += 1;
    if (this.lookups <= MAX_LOOKUPS) return true;
    this.giveUp(`The SPF record takes more than ${MAX_LOOKUPS} DNS look-ups (at ${name}), where receivers give up.`);
    return false;
  }

  private giveUp(problem: string): void {
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
