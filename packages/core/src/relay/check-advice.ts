import { parse as parseSuffix } from 'tldts';
import type { DomainName } from '../domains/domain-name.js';
import { conclude, couldNotCheck, type DnsCheck, type DnsQuestion, unquoted } from './dns-check.js';
import type { DnsResolver } from './dns-resolver.js';

interface Policy extends Pick<DnsQuestion, 'record' | 'name' | 'expected'> {
  /** The first words of the record, in lower case. */
  version: string;
  /** Matches the part that a complete record must contain. */
  complete: RegExp;
  incomplete: string;
  absent: string;
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
      incomplete: 'The MTA-STS record has no id (RFC 8461 section 3.1).',
      absent:
        'There is no MTA-STS record, so an attacker can make senders deliver without TLS. It is optional (RFC 8461).',
    }),
    checkPolicy(dns, {
      record: 'tls_rpt',
      name: `_smtp._tls.${domain}`,
      expected: [],
      version: 'v=tlsrptv1',
      complete: /;\s*rua\s*=\s*(mailto|https):/i,
      incomplete: 'The TLS-RPT record has no rua with an address for the reports (RFC 8460 section 3).',
      absent: 'There is no TLS-RPT record, so senders do not report failures of TLS. It is optional (RFC 8460).',
    }),
  ]);
  return [dmarc, mtaSts, tlsRpt];
}

/**
 * Checks DMARC. A subdomain without a DMARC record uses the record of its organizational domain (RFC 7489 section
 * 6.6.3).
 */
async function checkDmarc(dns: DnsResolver, domain: DomainName): Promise<DnsCheck> {
  const organization = parseSuffix(domain, { validateHostname: false }).domain ?? domain;
  const [own, inherited] = await Promise.all([
    checkPolicy(dns, dmarcPolicy(domain)),
    organization === domain ? null : checkPolicy(dns, dmarcPolicy(organization)),
  ]);
  if (own.status !== 'missing' || inherited?.status !== 'ok') return own;
  return { ...own, status: 'ok', found: inherited.found, detail: `The DMARC record of ${organization} applies.` };
}

function dmarcPolicy(domain: string): Policy {
  return {
    record: 'dmarc',
    name: `_dmarc.${domain}`,
    expected: ['v=DMARC1; p=none'],
    version: 'v=dmarc1',
    complete: /;\s*p\s*=\s*(none|quarantine|reject)\s*(;|$)/i,
    incomplete: 'The DMARC record has no policy p of none, quarantine or reject (RFC 7489 section 6.3).',
    absent: `There is no DMARC record. Large receivers require one; start with v=DMARC1; p=none at _dmarc.${domain}.`,
  };
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
    return conclude(question, 'mismatch', 'The record contains quotation marks. Enter it without them.', quoted);
  }
  if (found.length > 1) {
    const detail = `There are ${found.length} such records, and receivers then ignore all of them. Keep one.`;
    return conclude(question, 'mismatch', detail, found);
  }
  if (!found.every((value) => policy.complete.test(value))) {
    return conclude(question, 'mismatch', policy.incomplete, found);
  }
  return conclude(question, 'ok', 'The record is well formed.', found);
}
