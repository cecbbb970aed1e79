import { type DnsFinding, finding } from '../dns-findings.js';
import { type DomainSpec, expand, isLookedUp, literalName, type MacroValues, usesMacro } from './domain-spec.js';
import { type IpAddress, isWithin, parseIp, reverseName } from './ip-address.js';
import type { SpfLookups } from './spf-lookups.js';
import { faultFinding, isCostly, type SpfRecord, type SpfTerm, shownTerm } from './spf-record.js';

/** With more look-ups a receiver stops with a permanent error (RFC 7208 section 4.6.4). */
export const MAX_LOOKUPS = 10;
/** With more exchanges a receiver stops too (section 4.6.4). Of the names of an address, it reads so many (5.5). */
const MAX_NAMES = 10;
const RESULTS = { '+': 'pass', '-': 'fail', '~': 'softfail', '?': 'neutral' } as const;

/** Who sends: an address of a server, and the envelope sender. */
export interface SpfClient {
  ip: IpAddress;
  /** Null: any. */
  localPart: string | null;
  senderDomain: string;
  /** Null: any. */
  helo: string | null;
}

type Decision =
  | { result: 'pass' | 'fail' | 'softfail' | 'neutral'; decidedBy: DecidingTerm | null }
  | { result: 'none' }
  | Halt;

/** An evaluation that ends at an error, whatever is around it. */
type Halt = { result: 'permerror'; problem: DnsFinding } | { result: 'temperror'; reason: string };

export interface DecidingTerm {
  /** The name of the record. */
  name: string;
  term: SpfTerm;
}

/** The result of `check_host()` (RFC 7208 section 4), and what was noticed on the way to it. */
export type SpfEvaluation = Decision & {
  /** Look-ups without an answer (section 4.6.4). */
  voids: number;
  /** Terms with a macro for the local part or for HELO, where these are not known. They match nothing here. */
  senderTerms: DnsFinding[];
  /** Terms whose name cannot be looked up, which match nothing. */
  namelessTerms: DnsFinding[];
};

/**
 * Evaluates the record of a domain for one client. The names in one record are looked up concurrently.
 * @param wanted the include that the record probably passes by; nothing behind it is asked ahead
 */
export async function evaluateSpf(
  lookups: SpfLookups,
  domain: string,
  client: SpfClient,
  wanted: string | null = null,
): Promise<SpfEvaluation> {
  const evaluator = new SpfEvaluator(lookups, client, wanted);
  const decision = await evaluator.checkHost(domain);
  const { voids, senderTerms, namelessTerms } = evaluator;
  return { ...decision, voids, senderTerms, namelessTerms };
}

class SpfEvaluator {
  readonly senderTerms: DnsFinding[] = [];
  readonly namelessTerms: DnsFinding[] = [];
  voids = 0;
  private count = 0;

  constructor(
    private readonly lookups: SpfLookups,
    private readonly client: SpfClient,
    private readonly wanted: string | null,
  ) {}

  /** RFC 7208 sections 4.3 to 4.5. */
  async checkHost(domain: string): Promise<Decision> {
    if (!isLookedUp(domain)) return { result: 'none' };
    const found = await this.lookups.spf(domain);
    switch (found.outcome) {
      case 'error':
        return { result: 'temperror', reason: found.reason };
      case 'missing':
        return { result: 'none' };
      case 'several':
        return permanent(finding('spf_included_duplicate', { name: domain }));
      case 'found':
        return this.evaluate(domain, found.record);
    }
  }

  /** RFC 7208 sections 4.6 and 4.7, and `redirect` (6.1). */
  private async evaluate(domain: string, record: SpfRecord): Promise<Decision> {
    const [fault] = record.faults;
    if (fault !== undefined) return permanent(faultFinding(domain, fault));
    this.askAhead(domain, record);
    for (const term of record.terms) {
      if (isCostly(term) && !this.mayLookUp()) return tooMany(domain);
      const match = await this.matches(domain, term);
      if (typeof match !== 'boolean') return match;
      if (match) return { result: RESULTS[term.qualifier], decidedBy: { name: domain, term } };
    }
    if (record.redirect === null) return { result: 'neutral', decidedBy: null };
    if (!this.mayLookUp()) return tooMany(domain);
    const target = await this.nameOf(domain, record.redirect, 'redirect=');
    return target === null ? { result: 'neutral', decidedBy: null } : this.follow(target);
  }

  /** RFC 7208 section 5; `all` is 5.1, `ip4` and `ip6` are 5.6. */
  private matches(domain: string, term: SpfTerm): boolean | Promise<boolean | Halt> {
    switch (term.name) {
      case 'all':
        return true;
      case 'ip4':
      case 'ip6':
        return term.network !== null && isWithin(this.client.ip, term.network);
      case 'include':
        return this.matchesInclude(domain, term);
      case 'a':
        return this.matchesName(domain, term, (name) => this.matchesAddresses(name, term));
      case 'mx':
        return this.matchesName(domain, term, (name) => this.matchesMx(name, term));
      case 'exists':
        return this.matchesName(domain, term, (name) => this.exists(name));
      case 'ptr':
        return this.matchesName(domain, term, (name) => this.matchesPtr(name));
    }
  }

  /** RFC 7208 section 5.2. */
  private async matchesInclude(domain: string, { target, text }: SpfTerm): Promise<boolean | Halt> {
    const name = target === null ? null : await this.nameOf(domain, target, text);
    if (name === null) return false;
    const decision = await this.follow(name);
    return decision.result === 'permerror' || decision.result === 'temperror' ? decision : decision.result === 'pass';
  }

