import type { Domain, Needing } from '../../api/shapes.js';
import { formatCount } from '../../parts/numbers.js';

export type Reason = Needing['reason'];

/** Rows on Home, unless many reasons need more. */
const ROWS = 6;
const LEAST_ROWS_OF_REASON = 2;

/** What follows the number of domains. */
const COUNTED: Record<Reason, string> = {
  suspended: 'suspended',
  partner_suspended: 'with a suspended partner',
  mail_waiting: 'with mail that has waited for days',
  blocked: 'blocked from sending',
  dns_at_risk: 'with DNS at risk',
  unverified: 'waiting for DNS',
  daily_limit: 'near the limit of the day',
  monthly_limit: 'near the limit of the month',
  transfer_limit: 'near the transfer cap',
  suppressions_high: 'with many dead addresses',
};

/** @returns such as `3 suspended`, or `20,000+ waiting for DNS` */
export function countText({ reason, count, more }: Pick<Needing, 'reason' | 'count' | 'more'>): string {
  return `${formatCount(count)}${more ? '+' : ''} ${COUNTED[reason]}`;
}

/**
 * The domains that Home shows, the most severe reason first: some of each reason, each domain once. Of suspended
 * partners all that are known, because each row is another partner.
 */
export function firstOf(needing: readonly Needing[]): { reason: Reason; domain: Domain }[] {
  const ofReason = Math.max(LEAST_ROWS_OF_REASON, Math.floor(ROWS / needing.length));
  const shown = new Set<number>();
  return needing.flatMap(({ reason, first }) => {
    const isOfPartners = reason === 'partner_suspended';
    const chosen = first
      .filter(({ id }) => isOfPartners || !shown.has(id))
      .slice(0, isOfPartners ? undefined : ofReason);
    for (const { id } of chosen) if (!isOfPartners) shown.add(id);
    return chosen.map((domain) => ({ reason, domain }));
  });
}
