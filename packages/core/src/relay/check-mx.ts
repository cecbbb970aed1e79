import type { DomainName } from '../domains/domain-name.js';
import { conclude, couldNotCheck, type DnsCheck, type DnsQuestion } from './dns-check.js';
import type { DnsResolver } from './dns-resolver.js';

const NULL_MX = '.';

/**
 * Checks whether mail for the domain arrives at this platform: at least one MX must name a host of the platform.
 * @param hosts the mail hosts of the platform, lower case (`MX_HOSTS`); empty when none are set.
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
  const [status, detail] = compareHosts(domain, hosts, found);
  return conclude(question, status, detail, found);
}

function compareHosts(domain: DomainName, hosts: string[], found: string[]): ['ok' | 'missing' | 'mismatch', string] {
  if (found.length === 0) return ['missing', `${domain} has no MX record.${publish(hosts)}`];
  if (found.includes(NULL_MX)) {
    return ['mismatch', `${domain} has a null MX, which means that it accepts no mail.${publish(hosts)}`];
  }
  if (hosts.length === 0) return ['ok', 'MX_HOSTS is not set, so the mail hosts cannot be compared.'];
  const absent = hosts.filter((host) => !found.includes(host));
  const otherHosts = found.filter((host) => !hosts.includes(host));
  if (absent.length === hosts.length) return ['mismatch', `${explain(domain, hosts, otherHosts)}${publish(hosts)}`];
  if (otherHosts.length > 0) {
    return ['ok', `Mail arrives here, but some may also be delivered to ${otherHosts.join(', ')}.`];
  }
  if (absent.length > 0)
    return ['ok', `Mail arrives here. Add ${absent.join(', ')} so that mail still arrives when one host fails.`];
  return ['ok', 'The MX records are as expected.'];
}

function explain(domain: DomainName, hosts: string[], otherHosts: string[]): string {
  const doubled = hosts.find((host) => otherHosts.includes(`${host}.${domain}`));
  if (doubled === undefined) return `Mail for ${domain} is delivered to other hosts: ${otherHosts.join(', ')}.`;
  return `The MX names ${doubled}.${domain}: the domain name was appended to the host. End the host with a dot, or leave the domain out.`;
}

function publish(hosts: string[]): string {
  return hosts.length === 0 ? '' : ` Publish an MX record for ${hosts.join(' and ')}.`;
}
