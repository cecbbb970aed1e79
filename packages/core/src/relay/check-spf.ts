import type { DomainName } from '../domains/domain-name.js';
import { conclude, couldNotCheck, type DnsCheck, type DnsQuestion, unquoted } from './dns-check.js';
import type { DnsResolver } from './dns-resolver.js';
import { isSpf, parseSpf } from './spf-record.js';
import { type SpfWalk, walkSpf } from './walk-spf.js';

/**
 * Checks whether receivers accept the relay as a sender of the domain (RFC 7208): there must be exactly one SPF record,
 * and it must lead to `include`.
 * @param include the host that the record should include, lower case (`SPF_INCLUDE`); null when not set.
 */
export async function checkSpf(dns: DnsResolver, domain: DomainName, include: string | null): Promise<DnsCheck> {
  const wanted = include === null ? [] : [`v=spf1 include:${include} ~all`];
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
    const detail = `There are ${found.length} SPF records, and receivers then reject all of them. Merge them into one.`;
    return conclude(question, 'mismatch', detail, found);
  }
  const walk = await walkSpf(dns, domain, record, include);
  const [status, detail] = include === null ? checkForm(walk) : checkInclude(domain, record, include, walk);
  return conclude(question, status, detail, found);
}

function checkLookalikes(question: DnsQuestion, values: string[]): DnsCheck {
  const [wanted] = question.expected;
  const quoted = values.filter((value) => isSpf(unquoted(value)));
  if (quoted.length > 0) {
    const detail = 'The SPF record has quotation marks or blanks around it. Enter it without them.';
    return conclude(question, 'mismatch', detail, quoted);
  }
  const publish = wanted === undefined ? 'SPF_INCLUDE is not set.' : `Publish a TXT record with the value ${wanted}.`;
  return conclude(question, 'missing', `${question.name} has no SPF record. ${publish}`);
}

function checkInclude(
  domain: DomainName,
  record: string,
  include: string,
  walk: SpfWalk,
): ['ok' | 'mismatch' | 'error', string] {
  const warnings = [...walk.problems, ...walk.allowAll].map((sentence) => ` ${sentence}`).join('');
  if (walk.reached) return ['ok', `The SPF record allows the relay to send.${warnings}`];
  if (walk.failedLookup !== null) {
    return ['error', `The SPF record could not be read completely: ${walk.failedLookup}. Try again later.`];
  }
  const { unread, mechanisms } = parseSpf(record);
  const included = [...mechanisms, ...unread].find(({ name, value }) => name === 'include' && value === include);
  if (unread.some((mechanism) => mechanism === included)) {
    return ['mismatch', `include:${include} is after "all", where receivers do not read it. Move it before "all".`];
  }
  if (included !== undefined && included.qualifier !== '+') {
    return ['mismatch', `Remove the ${included.qualifier} before include:${include}; with it the relay does not pass.`];
  }
  if (mechanisms.some(({ name, value }) => name === 'include' && value === `${include}.${domain}`)) {
    return ['mismatch', `The domain name was appended to the include. It must be include:${include}.`];
  }
  return ['mismatch', `The SPF record does not lead to include:${include}. Add it before "all".${warnings}`];
}

/** Without `SPF_INCLUDE`, only the form of the record can be checked. */
function checkForm({ problems, allowAll }: SpfWalk): ['ok' | 'mismatch', string] {
  const unset = 'SPF_INCLUDE is not set, so the SPF record cannot be compared with it.';
  const detail = [unset, ...problems, ...allowAll].join(' ');
  return [problems.length > 0 ? 'mismatch' : 'ok', detail];
}
