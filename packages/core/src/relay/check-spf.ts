import type { DomainName } from '../domains/domain-name.js';
import { conclude, couldNotCheck, type DnsCheck, type DnsQuestion, unquoted } from './dns-check.js';
import { type DnsFinding, finding } from './dns-findings.js';
import type { DnsResolver } from './dns-resolver.js';
import { judgeForm, judgeSpf } from './spf/judge-spf.js';
import { relayAddresses } from './spf/relay-addresses.js';
import { SpfLookups } from './spf/spf-lookups.js';
import { isSpf, parseSpf } from './spf/spf-record.js';

/**
 * Checks whether receivers accept the relay as a sender of the domain (RFC 7208): there must be exactly one SPF record,
 * and it must allow the addresses that the record of `include` allows.
 * @param include the host that the record should include, lower case (`SPF_INCLUDE`); null when not set.
 */
export async function checkSpf(dns: DnsResolver, domain: DomainName, include: string | null): Promise<DnsCheck> {
  const wanted = include === null ? [] : [spfRecord(include)];
  const question: DnsQuestion = {
    record: 'spf',
    type: 'TXT',
    name: domain,
    expected: wanted,
    required: include !== null,
  };
  const lookups = new SpfLookups(dns);
  // Asked beside the record of the domain.
  const relay = include === null ? null : { include, addresses: relayAddresses(lookups, include) };
  const answer = await lookups.txt(domain);
  if (answer.outcome === 'error') return couldNotCheck(question, answer.reason);
  const values = answer.outcome === 'found' ? answer.values : [];
  const found = values.filter(isSpf);
  const [record] = found;
  if (record === undefined) return checkLookalikes(question, values);
  if (found.length > 1) {
    return conclude(question, 'mismatch', finding('spf_duplicate', { count: String(found.length) }), { found });
  }
  const { status, result, warnings } =
    relay === null
      ? await judgeForm(lookups, domain)
      : await judgeSpf(lookups, { domain, record: parseSpf(record), ...relay });
  return conclude(question, status, result, { found, warnings: distinct(result, warnings) });
}

/** The record of a domain that sends through the relay only. */
export function spfRecord(include: string): string {
  return `v=spf1 include:${include} ~all`;
}

function checkLookalikes(question: DnsQuestion, values: string[]): DnsCheck {
  const { name } = question;
  const [wanted] = question.expected;
  const quoted = values.filter((value) => isSpf(unquoted(value)));
  if (quoted.length > 0) return conclude(question, 'mismatch', finding('spf_quoted'), { found: quoted });
  const result =
    wanted === undefined
      ? finding('spf_missing_include_unset', { name })
      : finding('spf_missing', { name, value: wanted });
  return conclude(question, 'missing', result);
}

/** Each warning once, without what the result says already. */
function distinct(result: DnsFinding, warnings: DnsFinding[]): DnsFinding[] {
  const said = new Set([result.detail]);
  return warnings.filter(({ detail }) => !said.has(detail) && said.add(detail));
}
