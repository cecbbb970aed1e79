import { type DomainSpec, isLookedUp, literalName } from './domain-spec.js';
import { evaluateSpf, MAX_LOOKUPS } from './evaluate-spf.js';
import { type IpAddress, parseIp } from './ip-address.js';
import type { SpfLookups } from './spf-lookups.js';
import { isCostly, type SpfTerm } from './spf-record.js';

/** The addresses for which the record of a domain is evaluated. */
const MAX_SAMPLES = 32;
/** Of each `mx` of the relay. */
const MAX_EXCHANGES = 10;

/** The addresses by which the relay sends, as far as its own SPF record tells. */
export interface RelayAddresses {
  /** One of each network that the record allows, 32 at most; empty when it names none. */
  samples: IpAddress[];
  /** Why the record could not be read completely; null when it could. */
  failedLookup: string | null;
}

/** @param include the host whose SPF record allows the relay (`SPF_INCLUDE`) */
export async function relayAddresses(lookups: SpfLookups, include: string): Promise<RelayAddresses> {
  const collector = new AddressCollector(lookups);
  await collector.collect(include);
  const { addresses, failedLookup } = collector;
  const step = Math.ceil(addresses.size / MAX_SAMPLES);
  const samples = [...addresses.values()].filter((_, index) => index % step === 0);
  const evaluations = await Promise.all(
    samples.map((ip) => evaluateSpf(lookups, include, { ip, localPart: null, senderDomain: include, helo: null })),
  );
  // A network may be allowed only in part: a term before it refuses some addresses.
  return { samples: samples.filter((_, index) => evaluations[index]?.result === 'pass'), failedLookup };
}

class AddressCollector {
  /** The first address of each network that passes. */
  readonly addresses = new Map<string, IpAddress>();
  failedLookup: string | null = null;
  private count = 0;

  constructor(private readonly lookups: SpfLookups) {}

  async collect(name: string): Promise<void> {
    const found = await this.lookups.spf(name);
    if (found.outcome === 'error') this.failedLookup ??= found.reason;
    if (found.outcome !== 'found' || found.record.faults.length > 0) return;
    const { terms, redirect } = found.record;
    for (const term of terms) if (term.name === 'include') this.askAhead(term.target);
    for (const term of terms) {
      if (isCostly(term)) this.count += 1;
      if (this.count > MAX_LOOKUPS) return;
      if (term.qualifier === '+') await this.collectTerm(name, term);
    }
    const next = redirect === null ? null : literalName(redirect);
    this.count += 1;
    if (next !== null && this.count <= MAX_LOOKUPS && isLookedUp(next)) await this.collect(next);
  }

  private async collectTerm(domain: string, { name, target, network }: SpfTerm): Promise<void> {
    if (network !== null) this.add(network.address);
    const host = target === null ? domain : literalName(target);
    if (host === null || !isLookedUp(host)) return;
    if (name === 'include') await this.collect(host);
    if (name === 'a') await this.collectHosts([host]);
    if (name === 'mx') {
      const answer = await this.lookups.mx(host);
      if (answer.outcome === 'error') this.failedLookup ??= answer.reason;
      const exchanges = answer.outcome === 'found' ? answer.values.map(({ exchange }) => exchange) : [];
      await this.collectHosts(exchanges.filter(isLookedUp).slice(0, MAX_EXCHANGES));
    }
  }

  private async collectHosts(hosts: string[]): Promise<void> {
    const questions = hosts.flatMap((host) => ([4, 6] as const).map((family) => this.lookups.addresses(family, host)));
    for (const answer of await Promise.all(questions)) {
      if (answer.outcome === 'error') this.failedLookup ??= answer.reason;
      for (const value of answer.outcome === 'found' ? answer.values : []) {
        const address = parseIp(value);
        if (address !== null) this.add(address);
      }
    }
  }

  private askAhead(target: DomainSpec | null): void {
    const host = target === null ? null : literalName(target);
    if (host !== null && isLookedUp(host)) this.lookups.ahead(() => this.lookups.spf(host));
  }

  private add(address: IpAddress): void {
    this.addresses.set(`${address.family} ${address.bits}`, address);
  }
}
