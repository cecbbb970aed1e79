import type { DomainName } from '../domains/domain-name.js';
import { conclude, couldNotCheck, type DnsCheck, type DnsQuestion } from './dns-check.js';
import type { DnsResolver } from './dns-resolver.js';

const NULL_MX = '.';

/**
 * Whether mail for the domain arrives here: at least one MX names a host of the platform.
 * @param hosts the platform's mail hosts, lower case (`MX_HOSTS`); empty when none are set.
 */
export async function checkMx(dns: DnsResolver, domain: DomainName, hosts: string[]): Promise<DnsCheck> {
  const question: DnsQuestion = {
    record: 'mx',
    type: 'MX',
    name: domain,
    expected: hosts,
    required: hosts.length > 0,
  };
  const answer = await dns.mx(domain);
  if (answer.outcome === 'error') return couldNotCheck(question, answer.reason);
  const found =
    answer.outcome === 'found' ? answer.values.map(({ exchange }) => (exchange === '' ? NULL_MX : exchange)) : [];
  const [status, detail] = judge(domain, hosts, found);
  return conclude(question, status, detail, found);
}

function judge(domain: DomainName, hosts: string[], found: string[]): ['ok' | 'missing' | 'mismatch', string] {
  if (found.length === 0) return ['missing', `${domain} has no MX record.${publish(hosts)}`];
  if (found.includes(NULL_MX)) {
    return ['mismatch', `${domain} has a null MX, which tells senders that it takes no mail at all.${publish(hosts)}`];
  }
  if (hosts.length === 0) return ['ok', 'MX_HOSTS is not set, so the mail hosts cannot be compared.'];
  const absent = hosts.filter((host) => !found.includes(host));
  const strangers = found.filter((host) => !hosts.includes(host));
  if (absent.length === hosts.length) return ['mismatch', `${explain(domain, hosts, strangers)}${publish(hosts)}`];
  if (strangers.length > 0) {
    return ['ok', `Mail arrives here, but some may also be delivered to ${strangers.join(', ')}.`];
  }
  if (absent.length > 0)
    return ['ok', `Mail arrives here. Add ${absent.join(', ')} so that it also does if one fails.`];
  return ['ok', 'The MX records are as expected.'];
}

function explain(domain: DomainName, hosts: string[], strangers: string[]): string {
  const doubled = hosts.find((host) => strangers.includes(`${host}.${domain}`));
  if (doubled === undefined) return `Mail for ${domain} goes elsewhere, to ${strangers.join(', ')}.`;
  return `The MX names ${doubled}.${domain}: the domain name was appended to the host. End the host with a dot, or leave the domain out.`;
}

function publish(hosts: string[]): string {
  return hosts.length === 0 ? '' : ` Publish an MX record for ${hosts.join(' and ')}.`;
}
