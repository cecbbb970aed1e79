import type { DomainName } from '../domains/domain-name.js';
import {
  conclude,
  couldNotCheck,
  type DnsCheck,
  type DnsCheckStatus,
  type DnsQuestion,
  listed,
  valuesOf,
} from './dns-check.js';
import { type DnsFinding, finding } from './dns-findings.js';
import type { DnsResolver } from './dns-resolver.js';

const NULL_MX = '.';
/** The hosts whose addresses are looked up. The owner of the domain decides how many MX records there are. */
const MAX_EXCHANGES = 10;
/** The characters of a name that can be looked up. A record may have others, such as those of `http://mx.example`. */
const HOST = /^[a-z0-9._-]+$/;

/** Which names have an address of the platform. */
interface AddressComparison {
  /** In the order of the names. */
  atOurs: string[];
  /** Whether it is certain that no name has any address. */
  areAllMissing: boolean;
  /** The first look-up that failed, of a name or of a host of the platform; null when none did. */
  failed: { name: string; reason: string } | null;
}

/**
 * Checks whether mail for the domain arrives at this platform. It does when an MX names a host of the platform, or a
 * name that has an address of such a host; without any MX, when the domain has one (RFC 5321 section 5.1). Addresses
 * are looked up only when no MX names a host of the platform.
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
  const found = valuesOf(answer).map(({ exchange }) => (exchange === '' ? NULL_MX : exchange));
  if (hosts.length === 0) return conclude(question, ...checkPresence(domain, found), { found });
  if (found.length === 0) return checkDomainAddress(dns, domain, question);
  if (found.includes(NULL_MX)) {
    return conclude(question, 'mismatch', finding('mx_null', { name: domain, hosts: hosts.join(', ') }), { found });
  }
  if (!found.some((host) => hosts.includes(host))) return checkExchangeAddresses(dns, domain, question, found);
  return conclude(question, 'ok', compareHosts(hosts, found), { found, warnings: warnOf(found, hosts) });
}

/** Without `MX_HOSTS`, only the presence of an MX can be checked. */
function checkPresence(domain: DomainName, found: string[]): [DnsCheckStatus, DnsFinding] {
  if (found.length === 0) return ['missing', finding('mx_missing_hosts_unset', { name: domain })];
  if (found.includes(NULL_MX)) return ['mismatch', finding('mx_null_hosts_unset', { name: domain })];
  return ['ok', finding('mx_hosts_unset')];
}

/** Without any MX, senders deliver to the addresses of the domain (RFC 5321 section 5.1). */
async function checkDomainAddress(dns: DnsResolver, domain: DomainName, question: DnsQuestion): Promise<DnsCheck> {
  const params = { name: domain, hosts: question.expected.join(', ') };
  const { atOurs, areAllMissing, failed } = await compareAddresses(dns, [domain], question.expected);
  if (atOurs.length > 0) return conclude(question, 'ok', finding('mx_implicit', params));
  // A domain without addresses gets no mail, whatever the addresses of the platform are.
  if (failed === null || areAllMissing) return conclude(question, 'missing', finding('mx_missing', params));
  return conclude(question, 'error', finding('lookup_failed', failed));
}

/** @param found the hosts of the MX records, none of which is one of the platform */
async function checkExchangeAddresses(
  dns: DnsResolver,
  domain: DomainName,
  question: DnsQuestion,
  found: string[],
): Promise<DnsCheck> {
  const names = [...new Set(found)].filter((host) => HOST.test(host)).slice(0, MAX_EXCHANGES);
  const { atOurs, failed } = await compareAddresses(dns, names, question.expected);
  const [host] = atOurs;
  if (host !== undefined) {
    return conclude(question, 'ok', finding('mx_own_name', { host }), { found, warnings: warnOf(found, atOurs) });
  }
  if (failed !== null) return conclude(question, 'error', finding('lookup_failed', failed), { found });
  return conclude(question, 'mismatch', explain(domain, question.expected, found), { found });
}

/** Looks up the addresses of the names and of our hosts, all concurrently. */
async function compareAddresses(dns: DnsResolver, names: string[], hosts: string[]): Promise<AddressComparison> {
  if (names.length === 0) return { atOurs: [], areAllMissing: true, failed: null };
  const lookUp = async (name: string) => ({ name, answer: await dns.addresses(name) });
  const [theirs, own] = await Promise.all([Promise.all(names.map(lookUp)), Promise.all(hosts.map(lookUp))]);
  const ours = new Set(own.flatMap(({ answer }) => valuesOf(answer)));
  const atOurs = theirs.filter(({ answer }) => valuesOf(answer).some((address) => ours.has(address)));
  const failures = [...theirs, ...own].flatMap(({ name, answer }) =>
    answer.outcome === 'error' ? [{ name, reason: answer.reason }] : [],
  );
  return {
    atOurs: atOurs.map(({ name }) => name),
    areAllMissing: theirs.every(({ answer }) => answer.outcome === 'missing'),
    failed: failures[0] ?? null,
  };
}

/** @param found the hosts of the MX records, at least one of which is expected */
function compareHosts(expected: string[], found: string[]): DnsFinding {
  const absent = expected.filter((host) => !found.includes(host));
  if (absent.length > 0) return finding('mx_incomplete', { hosts: absent.join(', ') });
  return finding(found.every((host) => expected.includes(host)) ? 'mx_ok' : 'mx_arrives');
}

/** @param ours the hosts by which mail arrives here */
function warnOf(found: string[], ours: string[]): DnsFinding[] {
  const foreign = found.filter((host) => !ours.includes(host));
  return foreign.length > 0 ? [finding('foreign_mx', { hosts: listed(foreign) })] : [];
}

function explain(domain: DomainName, expected: string[], found: string[]): DnsFinding {
  const hosts = expected.join(', ');
  const doubled = expected.find((host) => found.includes(`${host}.${domain}`));
  return doubled === undefined
    ? finding('mx_elsewhere', { name: domain, found: listed(found), hosts })
    : finding('mx_host_doubled', { host: doubled, domain, hosts });
}
