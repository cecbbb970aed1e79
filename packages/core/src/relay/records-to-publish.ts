import { type DnsCheck, unquoted } from './dns-check.js';
import { includedBy, offeredSpf } from './spf/offered-spf.js';

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

/**
 * What a domain publishes besides our host is part of its SPF record, because a second record would make both invalid
 * (RFC 7208 section 3.2). A record that is right stays as it is, unless addresses stand in place of our host.
 */
function valuesOf({ record, name, status, code, warnings, expected, found }: DnsCheck): string[] {
  const [wanted] = expected;
  const [published, ...others] = found;
  const include = record === 'spf' && wanted !== undefined ? includedBy(wanted) : null;
  const codes = [code, ...warnings.map((warning) => warning.code)];
  // What is published at a CNAME is the record of its target.
  const isOwn = others.length === 0 && !codes.includes('name_is_cname');
  if (include === null || published === undefined || !isOwn) return expected;
  const isKept = status === 'ok' && !codes.includes('spf_flattened');
  return [isKept ? published : offeredSpf(unquoted(published), name, include)];
}

function relativeTo(zone: string, name: string): string {
  if (name === zone) return TOP_OF_ZONE;
  return name.endsWith(`.${zone}`) ? name.slice(0, -zone.length - 1) : name;
}
