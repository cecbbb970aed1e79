import type { DnsCheck, DnsCheckRow } from '../../../api/shapes.js';

const TTL_S = 3_600;
const MX_PRIORITY = 10;
/** The most bytes of one string of a TXT record (RFC 1035 section 3.3). Longer texts are several strings. */
const TXT_STRING_BYTES = 255;

/** Writes the records to publish as a zone file (RFC 1035 section 5), for those who import one. */
export function zoneFileOf({ name, checks }: Pick<DnsCheck, 'name' | 'checks'>): string {
  const rows = checks.filter(({ required, status }) => required || status !== 'ok');
  return [`; The DNS records of ${name}`, ...rows.flatMap(linesOf), ''].join('\n');
}

function linesOf({ type, name, expected }: DnsCheckRow): string[] {
  return expected.map((value) => `${name}. ${TTL_S} IN ${type} ${dataOf(type, value)}`);
}

function dataOf(type: string, value: string): string {
  if (type === 'TXT') return stringsOf(value).join(' ');
  if (type !== 'MX') return `${value}.`;
  const [priority, host] = /^(\d+) (.+)$/.exec(value)?.slice(1) ?? [MX_PRIORITY, value];
  return `${priority} ${host}.`;
}

function stringsOf(text: string): string[] {
  const parts = text.match(new RegExp(`.{1,${TXT_STRING_BYTES}}`, 'gs')) ?? [''];
  return parts.map((part) => `"${part.replaceAll(/["\\]/g, String.raw`\$&`)}"`);
}