  /** The result of another record, which must exist (RFC 7208 sections 5.2 and 6.1). */
  private async follow(name: string): Promise<Exclude<Decision, { result: 'none' }>> {
    const decision = await this.checkHost(name);
    return decision.result === 'none' ? permanent(finding('spf_included_missing', { name })) : decision;
  }

  /** A name that the DNS cannot have exists nowhere (RFC 7208 section 4.8). */
  private async matchesName(
    domain: string,
    { target, text }: SpfTerm,
    matches: (name: string) => Promise<boolean | Halt>,
  ): Promise<boolean | Halt> {
    const name = target === null ? domain : await this.nameOf(domain, target, text);
    if (name === null) return false;
    if (isLookedUp(name)) return matches(name);
    this.namelessTerms.push(finding('spf_nameless_term', { name: domain, term: shownTerm(text) }));
    return false;
  }

  /** RFC 7208 section 5.3. */
  private async matchesAddresses(name: string, { prefixes }: SpfTerm): Promise<boolean | Halt> {
    const { ip } = this.client;
    const answer = await this.lookups.addresses(ip.family, name);
    if (answer.outcome === 'error') return { result: 'temperror', reason: answer.reason };
    if (answer.outcome === 'missing') {
      this.voids += 1;
      return false;
    }
    return answer.values.some((value) => {
      const address = parseIp(value);
      return address !== null && isWithin(ip, { address, prefix: prefixes[ip.family] });
    });
  }

  /** RFC 7208 section 5.4. */
  private async matchesMx(name: string, term: SpfTerm): Promise<boolean | Halt> {
    const answer = await this.lookups.mx(name);
    if (answer.outcome === 'error') return { result: 'temperror', reason: answer.reason };
    if (answer.outcome === 'missing') {
      this.voids += 1;
      return false;
    }
    if (answer.values.length > MAX_NAMES) {
      return permanent(finding('spf_too_many_mx', { name, limit: String(MAX_NAMES) }));
    }
    const hosts = answer.values.map(({ exchange }) => exchange).filter(isLookedUp);
    const matches = await Promise.all(hosts.map((host) => this.matchesAddresses(host, term)));
    return matches.find((match) => match === true) ?? matches.find((match) => match !== false) ?? false;
  }

  /** RFC 7208 section 5.7: A records, also for an IPv6 client. */
  private async exists(name: string): Promise<boolean | Halt> {
    const answer = await this.lookups.addresses(4, name);
    if (answer.outcome === 'error') return { result: 'temperror', reason: answer.reason };
    if (answer.outcome === 'missing') this.voids += 1;
    return answer.outcome === 'found';
  }

  /** RFC 7208 section 5.5. */
  private async matchesPtr(name: string): Promise<boolean> {
    return (await this.validatedNames()).some((validated) => isAtOrBelow(validated, name));
  }

  /** The names of the client that lead back to its address (RFC 7208 section 5.5). */
  private async validatedNames(): Promise<string[]> {
    const { ip } = this.client;
    const answer = await this.lookups.ptr(reverseName(ip));
    if (answer.outcome !== 'found') return [];
    const names = answer.values.filter(isLookedUp).slice(0, MAX_NAMES);
    const forward = await Promise.all(names.map((name) => this.lookups.addresses(ip.family, name)));
    return names.filter((_, index) => {
      const addresses = forward[index];
      return addresses?.outcome === 'found' && addresses.values.some((value) => parseIp(value)?.bits === ip.bits);
    });
  }

  /** @returns null when the name depends on what is not known of the sender */
  private async nameOf(domain: string, spec: DomainSpec, text: string): Promise<string | null> {
    const name = expand(spec, await this.values(domain, spec));
    if (name === null) this.senderTerms.push(finding('spf_depends_on_sender', { name: domain, term: shownTerm(text) }));
    return name;
  }

  private async values(domain: string, spec: DomainSpec): Promise<MacroValues> {
    const validated = usesMacro(spec, 'p') ? await this.validatedNames() : [];
    // A name of the domain before others (RFC 7208 section 7.3).
    const preferred = validated.find((name) => name === domain) ?? validated.find((name) => isAtOrBelow(name, domain));
    return { ...this.client, domain, validated: preferred ?? validated[0] ?? null };
  }

  private askAhead(domain: string, { terms, redirect }: SpfRecord): void {
    const { family } = this.client.ip;
    for (const { name, target, network } of terms) {
      if (network !== null && isWithin(this.client.ip, network)) return;
      const host = target === null ? domain : literalName(target);
      if (host === null || !isLookedUp(host)) continue;
      if (name === 'include') this.lookups.ahead(() => this.lookups.spf(host));
      if (name === 'include' && host === this.wanted) return;
      if (name === 'a') this.lookups.ahead(() => this.lookups.addresses(family, host));
      if (name === 'mx') this.lookups.ahead(() => this.lookups.mx(host));
    }
    const next = redirect === null ? null : literalName(redirect);
    if (next !== null && isLookedUp(next)) this.lookups.ahead(() => this.lookups.spf(next));
  }

  private mayLookUp(): boolean {
    this.count += 1;
    return this.count <= MAX_LOOKUPS;
  }
}

function isAtOrBelow(name: string, domain: string): boolean {
  return name === domain || name.endsWith(`.${domain}`);
}

function permanent(problem: DnsFinding): { result: 'permerror'; problem: DnsFinding } {
  return { result: 'permerror', problem };
}

function tooMany(name: string): Halt {
  return permanent(finding('spf_too_many_lookups', { name, limit: String(MAX_LOOKUPS) }));
}
