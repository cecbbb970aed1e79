import type { DomainName } from '../domains/domain-name.js';
import { checkPolicyRecord } from './check-policy-record.js';
import type { DnsCheck } from './dns-check.js';
import { type DnsFinding, finding } from './dns-findings.js';
import type { DnsResolver } from './dns-resolver.js';
import { isField, shortened, splitAt } from './policy-fields.js';

const RUA = 'rua=';
/** The characters of a URI (RFC 3986) without `,`, `!` and `;`, which must be encoded (RFC 8460 section 3). */
const URI = /^(?:[\w.~:/?#[\]@$&'()*+=-]|%[0-9a-f]{2})+$/i;
/** The two schemes to which reports are sent (RFC 8460 section 3), each with an address or a host. */
const REPORTED_TO = /^(?:mailto:[^@?]+@[^@?]+(?:\?|$)|https:\/\/[a-z0-9[])/i;
const LOOKALIKE = /^[\s"'\\]*(?:v\s*=\s*)?tlsrpt|;\s*v\s*=\s*tlsrpt/i;

/** Checks the record of TLS-RPT by the grammar of RFC 8460 section 3. */
export function checkTlsRpt(dns: DnsResolver, domain: DomainName): Promise<DnsCheck> {
  return checkPolicyRecord(dns, {
    record: 'tls_rpt',
    name: `_smtp._tls.${domain}`,
    version: 'v=TLSRPTv1',
    lookalike: LOOKALIKE,
    judge,
    absent: finding('tls_rpt_missing'),
    otherVersion: (beginning) => finding('tls_rpt_other_version', { beginning }),
  });
}

function judge(fields: readonly string[]): DnsFinding | null {
  const wrong = fields.find((field) => !field.startsWith(RUA) && !isField(field));
  if (wrong !== undefined) return finding('tls_rpt_field', { field: shortened(wrong) });
  const uris = fields
    .filter((field) => field.startsWith(RUA))
    .flatMap((field) => splitAt(field.slice(RUA.length), ','));
  if (uris.every((uri) => uri === '')) return finding('tls_rpt_incomplete');
  const other = uris.find((uri) => !URI.test(uri) || !REPORTED_TO.test(uri));
  return other === undefined ? null : finding('tls_rpt_uri', { uri: shortened(other) });
}
