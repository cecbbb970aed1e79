import type { DomainName } from '../domains/domain-name.js';
import { conclude, couldNotCheck, type DnsCheck, type DnsCheckStatus, type DnsQuestion, listed } from './dns-check.js';
import { type DnsFinding, finding } from './dns-findings.js';
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
  const [status, result] = hosts.length === 0 ? checkPresence(domain, found) : compareHosts(domain, hosts, found);
  const foreign = found.filter((host) => !hosts.includes(host));
  const isBesideOurs = hosts.length > 0 && status === 'ok' && foreign.length > 0;
  const warnings = isBesideOurs ? [finding('foreign_mx', { hosts: listed(foreign) })] : [];
  return conclude(question, status, result, { found, warnings });
}

function compareHosts(domain: DomainName, expected: string[], found: string[]): [DnsCheckStatus, DnsFinding] {
  const hosts = expected.join(', ');
  if (found.length === 0) return ['missing', finding('mx_missing', { name: domain, hosts })];
  if (found.includes(NULL_MX)) return ['mismatch', finding('mx_null', { name: domain, hosts })];
  const absent = expected.filter((host) => !found.includes(host));
  if (absent.length === expected.length) return ['mismatch', explain(domain, expected, found)];
  if (absent.length > 0) return ['ok', finding('mx_incomplete', { hosts: absent.join(', ') })];
  return ['ok', finding(found.every((host) => expected.includes(host)) ? 'mx_ok' : 'mx_arrives')];
}

/** Without `MX_HOSTS`, only the presence of an MX can be checked. */
function checkPresence(domain: DomainName, found: string[]): [DnsCheckStatus, DnsFinding] {
  if (found.length === 0) return ['missing', finding('mx_missing_hosts_unset', { name: domain })];
  if (found.includes(NULL_MX)) return ['mismatch', finding('mx_null_hosts_unset', { name: domain })];
  return ['ok', finding('mx_hosts_unset')];
}

function explain(domain: DomainName, expected: string[], found: string[]): DnsFinding {
  const hosts = expected.join(', ');
  const doubled = expected.find((host) => found.includes(`${host}.${domain}`));
  return doubled === undefined
    ? finding('mx_elsewhere', { name: domain, found: listed(found), hosts })
    : finding('mx_host_doubled', { host: doubled, domain, hosts });
}
