import { type DnsFinding, type DnsFindingCode, finding } from './dns-findings.js';
import type { DnsAnswer } from './dns-resolver.js';

/**
 * `missing` and `mismatch` are based on an authoritative answer of the DNS; `error` means that there was no such
 * answer.
 */
export type DnsCheckStatus = 'ok' | 'missing' | 'mismatch' | 'error';

/**
 * Of a list. The owner of a name decides how many records it has: 3,600 MX with hosts of 250 characters fit into an
 * answer of 64 kB.
 */
const MOST_SHOWN = 20;

/** The result of the check of one record that the holder of a domain should publish. */
export interface DnsCheck {
  record: 'mx' | 'spf' | 'verification' | 'dkim' | 'dmarc' | 'mta_sts' | 'tls_rpt';
  type: 'MX' | 'TXT' | 'CNAME';
  /** The name at which the record belongs. */
  name: string;
  /** The values to publish; empty when the platform requires no specific value. */
  expected: string[];
  /** The first 20 published values; other TXT records of the name are left out. */
  found: string[];
  status: DnsCheckStatus;
  /** Whether the whole check needs this one to be ok; the others are advice. */
  required: boolean;
  /** The code of the first sentence of `detail`; the others are those of the warnings. */
  code: DnsFindingCode;
  params: Record<string, string>;
  /** What is wrong besides, whatever the status is. */
  warnings: DnsFinding[];
  /** Sentences for the holder of the domain, also when the status is `ok`. */
  detail: string;
  /** Of MX alone: the hosts of somebody else at which mail arrives first, for a statement that they pass it on. */
  first?: string[];
}

/** A check before it has an outcome. */
export type DnsQuestion = Pick<DnsCheck, 'record' | 'type' | 'name' | 'expected' | 'required'>;

export function conclude(
  question: DnsQuestion,
  status: DnsCheckStatus,
  { code, params, detail }: DnsFinding,
  { found = [], warnings = [] }: Partial<Pick<DnsCheck, 'found' | 'warnings'>> = {},
): DnsCheck {
  const { record, type, name, expected, required } = question;
  const sentences = [detail, ...warnings.map((warning) => warning.detail)].join(' ');
  const shown = found.slice(0, MOST_SHOWN);
  return { record, type, name, expected, found: shown, status, required, code, params, warnings, detail: sentences };
}

/** @returns the finding of the status, then the warnings */
export function findingsOf({ code, params, warnings, detail }: DnsCheck): [DnsFinding, ...DnsFinding[]] {
  const end = warnings.map((warning) => ` ${warning.detail}`).join('');
  return [{ code, params, detail: detail.slice(0, detail.length - end.length) }, ...warnings];
}

/** @returns the first 20 published values for a sentence, and how many more there are */
export function listed(values: readonly string[]): string {
  const shown = values.slice(0, MOST_SHOWN).join(', ');
  return values.length > MOST_SHOWN ? `${shown} (+${values.length - MOST_SHOWN})` : shown;
}

/** @returns the check of a record that could not be looked up. */
export function couldNotCheck(question: DnsQuestion, reason: string): DnsCheck {
  return conclude(question, 'error', finding('lookup_failed', { name: question.name, reason }));
}

/** @returns the values; empty for any other outcome. For look-ups that only help to explain a failure. */
export function valuesOf<T>(answer: DnsAnswer<T>): T[] {
  return answer.outcome === 'found' ? answer.values : [];
}

/** The name of a record when the panel of a DNS provider appended the domain to a name that already ends in it. */
export function doubledName(name: string, domain: string): string {
  return `${name}.${domain}`;
}

export function doubledFinding(name: string, domain: string): DnsFinding {
  return finding('name_doubled', { found_at: doubledName(name, domain), domain });
}

/** Removes the quotation marks and blanks around a value, which some panels store as a part of it. */
export function unquoted(value: string): string {
  return value.replace(/^[\s"'\\\u201c\u201d]+|(?<![\s"'\\\u201c\u201d])[\s"'\\\u201c\u201d]+$/g, '');
}
