import { promises as dns } from 'node:dns';
import { type DnsAnswer, DnsResolver, type MxRecord } from '@mailstead/core/relay/dns-resolver';

export interface NodeDnsResolverOptions {
  /** `ip` or `ip:port` (`[ip]:port` for IPv6); empty for the servers of the system. */
  servers: string[];
  /** The longest that one look-up may take, all tries on all servers together; 3,000 by default. */
  timeoutMs?: number;
}

/** A sentence for each error code that says nothing about the record. */
const REASONS: Record<string, string> = {
  ETIMEOUT: 'The name server did not answer in time',
  ECANCELLED: 'The name server did not answer in time',
  ESERVFAIL: 'The name server reported a failure (SERVFAIL)',
  EREFUSED: 'The name server refused the question',
  ENOTIMP: 'The name server does not support this question',
  EFORMERR: 'The name server did not understand the question',
  EBADRESP: 'The name server sent an unreadable answer',
  EBADNAME: 'The name cannot be asked of the DNS',
  ECONNREFUSED: 'The name server cannot be reached',
};
/** The error codes of an authoritative negative answer. */
const MISSING = new Set(['ENOTFOUND', 'ENODATA']);

/**
 * Look-ups through c-ares. Its own time-outs apply to each try and each server, so a dead server takes 22 s by default; here
 * one deadline cancels the look-up. Each look-up has its own resolver, because `cancel()` ends all look-ups of a resolver.
 */
export class NodeDnsResolver extends DnsResolver {
  private readonly servers: string[];
  private readonly timeoutMs: number;

  constructor({ servers, timeoutMs = 3_000 }: NodeDnsResolverOptions) {
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

  override txt(name: string): Promise<DnsAnswer<string>> {
    return this.lookUp(async (resolver) => {
      const records = await resolver.resolveTxt(name);
      return records.map((chunks) => chunks.join(''));
    });
  }

  override cname(name: string): Promise<DnsAnswer<string>> {
    return this.lookUp(async (resolver) => {
      const targets = await resolver.resolveCname(name);
      return targets.map(hostName);
    });
  }

  private async lookUp<T>(ask: (resolver: dns.Resolver) => Promise<T[]>): Promise<DnsAnswer<T>> {
    // Two tries within the deadline: one lost UDP packet must not lose the answer.
    const resolver = new dns.Resolver({ timeout: Math.ceil(this.timeoutMs / 3), tries: 2 });
    const deadline = setTimeout(() => resolver.cancel(), this.timeoutMs);
    try {
      if (this.servers.length > 0) resolver.setServers(this.servers);
      const values = await ask(resolver);
      // For a loop of CNAMEs the library returns an answer without records.
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

/** By shape, not by class: an error of node:dns may come from another realm. */
function codeOf(error: unknown): string {
  const isCoded = typeof error === 'object' && error !== null && 'code' in error;
  return isCoded ? String(error.code) : String(error);
}
