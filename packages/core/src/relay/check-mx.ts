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
import type { DnsResolver, MxRecord } from './dns-resolver.js';
import { sayableHosts } from './front-hosts.js';
import { mailboxProviderOf } from './mailbox-providers.js';
import { type Arrival, arrivalOf } from './mx-arrival.js';

const NULL_MX = '.';
/** The hosts whose addresses are looked up. The owner of the domain decides how many MX records there are. */
const MAX_EXCHANGES = 10;
/** The characters of a name that can be looked up. A record may have others, such as those of `http://mx.example`. */
const HOST = /^[a-z0-9._-]+$/;

/** Which names have an address of the platform. */
interface AddressComparison {
  /** In the order of the names. */
  atOurs: string[];
  /** Those that may have one, because a look-up failed. */
  uncertain: string[];
  /** The first look-up that failed, of a name or of a host of the platform; null when none did. */
  failed: { name: string; reason: string } | null;
}

/** The MX records of a domain, and what they are compared with. */
interface Published {
  domain: DomainName;
  question: DnsQuestion;
  records: MxRecord[];
  said: readonly string[];
}

/**
 * Checks whether mail for the domain arrives at this platform first. It does when an MX with the lowest number names a
 * host of the platform, or a name that has an address of such a host; without any MX, when the domain has one (RFC 5321
 * section 5.1). Addresses of names are looked up only when mail would arrive at them first, and nobody knows them.
 *
 * @param hosts the mail hosts of the platform, lower case (`MX_HOSTS`); empty when none are set
 * @param said the hosts that stand in front of ours, as the holder of the domain said
 */
export async function checkMx(
  dns: DnsResolver,
  domain: DomainName,
  hosts: string[],
  said: readonly string[],
): Promise<DnsCheck> {
  const question: DnsQuestion = {
    record: 'mx',
    type: 'MX',
    name: domain,
    expected: hosts,
    required: hosts.length > 0,
  };
  const answer = await dns.mx(domain);
  if (answer.outcome === 'error') return couldNotCheck(question, answer.reason);
  const records = valuesOf(answer);
  const found = hostsOf(records);
  if (hosts.length === 0) return conclude(question, ...checkPresence(domain, found), { found });
  if (found.length === 0) return checkDomainAddress(dns, domain, question);
  if (found.includes(NULL_MX)) {
    return conclude(question, 'mismatch', finding('mx_null', { name: domain, hosts: hosts.join(', ') }), { found });
  }
  return checkArrival(dns, { domain, question, records, said });
}

function hostsOf(records: readonly MxRecord[]): string[] {
  return records.map(({ exchange }) => (exchange === '' ? NULL_MX : exchange));
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
  const { atOurs, uncertain, failed } = await compareAddresses(dns, [domain], question.expected);
  if (atOurs.length > 0) return conclude(question, 'ok', finding('mx_implicit', params));
  // A domain without addresses gets no mail, whatever the addresses of the platform are.
  if (uncertain.length === 0 || failed === null) return conclude(question, 'missing', finding('mx_missing', params));
  return conclude(question, 'error', finding('lookup_failed', failed));
}

/** By the names alone where they decide, else by the addresses of those at which mail would arrive first. */
async function checkArrival(dns: DnsResolver, published: Published): Promise<DnsCheck> {
  const { question, records, said } = published;
  const found = hostsOf(records);
  const named = question.expected.filter((host) => found.includes(host));
  const byNames = arrivalOf(records, new Set(named), said);
  if (byNames.verdict === 'right') return concludeRight(published, { named, atOurs: [] }, byNames);
  const names = byNames.first.filter((host) => HOST.test(host) && mailboxProviderOf(host) === null);
  const { atOurs, uncertain, failed } = await compareAddresses(dns, names.slice(0, MAX_EXCHANGES), question.expected);
  const ours = [...named, ...atOurs];
  const arrival = arrivalOf(records, new Set(ours), said);
  // Names whose look-up failed may be the customer's own, which decides only when they come first.
  const hoped = arrivalOf(records, new Set([...ours, ...uncertain]), said);
  if (failed !== null && hoped.verdict !== arrival.verdict) {
    return conclude(question, 'error', finding('lookup_failed', failed), { found });
  }
  if (arrival.verdict === 'right') return concludeRight(published, { named, atOurs }, arrival);
  const wrong = findWrong(published, ours, arrival);
  const first = wrong.code === 'mx_host_doubled' ? [] : sayableHosts(arrival.first);
  return { ...conclude(question, 'mismatch', wrong, { found }), first };
}

