import type { DomainName } from '../domains/domain-name.js';
import {
  conclude,
  couldNotCheck,
  type DnsCheck,
  type DnsQuestion,
  doubledName,
  listed,
  unquoted,
  valuesOf,
} from './dns-check.js';
import { type DnsFinding, finding } from './dns-findings.js';
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
  const result = failure === null ? finding('dkim_not_created') : finding('dkim_refused', { reason: failure });
  return Promise.resolve([conclude(question, 'error', result)]);
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
      return conclude(question, 'ok', finding('dkim_ok'), { found: values });
    }
    const isQuoted = values.some((each) => isSameTags(unquoted(each), value));
    return conclude(question, 'mismatch', finding(isQuoted ? 'dkim_quoted' : 'dkim_other_value'), { found: values });
  }
  const misplaced = valuesOf(await dns.txt(doubledName(question.name, domain)));
  const result = misplaced.some((each) => isSameTags(each, value))
    ? doubled(question.name, domain)
    : finding('dkim_txt_missing', { name: question.name });
  return conclude(question, 'missing', result);
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
  if (values.includes(target)) return conclude(question, 'ok', finding('dkim_ok'), { found: values });
  return conclude(question, 'mismatch', explainMismatch(values, domain, target, records), { found: values });
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
  const result = valuesOf(misplaced).includes(target)
    ? doubled(name, domain)
    : finding('dkim_cname_missing', { name, target });
  return conclude(question, 'missing', result);
}

function checkFlattened(
  question: DnsQuestion,
  target: string,
  found: string[],
  atTarget: Awaited<ReturnType<DnsResolver['txt']>>,
): DnsCheck {
  if (found.map(unquoted).some((value) => value.replace(/\.$/, '') === target)) {
    return conclude(question, 'mismatch', finding('dkim_wrong_type'), { found });
  }
  if (atTarget.outcome === 'error') return couldNotCheck(question, atTarget.reason);
  const keys = new Set(valuesOf(atTarget));
  if (found.some((value) => keys.has(value))) {
    return conclude(question, 'ok', finding('dkim_flattened'), { found });
  }
  return conclude(question, 'mismatch', finding('dkim_flattened_other', { target }), { found });
}

function explainMismatch(found: string[], domain: DomainName, target: string, records: DnsRecord[]): DnsFinding {
  if (found.includes(`${target}.${domain}`)) return finding('dkim_target_doubled', { target });
  if (records.some(({ type, value }) => type === 'CNAME' && value !== target && found.includes(value))) {
    return finding('dkim_other_key', { target });
  }
  const key = target.slice(0, target.indexOf('.') + 1);
  if (found.some((value) => value.startsWith(key))) {
    return finding('dkim_other_zone', { zone: target.slice(key.length) });
  }
  return finding('dkim_other_target', { found: listed(found), target });
}

function doubled(name: string, domain: DomainName): DnsFinding {
  return finding('name_doubled', { found_at: doubledName(name, domain), domain });
}
