import { conclude, couldNotCheck, type DnsCheck, type DnsQuestion, unquoted, valuesOf } from './dns-check.js';
import { type DnsFinding, finding } from './dns-findings.js';
import type { DnsResolver } from './dns-resolver.js';
import { beginningOf, fieldsOf } from './policy-fields.js';

/** A record that is a version and fields: of MTA-STS (RFC 8461 section 3.1) or of TLS-RPT (RFC 8460 section 3). */
export interface PolicyRecord {
  record: DnsCheck['record'];
  name: string;
  /** What the record must begin with, literally. */
  version: string;
  /** Matches a record that was meant as one and begins otherwise: `v=stsv1`, `v = STSv1`, `v=STSv2`. */
  lookalike: RegExp;
  /** @returns what is wrong with the fields; null for nothing */
  judge: (fields: readonly string[]) => DnsFinding | null;
  absent: DnsFinding;
  /** @param beginning of the record that is there instead */
  otherVersion: (beginning: string) => DnsFinding;
}

/** Senders discard records of another version, and use none when several are left (RFC 8461 section 3.1). */
export async function checkPolicyRecord(dns: DnsResolver, policy: PolicyRecord): Promise<DnsCheck> {
  const { record, name, version, lookalike } = policy;
  const question: DnsQuestion = { record, name, type: 'TXT', expected: [], required: false };
  const answer = await dns.txt(name);
  if (answer.outcome === 'error') return couldNotCheck(question, answer.reason);
  const values = valuesOf(answer);
  const found = values.filter((value) => fieldsOf(value, version) !== null);
  if (found.length > 1)
    return conclude(question, 'mismatch', finding('advice_duplicate', { count: String(found.length) }), { found });
  const [published] = found;
  if (published !== undefined) {
    const fault = policy.judge(fieldsOf(published, version) ?? []);
    return fault === null
      ? conclude(question, 'ok', finding('advice_ok'), { found })
      : conclude(question, 'mismatch', fault, { found });
  }
  const quoted = values.filter((value) => fieldsOf(unquoted(value), version) !== null);
  if (quoted.length > 0) return conclude(question, 'mismatch', finding('advice_quoted'), { found: quoted });
  const lookalikes = values.filter((value) => lookalike.test(value));
  const [other] = lookalikes;
  if (other === undefined) return conclude(question, 'missing', policy.absent);
  return conclude(question, 'missing', policy.otherVersion(beginningOf(other)), { found: lookalikes });
}