/** Looks up the addresses of the names and of our hosts, all concurrently. */
async function compareAddresses(dns: DnsResolver, names: string[], hosts: string[]): Promise<AddressComparison> {
  if (names.length === 0) return { atOurs: [], uncertain: [], failed: null };
  const lookUp = async (name: string) => ({ name, answer: await dns.addresses(name) });
  const [theirs, own] = await Promise.all([Promise.all(names.map(lookUp)), Promise.all(hosts.map(lookUp))]);
  const ours = new Set(own.flatMap(({ answer }) => valuesOf(answer)));
  const atOurs = theirs.filter(({ answer }) => valuesOf(answer).some((address) => ours.has(address)));
  const areOursKnown = own.every(({ answer }) => answer.outcome !== 'error');
  const uncertain = theirs.filter(
    (each) =>
      each.answer.outcome === 'error' || (each.answer.outcome === 'found' && !areOursKnown && !atOurs.includes(each)),
  );
  const failures = [...theirs, ...own].flatMap(({ name, answer }) =>
    answer.outcome === 'error' ? [{ name, reason: answer.reason }] : [],
  );
  return {
    atOurs: atOurs.map(({ name }) => name),
    uncertain: uncertain.map(({ name }) => name),
    failed: failures[0] ?? null,
  };
}

/** Mail arrives here first, or at hosts that pass it on. */
function concludeRight(
  { question, records }: Published,
  { named, atOurs }: { named: string[]; atOurs: string[] },
  { first, behind }: Arrival,
): DnsCheck {
  const found = hostsOf(records);
  const warnings = behind.length > 0 ? [finding('foreign_mx', { hosts: listed(behind) })] : [];
  const [own] = atOurs;
  if (first.length > 0)
    return conclude(question, 'ok', finding('mx_in_front', { found: listed(first) }), { found, warnings });
  const right =
    named.length === 0 && own !== undefined
      ? finding('mx_own_name', { host: own })
      : compareHosts(question.expected, found);
  return conclude(question, 'ok', right, { found, warnings });
}

/** @param found the hosts of the MX records, at least one of which is expected */
function compareHosts(expected: string[], found: string[]): DnsFinding {
  const absent = expected.filter((host) => !found.includes(host));
  if (absent.length > 0) return finding('mx_incomplete', { hosts: absent.join(', ') });
  return finding(found.every((host) => expected.includes(host)) ? 'mx_ok' : 'mx_arrives');
}

/** @param ours the hosts by which mail arrives here, behind others */
function findWrong(
  { domain, question, records, said }: Published,
  ours: readonly string[],
  { first }: Arrival,
): DnsFinding {
  const found = hostsOf(records);
  const hosts = question.expected.join(', ');
  const doubled = question.expected.find((host) => found.includes(`${host}.${domain}`));
  if (ours.length === 0 && doubled !== undefined) return finding('mx_host_doubled', { host: doubled, domain, hosts });
  const mailboxes = first.filter((host) => !said.includes(host) && mailboxProviderOf(host) !== null);
  if (mailboxes.length > 0) {
    const provider = [...new Set(mailboxes.map(mailboxProviderOf))].join(', ');
    return finding('mx_mailboxes', { name: domain, found: listed(mailboxes), provider, hosts });
  }
  return ours.length === 0
    ? finding('mx_elsewhere', { name: domain, found: listed(found), hosts })
    : finding('mx_behind', { name: domain, found: listed(first) });
}
