import { promises as dns } from 'node:dns';
import { deadline } from '@mailstead/core/deadlines';
import { valuesOf } from '@mailstead/core/relay/dns-check';
import { type DnsAnswer, DnsResolver, MAX_TXT_CHARACTERS, type MxRecord } from '@mailstead/core/relay/dns-resolver';

export interface NodeDnsResolverOptions {
  /** `ip` or `ip:port` (`[ip]:port` for IPv6). When empty, the name servers of the system. */
  servers: string[];
  /** The time limit of one look-up with all its tries on all servers, milliseconds; 3,000 by default. */
  timeoutMs?: number;
}

/** A sentence for each error code that does not say whether the record exists. */
const REASONS: Record<string, string> = {
  ETIMEOUT: 'The name server did not answer in time',
  ECANCELLED: 'The name server did not answer in time',
  ESERVFAIL: 'The name server reported a failure (SERVFAIL)',
  EREFUSED: 'The name server refused the question',
  ENOTIMP: 'The name server does not support this question',
  EFORMERR: 'The name server did not understand the question',
  EBADRESP: 'The name server sent an unreadable answer',
  EBADNAME: 'The name cannot be looked up in the DNS',
  ECONNREFUSED: 'The name server cannot be reached',
};
/** Of each family. The owner of a name decides how many there are: 4,000 fit into an answer of 64 kB. */
const MAX_ADDRESSES = 32;
/** The error codes of an authoritative negative answer. */
const MISSING = new Set(['ENOTFOUND', 'ENODATA']);

/**
 * Looks up DNS records with c-ares. The time-outs of c-ares apply to each try on each server: a server that does not
 * respond takes 22 s by default. So one deadline cancels the whole look-up. `cancel()` ends all look-ups of a resolver,
 * so each look-up has its own resolver.
 */
export class NodeDnsResolver extends DnsResolver {
  private readonly servers: string[];
  private readonly timeoutMs: number;

  constructor({ servers, timeoutMs = deadline('dns') }: NodeDnsResolverOptions) {
    super();
    this.servers = servers;
    this.timeoutMs = timeoutMs;
  }

  override mx(name: string): Promise<DnsAnswer<MxRecord>> {
    return this.lookUp(async (resolver) => {
      const records = await resolver.resolveMx(name);
      return records
        .map(({ exchange, priority }) => ({ exchange: hostName(exchange), priority }))
        .sort((one, other) => one.priority - other.priority);
    });
  }

  override async addresses(name: string): Promise<DnsAnswer<string>> {
    const [a, aaaa] = await Promise.all([this.addressesOf(4, name), this.addressesOf(6, name)]);
    const values = [a, aaaa].flatMap(valuesOf);
    if (values.length > 0) return { outcome: 'found', values };
    return a.outcome === 'error' ? a : aaaa;
  }

  override addressesOf(family: 4 | 6, name: string): Promise<DnsAnswer<string>> {
    return this.lookUp(async (resolver) => {
      const values = await (family === 4 ? resolver.resolve4(name) : resolver.resolve6(name));
      return values.slice(0, MAX_ADDRESSES);
    });
  }

  override ptr(name: string): Promise<DnsAnswer<string>> {
    return this.lookUp(async (resolver) => {
      const names = await resolver.resolvePtr(name);
      return names.map(hostName);
    });
  }

  override txt(name: string): Promise<DnsAnswer<string>> {
    return this.lookUp(async (resolver) => {
      const records = await resolver.resolveTxt(name);
      return records.map((chunks) => chunks.join('').slice(0, MAX_TXT_CHARACTERS));
    });
  }

  override cname(name: string): Promise<DnsAnswer<string>> {
    return this.lookUp(async (resolver) => {
      const targets = await resolver.resolveCname(name);
      return targets.map(hostName);
    });
  }

  override ns(name: string): Promise<DnsAnswer<string>> {
    return this.lookUp(async (resolver) => {
      const hosts = await resolver.resolveNs(name);
      return hosts.map(hostName);
    });
  }

  override soa(name: string): Promise<DnsAnswer<string>> {
    return this.lookUp(async (resolver) => {
      const { nsname } = await resolver.resolveSoa(name);
      return [hostName(nsname)];
    });
  }

  private async lookUp<T>(resolve: (resolver: dns.Resolver) => Promise<T[]>): Promise<DnsAnswer<T>> {
    // Two tries fit into the deadline, so that a look-up survives one lost UDP packet.
    const resolver = new dns.Resolver({ timeout: Math.ceil(this.timeoutMs / 3), tries: 2 });
    const deadline = setTimeout(() => resolver.cancel(), this.timeoutMs);
    try {
      if (this.servers.length > 0) resolver.setServers(this.servers);
      const values = await resolve(resolver);
      // c-ares returns an empty list for a loop of CNAMEs.
      return values.length === 0 ? { outcome: 'missing' } : { outcome: 'found', values };
    } catch (error) {
      const code = codeOf(error);
      if (MISSING.has(code)) return { outcome: 'missing' };
      return { outcome: 'error', reason: REASONS[code] ?? `The look-up failed (${code})` };
    } finally {
      clearTimeout(deadline);
    }
  }
}

function hostName(name: string): string {
  return name.toLowerCase().replace(/\.$/, '');
}

/** Does not use `instanceof`: an error of node:dns may come from another realm. */
function codeOf(error: unknown): string {
  const isCoded = typeof error === 'object' && error !== null && 'code' in error;
  return isCoded ? String(error.code) : String(error);
}
