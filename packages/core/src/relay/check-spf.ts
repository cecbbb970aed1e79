import type { DomainName } from '../domains/domain-name.js';
import {
  conclude,
  couldNotCheck,
  type DnsCheck,
  type DnsCheckStatus,
  type DnsQuestion,
  unquoted,
} from './dns-check.js';
import { type DnsFinding, finding } from './dns-findings.js';
import type { DnsResolver } from './dns-resolver.js';
import { isSpf, parseSpf } from './spf-record.js';
import { type SpfWalk, walkSpf } from './walk-spf.js';

/**
 * Checks whether receivers accept the relay as a sender of the domain (RFC 7208): there must be exactly one SPF record,
 * and it must lead to `include`.
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
  const answer = await dns.txt(domain);
  if (answer.outcome === 'error') return couldNotCheck(question, answer.reason);
  const values = answer.outcome === 'found' ? answer.values : [];
  const found = values.filter(isSpf);
  const [record] = found;
  if (record === undefined) return checkLookalikes(question, values);
  if (found.length > 1) {
    return conclude(question, 'mismatch', finding('spf_duplicate', { count: String(found.length) }), { found });
  }
  const walk = await walkSpf(dns, domain, record, include);
  const [status, result] = include === null ? checkForm(walk) : checkInclude(domain, record, include, walk);
  // The other findings already say what stops a receiver before it reads further.
  const isWarned = walk.reached || result.code === 'spf_include_unset' || result.code === 'spf_include_missing';
  return conclude(question, status, result, { found, warnings: isWarned ? [...walk.problems, ...walk.allowAll] : [] });
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

function checkInclude(
  domain: DomainName,
  record: string,
  include: string,
  walk: SpfWalk,
): [DnsCheckStatus, DnsFinding] {
  if (walk.reached) return ['ok', finding('spf_ok')];
  if (walk.failedLookup !== null) return ['error', finding('spf_unread', { reason: walk.failedLookup })];
  const { unread, mechanisms } = parseSpf(record);
  const included = [...mechanisms, ...unread].find(({ name, value }) => name === 'include' && value === include);
  if (unread.some((mechanism) => mechanism === included)) {
    return ['mismatch', finding('spf_include_after_all', { include })];
  }
  if (included !== undefined && included.qualifier !== '+') {
    return ['mismatch', finding('spf_include_qualified', { include, qualifier: included.qualifier })];
  }
  if (mechanisms.some(({ name, value }) => name === 'include' && value === `${include}.${domain}`)) {
    return ['mismatch', finding('spf_include_doubled', { include })];
  }
  return ['mismatch', finding('spf_include_missing', { include })];
}

/** Without `SPF_INCLUDE`, only the form of the record can be checked. */
function checkForm({ problems }: SpfWalk): [DnsCheckStatus, DnsFinding] {
  return [problems.length > 0 ? 'mismatch' : 'ok', finding('spf_include_unset')];
}
