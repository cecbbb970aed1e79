import type { Need } from '../../api/attention.js';
import type { Domain } from '../../api/shapes.js';
import { formatTotal } from '../../parts/numbers.js';

export type Reason = Need['reason'];

/** Rows on Home, unless many reasons need more. */
const ROWS = 6;
const LEAST_ROWS_OF_REASON = 2;

/** What follows the number of domains. */
const COUNTED: Record<Reason, string> = {
  stopped: 'stopped or waiting',
  pending: 'waiting for DNS',
  suspended: 'suspended',
  partner_suspended: 'with a suspended partner',
  mail_waiting: 'with mail that has waited for days',
  blocked: 'blocked from sending',
  dns_at_risk: 'with DNS at risk',
  dns_missing: 'with MX or SPF missing',
  unverified: 'waiting for DNS for a day',
  daily_limit: 'with 80% or more of the day used',
  monthly_limit: 'with 80% or more of the month used',
  transfer_limit: 'with 80% or more of the transfer used',
  suppressions_high: 'with many dead addresses',
};

/** @returns such as `3 suspended`, or `20,000+ waiting for DNS` */
export function countText(need: Pick<Need, 'reason' | 'count' | 'more'>): string {
  return `${formatTotal(need)} ${COUNTED[need.reason]}`;
}

/**
 * The domains that Home shows, the most severe reason first: some of each reason, each domain once. A reason tells more
 * than that mail is stopped, so it comes first. Of suspended partners all that are known, because each row is another
 * partner.
 */
export function firstOf(needs: readonly Need[]): { reason: Reason; domain: Domain }[] {
  const ofReason = Math.max(LEAST_ROWS_OF_REASON, Math.floor(ROWS / needs.length));
  const shown = new Set<number>();
  const isState = ({ reason }: Need) => reason === 'stopped' || reason === 'pending';
  return [...needs.filter((need) => !isState(need)), ...needs.filter(isState)].flatMap(({ reason, first }) => {
    const isOfPartners = reason === 'partner_suspended';
    const chosen = first
      .filter(({ id }) => isOfPartners || !shown.has(id))
      .slice(0, isOfPartners ? undefined : ofReason);
    for (const { id } of chosen) if (!isOfPartners) shown.add(id);
    return chosen.map((domain) => ({ reason, domain }));
  });
}
