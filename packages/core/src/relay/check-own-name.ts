import { conclude, type DnsCheck, findingsOf } from './dns-check.js';
import { finding } from './dns-findings.js';
import type { DnsAnswer } from './dns-resolver.js';

/**
 * Says of the MX or SPF records of a domain whose own name is a CNAME that they are those of its target. No other
 * record may be beside a CNAME (RFC 1034 section 3.6.2, RFC 2181 section 10.1), so those to publish cannot be.
 *
 * @param check of records at the name of the domain itself
 * @param alias the CNAME of this name
 * @returns the check with this finding first: as its code when it is not ok, as a warning when it is
 */
export function checkOwnName(check: DnsCheck, alias: DnsAnswer<string>): DnsCheck {
  const { name, status, found } = check;
  const [target] = alias.outcome === 'found' ? alias.values : [];
  if (target === undefined || status === 'error') return check;
  const isCname = finding('name_is_cname', { name, target });
  const [result, ...warnings] = findingsOf(check);
  const told =
    status === 'ok'
      ? conclude(check, status, result, { found, warnings: [isCname, ...warnings] })
      : conclude(check, status, isCname, { found, warnings: [result, ...warnings] });
  return { ...check, ...told };
}
