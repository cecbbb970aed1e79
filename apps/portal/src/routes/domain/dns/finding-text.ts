import type { DnsCheckRow } from '../../../api/shapes.js';
import { listOf, textOrNull } from '../../../texts/texts.js';

type Finding = Pick<DnsCheckRow, 'code' | 'params' | 'detail'>;

/** What a check found, and its warnings, in the language of the page. */
export function findingText({ code, params, detail, warnings }: Finding & { warnings: Finding[] }): string {
  const texts = [{ code, params }, ...warnings].map(textOf);
  // The service's own sentences have all of them, in English.
  return texts.includes(null) ? detail : texts.join(' ');
}

/** Null for a code that only a newer service has. */
function textOf({ code, params }: Omit<Finding, 'detail'>): string | null {
  return textOrNull('finding', code, Object.fromEntries(Object.entries(params).map(named)));
}

/** Lists of hosts are separated by commas. */
function named([name, value]: [string, string]): [string, string] {
  return [name, name === 'hosts' || name === 'found' ? listOf(value.split(', ')) : value];
}
