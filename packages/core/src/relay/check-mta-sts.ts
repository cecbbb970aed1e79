import type { DomainName } from '../domains/domain-name.js';
import { checkPolicyRecord } from './check-policy-record.js';
import type { DnsCheck } from './dns-check.js';
import { type DnsFinding, finding } from './dns-findings.js';
import type { DnsResolver } from './dns-resolver.js';
import { isField, shortened } from './policy-fields.js';

const ID = 'id=';
/** `sts-id` (RFC 8461 section 3.1). */
const ID_VALUE = /^[A-Za-z0-9]{1,32}$/;
const LOOKALIKE = /^[\s"'\\]*(?:v\s*=\s*)?sts|;\s*v\s*=\s*sts/i;

/** Checks the record of MTA-STS by the grammar of RFC 8461 section 3.1. The policy itself, a file, is not fetched. */
export function checkMtaSts(dns: DnsResolver, domain: DomainName): Promise<DnsCheck> {
  return checkPolicyRecord(dns, {
    record: 'mta_sts',
    name: `_mta-sts.${domain}`,
    version: 'v=STSv1',
    lookalike: LOOKALIKE,
    judge,
    absent: finding('mta_sts_missing'),
    otherVersion: (beginning) => finding('mta_sts_other_version', { beginning }),
  });
}

/** Exactly one field is the id. The others are extensions, which senders ignore when their form is right. */
function judge(fields: readonly string[]): DnsFinding | null {
  const wrong = fields.find((field) => !isField(field));
  if (wrong !== undefined && wrong !== ID) return finding('mta_sts_field', { field: shortened(wrong) });
  const [id, ...others] = fields.filter((field) => field.startsWith(ID)).map((field) => field.slice(ID.length));
  if (id === undefined || id === '') return finding('mta_sts_incomplete');
  if (others.length > 0) return finding('mta_sts_ids', { count: String(others.length + 1) });
  return ID_VALUE.test(id) ? null : finding('mta_sts_id', { id: shortened(id) });
}
