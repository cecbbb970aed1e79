import type { DomainName } from '../domains/domain-name.js';
import { dkimKeys } from './dkim-keys.js';
import {
  conclude,
  couldNotCheck,
  type DnsCheck,
  type DnsQuestion,
  doubledFinding,
  doubledName,
  listed,
  unquoted,
  valuesOf,
} from './dns-check.js';
import { type DnsFinding, finding } from './dns-findings.js';
import type { DnsRecord } from './dns-records.js';
import type { DnsAnswer, DnsResolver } from './dns-resolver.js';

/** What is published at the name of a key, and at the name of the provider to which it must lead. */
interface Published {
  question: DnsQuestion;
  target: string;
  alias: DnsAnswer<string>;
  /** The TXT records at the end of all CNAMEs and DNAMEs of the name, which the resolver follows. */
  own: DnsAnswer<string>;
  atTarget: DnsAnswer<string>;
  /** Whether the CNAME is that of the provider. */
  isExpected: boolean;
}

/**
 * Checks a CNAME to a key of the relay provider. Receivers read the TXT record to which the name leads, whether by this
 * CNAME, by several (RFC 1034 section 3.6.2), by a DNAME (RFC 6672), or by a copy that the DNS provider makes
 * (flattening). So it is right when there is one key, and it is the one at the provider's name. While none can be read
 * at the provider's name, the CNAME that points to it is right.
 *
 * @param records all of the provider, because a name may have the target of another one
 */
export async function checkDkimCname(
  dns: DnsResolver,
  domain: DomainName,
  question: DnsQuestion,
  target: string,
  records: DnsRecord[],
): Promise<DnsCheck> {
  const { name } = question;
  const [alias, own, atTarget] = await Promise.all([dns.cname(name), dns.txt(name), dns.txt(target)]);
  const published = { question, target, alias, own, atTarget, isExpected: valuesOf(alias).includes(target) };
  const checked = checkKeys(published);
  if (checked !== null) return checked;
  if (alias.outcome === 'error') return couldNotCheck(question, alias.reason);
  if (alias.outcome === 'found') return checkAlias(published, explainMismatch(alias.values, domain, target, records));
  if (own.outcome === 'error') return couldNotCheck(question, own.reason);
  if (own.outcome === 'found') return checkCopy(published);
  const misplaced = valuesOf(await dns.cname(doubledName(name, domain)));
  const result = misplaced.includes(target)
    ? doubledFinding(name, domain)
    : finding('dkim_cname_missing', { name, target });
  return conclude(question, 'missing', result);
}

/** @returns null when the keys do not decide: the name has none, or another one than the provider's */
function checkKeys({ question, target, alias, own, atTarget, isExpected }: Published): DnsCheck | null {
  const { name } = question;
  const [key, ...others] = dkimKeys(valuesOf(own));
  if (key === undefined) return null;
  if (others.length > 0) {
    const result = finding('dkim_duplicate', { name, count: String(others.length + 1) });
    return conclude(question, 'mismatch', result, { found: valuesOf(own) });
  }
  const isUnread = atTarget.outcome === 'error' || (atTarget.outcome === 'missing' && key !== '');
  if (dkimKeys(valuesOf(atTarget)).includes(key) || (isExpected && isUnread)) {
    const found = alias.outcome === 'found' ? alias.values : valuesOf(own);
    const warnings = key === '' ? [finding('dkim_revoked_by_provider', { target })] : [];
    return conclude(question, 'ok', explainSameKey(alias, target), { found, warnings });
  }
  if (key !== '' || atTarget.outcome === 'error') return null;
  return conclude(question, 'mismatch', finding('dkim_revoked', { name }), { found: valuesOf(own) });
}

function explainSameKey(alias: DnsAnswer<string>, target: string): DnsFinding {
  if (alias.outcome === 'missing') return finding('dkim_flattened');
  const targets = valuesOf(alias);
  if (targets.length === 0 || targets.includes(target)) return finding('dkim_ok');
  return finding('dkim_same_key', { found: listed(targets), target });
}

/** @param mismatch what is wrong with a CNAME that is not the provider's, when it does not lead to the key either */
function checkAlias(published: Published, mismatch: DnsFinding): DnsCheck {
  const { question, target, own, atTarget, isExpected } = published;
  const found = valuesOf(published.alias);
  const hasOtherKey = dkimKeys(valuesOf(own)).length > 0;
  if (isExpected) {
    if (!hasOtherKey) return conclude(question, 'ok', finding('dkim_ok'), { found });
    // A zone that has a TXT record beside the CNAME, which it must not (RFC 1034 section 3.6.2).
    return conclude(question, 'mismatch', finding('dkim_flattened_other', { target }), { found: valuesOf(own) });
  }
  const warnings = [mismatch];
  if (own.outcome === 'error') {
    const unread = finding('lookup_failed', { name: question.name, reason: own.reason });
    return conclude(question, 'error', unread, { found, warnings });
  }
  if (hasOtherKey && atTarget.outcome === 'error') {
    const unread = finding('lookup_failed', { name: target, reason: atTarget.reason });
    return conclude(question, 'error', unread, { found, warnings });
  }
  return conclude(question, 'mismatch', mismatch, { found });
}

/** Some DNS providers answer for a CNAME with the TXT record of its target. */
function checkCopy({ question, target, own, atTarget }: Published): DnsCheck {
  const found = valuesOf(own);
  const bare = found.map(unquoted);
  if (bare.some((value) => value.replace(/\.$/, '') === target)) {
    return conclude(question, 'mismatch', finding('dkim_wrong_type'), { found });
  }
  if (atTarget.outcome === 'error') {
    const { reason } = atTarget;
    return conclude(question, 'error', finding('lookup_failed', { name: target, reason }), { found });
  }
  const keys = new Set(dkimKeys(valuesOf(atTarget)));
  const isQuoted = dkimKeys(bare).some((key) => keys.has(key));
  const result = isQuoted ? finding('dkim_quoted') : finding('dkim_flattened_other', { target });
  return conclude(question, 'mismatch', result, { found });
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
