import type { DomainName } from '../domains/domain-name.js';
import {
  conclude,
  couldNotCheck,
  type DnsCheck,
  type DnsQuestion,
  doubledName,
  unquoted,
  valuesOf,
} from './dns-check.js';
import type { DnsRecord } from './dns-records.js';
import type { DnsResolver } from './dns-resolver.js';

/**
 * Checks each record of the relay provider. Without records it returns one check with the reason.
 * @param failure why the provider has created no records, a sentence; null when it was not called yet.
 */
export function checkRelayRecords(
  dns: DnsResolver,
  domain: DomainName,
  records: DnsRecord[],
  failure: string | null,
): Promise<DnsCheck[]> {
  if (records.length > 0) return Promise.all(records.map((record) => checkRecord(dns, domain, record, records)));
  const question = questionOf({ purpose: 'dkim', type: 'CNAME', name: `_domainkey.${domain}` }, []);
  const reason = failure ?? 'The relay provider has not created the DKIM keys of this domain yet.';
  return Promise.resolve([conclude(question, 'error', reason)]);
}

function questionOf({ purpose, type, name }: Omit<DnsRecord, 'value'>, expected: string[]): DnsQuestion {
  return { record: purpose, type, name, expected, required: true };
}

function checkRecord(dns: DnsResolver, domain: DomainName, record: DnsRecord, records: DnsRecord[]): Promise<DnsCheck> {
  const question = questionOf(record, [record.value]);
  return record.type === 'TXT'
    ? checkTxt(dns, domain, question, record.value)
    : checkCname(dns, domain, question, record.value, records);
}

async function checkTxt(dns: DnsResolver, domain: DomainName, question: DnsQuestion, value: string): Promise<DnsCheck> {
  const answer = await dns.txt(question.name);
  if (answer.outcome === 'error') return couldNotCheck(question, answer.reason);
  if (answer.outcome === 'found') {
    const { values } = answer;
    if (values.some((each) => isSameTags(each, value))) {
      return conclude(question, 'ok', 'The DKIM record is as expected.', values);
    }
    const detail = values.some((each) => isSameTags(unquoted(each), value))
      ? 'The value has quotation marks around it. Enter it without them.'
      : 'No TXT record at this name has the expected value. Replace it with the value shown.';
    return conclude(question, 'mismatch', detail, values);
  }
  const misplaced = valuesOf(await dns.txt(doubledName(question.name, domain)));
  const detail = misplaced.some((each) => isSameTags(each, value))
    ? doubledDetail(question.name, domain)
    : `There is no TXT record at ${question.name}. Publish one with the value shown.`;
  return conclude(question, 'missing', detail);
}

/** White space between the tags of a DKIM record, and within its key, has no meaning (RFC 6376 section 3.2). */
function isSameTags(one: string, other: string): boolean {
  return one.replaceAll(/\s/g, '') === other.replaceAll(/\s/g, '');
}

async function checkCname(
  dns: DnsResolver,
  domain: DomainName,
  question: DnsQuestion,
  target: string,
  records: DnsRecord[],
): Promise<DnsCheck> {
  const answer = await dns.cname(question.name);
  if (answer.outcome === 'error') return couldNotCheck(question, answer.reason);
  if (answer.outcome === 'missing') return checkWithoutCname(dns, domain, question, target);
  const { values } = answer;
  if (values.includes(target)) return conclude(question, 'ok', 'The DKIM record is as expected.', values);
  return conclude(question, 'mismatch', explainMismatch(values, domain, target, records), values);
}

/**
 * Some DNS providers answer for a CNAME with the TXT record of its target (flattening). The relay provider accepts that
 * too.
 */
async function checkWithoutCname(
  dns: DnsResolver,
  domain: DomainName,
  question: DnsQuestion,
  target: string,
): Promise<DnsCheck> {
  const { name } = question;
  const [own, atTarget, misplaced] = await Promise.all([
    dns.txt(name),
    dns.txt(target),
    dns.cname(doubledName(name, domain)),
  ]);
  if (own.outcome === 'error') return couldNotCheck(question, own.reason);
  if (own.outcome === 'found') return checkFlattened(question, target, own.values, atTarget);
  const detail = valuesOf(misplaced).includes(target)
    ? doubledDetail(name, domain)
    : `There is no CNAME record at ${name}. Publish one that points to ${target}.`;
  return conclude(question, 'missing', detail);
}

function checkFlattened(
  question: DnsQuestion,
  target: string,
  found: string[],
  atTarget: Awaited<ReturnType<DnsResolver['txt']>>,
): DnsCheck {
  if (found.map(unquoted).some((value) => value.replace(/\.$/, '') === target)) {
    return conclude(question, 'mismatch', 'The value was published as TXT. The type must be CNAME.', found);
  }
  if (atTarget.outcome === 'error') return couldNotCheck(question, atTarget.reason);
  const keys = valuesOf(atTarget);
  if (found.some((value) => keys.includes(value))) {
    return conclude(question, 'ok', 'The key is published as TXT instead of the CNAME, and it is correct.', found);
  }
  const detail = `A TXT record at this name is not the key of ${target}. Replace it with a CNAME that points to ${target}.`;
  return conclude(question, 'mismatch', detail, found);
}

function explainMismatch(found: string[], domain: DomainName, target: string, records: DnsRecord[]): string {
  if (found.includes(`${target}.${domain}`)) {
    return `The domain name was appended to the target. Enter ${target} with a dot at the end.`;
  }
  if (records.some(({ type, value }) => type === 'CNAME' && value !== target && found.includes(value))) {
    return `This name points to another key of the domain. It must point to ${target}.`;
  }
  const key = target.slice(0, target.indexOf('.') + 1);
  if (found.some((value) => value.startsWith(key))) {
    return `The key is correct, but the zone is not: the target must end in ${target.slice(key.length)}.`;
  }
  return `The CNAME points to ${found.join(', ')}. It must point to ${target}.`;
}

function doubledDetail(name: string, domain: DomainName): string {
  return `The record is at ${doubledName(name, domain)}: the domain name was appended twice. Enter the name without ${domain}.`;
}
