import { type ExpectedHosts } from '@mailstead/core/relay/dns-expectations';
import { type DnsAnswer, DnsResolver, type MxRecord } from '@mailstead/core/relay/dns-resolver';
import { dkimTarget } from '../sandbox-relay/sandbox-relay-provider.js';
import type { InventedOutside } from './invented-outside.js';

const DOMAIN = /^[a-z0-9-]+\.example$/;
const DKIM = /^([0-9a-f]+)\._domainkey\.(.+)$/;
/** Addresses for documents (RFC 5737). */
const OUR_ADDRESS = '192.0.2.25';
const OTHER_ADDRESS = '198.51.100.25';
const OTHER_HOST = 'mx.other-mail.example';
const MAILBOX_HOST = 'aspmx.l.google.com';

/** Answers for the domains of a demo as name servers would. Asks nobody. */
export class InventedDns extends DnsResolver {
  /** @param expected the hosts of this installation, which exist */
  constructor(
    private readonly outside: InventedOutside,
    private readonly expected: ExpectedHosts,
  ) {
    super();
  }

  override async mx(name: string): Promise<DnsAnswer<MxRecord>> {
    if (!DOMAIN.test(name)) return { outcome: 'missing' };
    return found(...this.exchangesOf(name).map((exchange, index) => ({ exchange, priority: 10 * (index + 1) })));
  }

  override async txt(name: string): Promise<DnsAnswer<string>> {
    const { spfInclude } = this.expected;
    if (name === spfInclude) return found('v=spf1 ip4:192.0.2.0/24 -all');
    if (name.startsWith('_dmarc.') && DOMAIN.test(name.slice('_dmarc.'.length))) return found('v=DMARC1; p=quarantine');
    const hasSpf = spfInclude !== null && DOMAIN.test(name) && !this.lacks(name).includes('spf');
    return hasSpf ? found(`v=spf1 include:${spfInclude} ~all`) : { outcome: 'missing' };
  }

  override async addresses(name: string): Promise<DnsAnswer<string>> {
    if (this.expected.mxHosts.includes(name)) return found(OUR_ADDRESS);
    return name === OTHER_HOST || name === MAILBOX_HOST ? found(OTHER_ADDRESS) : { outcome: 'missing' };
  }

  override async addressesOf(family: 4 | 6, name: string): Promise<DnsAnswer<string>> {
    return family === 4 ? this.addresses(name) : { outcome: 'missing' };
  }

  override async cname(name: string): Promise<DnsAnswer<string>> {
    const [, key, domain] = DKIM.exec(name) ?? [];
    if (key === undefined || domain === undefined || this.outside.fates.has(domain)) return { outcome: 'missing' };
    return found(dkimTarget(key));
  }

  override async ptr(): Promise<DnsAnswer<string>> {
    return { outcome: 'missing' };
  }

  override async ns(): Promise<DnsAnswer<string>> {
    return { outcome: 'missing' };
  }

  override async soa(): Promise<DnsAnswer<string>> {
    return { outcome: 'missing' };
  }

  private exchangesOf(name: string): readonly string[] {
    const lacks = this.lacks(name);
    if (lacks.includes('mx')) return [];
    if (lacks.includes('mx_elsewhere')) return [OTHER_HOST];
    return lacks.includes('mx_mailboxes') ? [MAILBOX_HOST] : this.expected.mxHosts;
  }

  private lacks(name: string): readonly string[] {
    return this.outside.lacks.get(name) ?? [];
  }
}

function found<T>(...values: T[]): DnsAnswer<T> {
  return values.length === 0 ? { outcome: 'missing' } : { outcome: 'found', values };
}
