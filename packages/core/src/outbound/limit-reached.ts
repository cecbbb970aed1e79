import type { AuditedDomain } from '../audit/about-domain.js';

/** Percentages of a limit at which operators are notified. */
const THRESHOLDS = [100, 80] as const;

export interface Usage {
  daily: number;
  monthly: number;
  /** Bytes. */
  transfer: number;
}

/** A limit whose 80 % or 100 % threshold was just reached. */
export interface LimitReached {
  domain: AuditedDomain;
  limit: keyof Usage;
  percent: (typeof THRESHOLDS)[number];
  used: number;
  /** The limit, in messages or bytes. */
  of: number;
}

/**
 * Returns the thresholds that one change of the counters reached. A counter only rises within its period, so each
 * threshold is reached once in a period. When one change reaches 80 % and 100 % of a limit, only 100 % is returned.
 */
export function limitReached(
  { id, name, partnerId, partnerRef }: AuditedDomain,
  limits: { dailyLimit: number; monthlyLimit: number; transfer: number },
  before: Usage,
  after: Usage,
): LimitReached[] {
  const found: LimitReached[] = [];
  for (const [limit, of] of [
    ['daily', limits.dailyLimit],
    ['monthly', limits.monthlyLimit],
    ['transfer', limits.transfer],
  ] as const) {
    if (of === 0 || after[limit] === before[limit]) continue;
    const percent = THRESHOLDS.find((each) => isAt(each, after[limit], of) && !isAt(each, before[limit], of));
    if (percent !== undefined) {
      const domain = { id, name, partnerId, partnerRef };
      found.push({ domain, limit, percent, used: after[limit], of });
    }
  }
  return found;
}

function isAt(percent: number, used: number, of: number): boolean {
  return used * 100 >= percent * of;
}

/** The limits of which at least the lowest threshold is used. */
export function nearLimits(limits: Usage, used: Usage): (keyof Usage)[] {
  const lowest = Math.min(...THRESHOLDS);
  return (['daily', 'monthly', 'transfer'] as const).filter(
    (limit) => limits[limit] !== 0 && isAt(lowest, used[limit], limits[limit]),
  );
}
