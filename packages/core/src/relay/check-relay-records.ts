import type { DomainName } from '../domains/domain-name.js';
import { checkDkimCname } from './check-dkim-cname.js';
import { dkimKeys } from './dkim-keys.js';
import {
  conclude,
  couldNotCheck,
  type DnsCheck,
  type DnsQuestion,
  doubledFinding,
  doubledName,
  findingsOf,
  unquoted,
  valuesOf,
} from './dns-check.js';
import { type DnsFinding, finding } from './dns-findings.js';
import type { DnsRecord } from './dns-records.js';
import type { DnsResolver } from './dns-resolver.js';

/** What the relay provider wants to be published, and what it says of it. */
export interface WantedOfHolder {
  /** Empty until the provider has created them. */
  records: DnsRecord[];
  /** Why the provider has created no records, a sentence; null when it was not called yet. */
  failure: string | null;
  /** Whether the provider has reported that it found the records. Until then each that is right has a warning. */
  isConfirmed: boolean;
}

/** Checks each record of the relay provider. Without records it returns one check with the reason. */
export async function checkRelayRecords(
  dns: DnsResolver,
  domain: DomainName,
  { records, failure, isConfirmed }: WantedOfHolder,
): Promise<DnsCheck[]> {
  if (records.length === 0) {
    const question = questionOf({ purpose: 'dkim', type: 'CNAME', name: `_domainkey.${domain}` }, []);
    const result = failure === null ? finding('dkim_not_created') : finding('dkim_refused', { reason: failure });
    return [conclude(question, 'error', result)];
  }
  const checks = await Promise.all(records.map((record) => checkRecord(dns, domain, record, records)));
  return isConfirmed ? checks : checks.map(withoutConfirmation);
}

function withoutConfirmation(check: DnsCheck): DnsCheck {
  if (check.status !== 'ok') return check;
  const [first, ...warnings] = findingsOf(check);
  return conclude(check, 'ok', first, { found: check.found, warnings: [...warnings, finding('dkim_unconfirmed')] });
}

function questionOf({ purpose, type, name }: Omit<DnsRecord, 'value'>, expected: string[]): DnsQuestion {
  return { record: purpose, type, name, expected, required: true };
}

function checkRecord(dns: DnsResolver, domain: DomainName, record: DnsRecord, records: DnsRecord[]): Promise<DnsCheck> {
  const question = questionOf(record, [record.value]);
  return record.type === 'TXT'
    ? checkTxt(dns, domain, question, record.value)
    : checkDkimCname(dns, domain, question, record.value, records);
}

/** @param value the DKIM record that the provider wants, whose key must be the only one at the name */
async function checkTxt(dns: DnsResolver, domain: DomainName, question: DnsQuestion, value: string): Promise<DnsCheck> {
  const { name } = question;
  const answer = await dns.txt(name);
  if (answer.outcome === 'error') return couldNotCheck(question, answer.reason);
  const [wanted] = dkimKeys([value]);
  const isWanted = (key: string) => key === wanted && key !== '';
  if (answer.outcome === 'found') {
    const found = answer.values;
    const keys = dkimKeys(found);
    if (keys.length === 1 && keys.some(isWanted)) return conclude(question, 'ok', finding('dkim_ok'), { found });
    return conclude(question, 'mismatch', explainKeys(name, keys, dkimKeys(found.map(unquoted)).some(isWanted)), {
      found,
    });
  }
  const misplaced = valuesOf(await dns.txt(doubledName(name, domain)));
  const result = dkimKeys(misplaced).some(isWanted)
    ? doubledFinding(name, domain)
    : finding('dkim_txt_missing', { name });
  return conclude(question, 'missing', result);
}

function explainKeys(name: string, keys: string[], isQuoted: boolean): DnsFinding {
  if (keys.length > 1) return finding('dkim_duplicate', { name, count: String(keys.length) });
  if (keys.includes('')) return finding('dkim_revoked', { name });
  return finding(isQuoted ? 'dkim_quoted' : 'dkim_other_value');
}
