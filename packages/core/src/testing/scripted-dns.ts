import { type DnsAnswer, DnsResolver, type MxRecord } from '../relay/dns-resolver.js';

/**
 * A DNS resolver whose records a test sets; every other record is missing. `A` has the addresses of both families, and
 * fails for both.
 */
export class ScriptedDns extends DnsResolver {
  readonly records = new Map<string, string[]>();
  readonly mxRecords = new Map<string, MxRecord[]>();
  /** Look-ups that fail, with their type, such as `TXT example.com`. */
  readonly broken = new Set<string>();

  set(type: 'A' | 'TXT' | 'CNAME' | 'NS' | 'SOA' | 'PTR', name: string, ...values: string[]): this {
    this.records.set(`${type} ${name}`, values);
    return this;
  }

  override async mx(name: string): Promise<DnsAnswer<MxRecord>> {
    if (this.broken.has(`MX ${name}`)) return { outcome: 'error', reason: 'The name server did not answer in time' };
    const values = this.mxRecords.get(name);
    if (values === undefined) return { outcome: 'missing' };
    return { outcome: 'found', values: values.toSorted((one, other) => one.priority - other.priority) };
  }

  override addresses(name: string): Promise<DnsAnswer<string>> {
    return this.lookUp('A', name);
  }

  override async addressesOf(family: 4 | 6, name: string): Promise<DnsAnswer<string>> {
    const answer = await this.addresses(name);
    if (answer.outcome !== 'found') return answer;
    const values = answer.values.filter((value) => value.includes(':') === (family === 6));
    return values.length === 0 ? { outcome: 'missing' } : { outcome: 'found', values };
  }

  override ptr(name: string): Promise<DnsAnswer<string>> {
    return this.lookUp('PTR', name);
  }

  override txt(name: string): Promise<DnsAnswer<string>> {
    return this.lookUp('TXT', name);
  }

  override cname(name: string): Promise<DnsAnswer<string>> {
    return this.lookUp('CNAME', name);
  }

  override ns(name: string): Promise<DnsAnswer<string>> {
    return this.lookUp('NS', name);
  }

  override soa(name: string): Promise<DnsAnswer<string>> {
    return this.lookUp('SOA', name);
  }

  private async lookUp(type: string, name: string): Promise<DnsAnswer<string>> {
    if (this.broken.has(`${type} ${name}`))
      return { outcome: 'error', reason: 'The name server did not answer in time' };
    const values = this.records.get(`${type} ${name}`);
    return values === undefined ? { outcome: 'missing' } : { outcome: 'found', values };
  }
}
