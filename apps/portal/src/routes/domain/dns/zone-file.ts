import type { DnsCheck, DnsCheckRow, RecordToPublish } from '../../../api/shapes.js';

const TTL_S = 3_600;
/** The most bytes of one string of a TXT record (RFC 1035 section 3.3). Longer texts are several strings. */
const TXT_STRING_BYTES = 255;

/**
 * Writes the records to publish as a zone file (RFC 1035 section 5), for those who import one. Examples are comments,
 * so that nobody imports them.
 */
export function zoneFileOf({ name, checks }: Pick<DnsCheck, 'name' | 'checks'>): string {
  const rows = checks.filter(({ required, status }) => required || status !== 'ok');
  return [`; The DNS records of ${name}`, ...rows.flatMap(linesOf), ''].join('\n');
}

function linesOf({ records, example }: DnsCheckRow): string[] {
  const lines = records.map(lineOf);
  if (example !== true) return lines;
  return ['; Examples, not to be published: the mail servers are not set up yet.', ...lines.map((line) => `; ${line}`)];
}

function lineOf(record: RecordToPublish): string {
  return `${record.name}. ${TTL_S} IN ${record.type} ${dataOf(record)}`;
}

function dataOf({ type, priority, value }: RecordToPublish): string {
  if (type === 'TXT') return stringsOf(value).join(' ');
  return priority === null ? `${value}.` : `${priority} ${value}.`;
}

function stringsOf(text: string): string[] {
  const count = Math.max(1, Math.ceil(text.length / TXT_STRING_BYTES));
  const parts = Array.from({ length: count }, (_, index) =>
    text.slice(index * TXT_STRING_BYTES).slice(0, TXT_STRING_BYTES),
  );
  return parts.map((part) => `"${part.replaceAll(/["\\]/g, String.raw`\$&`)}"`);
}
