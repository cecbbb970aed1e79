import { type Domain, isEmpty } from '../../domains/domain.js';
import type { DomainName } from '../../domains/domain-name.js';
import type { DomainWithParent } from '../../domains/domain-repository.js';
import { resolveDomain } from '../../domains/resolve-domain.js';
import { checkMx } from '../check-mx.js';
import { checkSpf } from '../check-spf.js';
import type { DnsCheck } from '../dns-check.js';
import type { ExpectedHosts } from '../dns-expectations.js';
import type { DnsResolver } from '../dns-resolver.js';
import type { DnsLack, LookedRecord } from './dns-lacks.js';
import type { Seen } from './judge-look.js';

/** The records that a domain needs now. */
export type NeededRecords = Record<LookedRecord, boolean>;

/** MX for mail that would be delivered or forwarded, SPF for mail that may be sent. */
export function neededRecords(found: DomainWithParent, now: Date): NeededRecords {
  return { mx: needsMx(found.domain), spf: resolveDomain(found, now).verified };
}

export function needsMx(domain: Domain): boolean {
  return domain.inbound === 'open' && !isEmpty(domain);
}

/** No answer, of what is needed. */
export function unknown({ mx, spf }: NeededRecords): Seen {
  return { mx: mx ? 'unknown' : null, spf: spf ? 'unknown' : null };
}

/** Looks up what is needed. @param frontHosts those in front of ours, as the holder of the domain said */
export async function seeRecords(
  dns: DnsResolver,
  name: DomainName,
  needed: NeededRecords,
  { mxHosts, spfInclude }: ExpectedHosts,
  frontHosts: readonly string[],
): Promise<Seen> {
  const [mx, spf] = await Promise.all([
    needed.mx ? checkMx(dns, name, mxHosts, frontHosts) : null,
    needed.spf ? checkSpf(dns, name, spfInclude) : null,
  ]);
  return { mx: mx === null ? null : lackOf(mx), spf: spf === null ? null : lackOf(spf) };
}

/** What a check of MX or SPF says is lacking, where the settings expect a value. */
export function lackOf({
  record,
  status,
  code,
}: Pick<DnsCheck, 'record' | 'status' | 'code'>): DnsLack | null | 'unknown' {
  if (status === 'ok') return null;
  if (status === 'error') return 'unknown';
  if (record === 'spf') return 'spf';
  if (code === 'mx_mailboxes') return 'mx_mailboxes';
  return code === 'mx_elsewhere' || code === 'mx_behind' ? 'mx_elsewhere' : 'mx';
}
