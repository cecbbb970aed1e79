import type { DomainName } from '../domains/domain-name.js';
import { checkDmarc } from './check-dmarc.js';
import { conclude, couldNotCheck, type DnsCheck, type DnsQuestion, unquoted } from './dns-check.js';
import { type DnsFinding, finding } from './dns-findings.js';
import type { DnsResolver } from './dns-resolver.js';

interface Policy extends Pick<DnsQuestion, 'record' | 'name' | 'expected'> {
  /** The first words of the record, in lower case. */
  version: string;
  /** Matches the part that a complete record must contain. */
  complete: RegExp;
  incomplete: DnsFinding;
  absent: DnsFinding;
}

/** Checks records that receivers and senders recommend. They never make the whole check fail. */
export async function checkAdvice(dns: DnsResolver, domain: DomainName): Promise<DnsCheck[]> {
  const [dmarc, mtaSts, tlsRpt] = await Promise.all([
    checkDmarc(dns, domain),
    checkPolicy(dns, {
      record: 'mta_sts',
      name: `_mta-sts.${domain}`,
      expected: [],
      version: 'v=stsv1',
      complete: /;\s*id\s*=\s*[a-z0-9]{1,32}/i,
      incomplete: finding('mta_sts_incomplete'),
      absent: finding('mta_sts_missing'),
    }),
    checkPolicy(dns, {
      record: 'tls_rpt',
      name: `_smtp._tls.${domain}`,
      expected: [],
      version: 'v=tlsrptv1',
      complete: /;\s*rua\s*=\s*(mailto|https):/i,
      incomplete: finding('tls_rpt_incomplete'),
      absent: finding('tls_rpt_missing'),
    }),
  ]);
  return [dmarc, mtaSts, tlsRpt];
}

async function checkPolicy(dns: DnsResolver, policy: Policy): Promise<DnsCheck> {
  const question: DnsQuestion = { ...policy, type: 'TXT', required: false };
  const answer = await dns.txt(policy.name);
  if (answer.outcome === 'error') return couldNotCheck(question, answer.reason);
  const values = answer.outcome === 'found' ? answer.values : [];
  const begins = (value: string) => value.toLowerCase().startsWith(policy.version);
  const found = values.filter(begins);
  if (found.length === 0) {
    const quoted = values.filter((value) => begins(unquoted(value)));
    if (quoted.length === 0) return conclude(question, 'missing', policy.absent);
    return conclude(question, 'mismatch', finding('advice_quoted'), { found: quoted });
  }
  if (found.length > 1) {
    return conclude(question, 'mismatch', finding('advice_duplicate', { count: String(found.length) }), { found });
  }
  if (!found.every((value) => policy.complete.test(value))) {
    return conclude(question, 'mismatch', policy.incomplete, { found });
  }
  return conclude(question, 'ok', finding('advice_ok'), { found });
}
