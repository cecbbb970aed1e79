import type { DnsCheck } from './dns-check.js';

/** A DNS record as people enter it where the DNS of a domain is kept. */
export interface RecordToPublish {
  type: DnsCheck['type'];
  /** The full name, without a trailing dot. */
  name: string;
  /** The name within the zone, which most providers ask for: `_dmarc`; `@` for the zone itself. */
  relativeName: string;
  /** Only MX records have a priority. */
  priority: number | null;
  /** The value without the priority. */
  value: string;
}

const TOP_OF_ZONE = '@';
/** The priority of the first MX host, and the step to the next one: senders prefer them in the order of `MX_HOSTS`. */
const PRIORITY_STEP = 10;

/** The records that make the check ok; empty when no specific record is required. */
export function recordsToPublish(check: DnsCheck, zone: string): RecordToPublish[] {
  return recordsOf(check, zone, valuesOf(check));
}

/** The records that have these values, at the name of the check. */
export function recordsOf({ type, name }: DnsCheck, zone: string, values: string[]): RecordToPublish[] {
  const relativeName = relativeTo(zone, name);
  return values.map((value, index) => ({
    type,
    name,
    relativeName,
    priority: type === 'MX' ? (index + 1) * PRIORITY_STEP : null,
    value,
  }));
}

/** A second SPF record would make both invalid (RFC 7208 section 3.2), so one that lacks our host gets it. */
function valuesOf({ code, params, expected, found: [published] }: DnsCheck): string[] {
  if (code !== 'spf_include_missing' || published === undefined) return expected;
  return [published.replace(/^v=spf1/i, `v=spf1 include:${params.include}`)];
}

function relativeTo(zone: string, name: string): string {
  if (name === zone) return TOP_OF_ZONE;
  return name.endsWith(`.${zone}`) ? name.slice(0, -zone.length - 1) : name;
}
