import type { DnsAnswer } from './dns-resolver.js';

/** `missing` and `mismatch` rest on an authoritative answer of the DNS; `error` means that there was no such answer. */
export type DnsCheckStatus = 'ok' | 'missing' | 'mismatch' | 'error';

/** The result for one record that a domain's holder should publish. */
export interface DnsCheck {
  record: 'mx' | 'spf' | 'verification' | 'dkim' | 'dmarc' | 'mta_sts' | 'tls_rpt';
  type: 'MX' | 'TXT' | 'CNAME';
  /** Where the record belongs. */
  name: string;
  /** The values to publish; empty when the platform names none. */
  expected: string[];
  /** The values that are published there; other TXT records of the name are left out. */
  found: string[];
  status: DnsCheckStatus;
  /** Whether the whole check is only ok when this one is; the others are advice. */
  required: boolean;
  /** One or two sentences for the domain's holder, also when the status is `ok`. */
  detail: string;
}

/** A check without its outcome. */
export type DnsQuestion = Pick<DnsCheck, 'record' | 'type' | 'name' | 'expected' | 'required'>;

export function conclude(
  question: DnsQuestion,
  status: DnsCheckStatus,
  detail: string,
  found: string[] = [],
): DnsCheck {
  const { record, type, name, expected, required } = question;
  return { record, type, name, expected, found, status, required, detail };
}

/** The check of a record that could not be looked up. */
export function couldNotCheck(question: DnsQuestion, reason: string): DnsCheck {
  return conclude(question, 'error', `${question.name} could not be looked up: ${reason}. Try again later.`);
}

/** The values, or none for any other outcome: for look-ups that only help to explain a failure. */
export function valuesOf<T>(answer: DnsAnswer<T>): T[] {
  return answer.outcome === 'found' ? answer.values : [];
}

/** Where a record ends up when the panel of a DNS provider appends the domain to a name that already ends in it. */
export function doubledName(name: string, domain: string): string {
  return `${name}.${domain}`;
}

/** The value without quotation marks and blanks around it, which some panels store as part of it. */
export function unquoted(value: string): string {
  return value.replace(/^[\s"'\\\u201c\u201d]+|[\s"'\\\u201c\u201d]+$/g, '');
}
