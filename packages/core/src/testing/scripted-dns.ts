import { type DnsAnswer, DnsResolver, type MxRecord } from '../relay/dns-resolver.js';

/** A DNS whose records a test sets; what is not set is missing. */
export class ScriptedDns extends DnsResolver {
  readonly records = new Map<string, string[]>();
  readonly mxRecords = new Map<string, MxRecord[]>();
  /** Names (with their type, like `TXT example.com`) that cannot be looked up. */
  readonly broken = new Set<string>();

  set(type: 'TXT' | 'CNAME', name: string, ...values: string[]): void {
    this.records.set(`${type} ${name}`, values);
  }

  override async mx(name: string): Promise<DnsAnswer<MxRecord>> {
    if (this.broken.has(`MX ${name}`)) return { outcome: 'error', reason: 'The name server did not answer in time' };
    const values = this.mxRecords.get(name);
    return values === undefined ? { outcome: 'missing' } : { outcome: 'found', values };
  }

  override txt(name: string): Promise<DnsAnswer<string>> {
    return this.look('TXT', name);
  }

  override cname(name: string): Promise<DnsAnswer<string>> {
    return this.look('CNAME', name);
  }

  private async look(type: string, name: string): Promise<DnsAnswer<string>> {
    if (this.broken.has(`${type} ${name}`))
      return { outcome: 'error', reason: 'The name server did not answer in time' };
    const values = this.records.get(`${type} ${name}`);
    return values === undefined ? { outcome: 'missing' } : { outcome: 'found', values };
  }
}
