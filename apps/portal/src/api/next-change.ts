import { parseTime } from '../parts/time.js';
import type { Domain } from './shapes.js';

/** The service is not asked more often, whatever the clock of the browser says. */
const LEAST_MS = 30_000;
/** A timer of the browser takes 24 days at most. */
const MOST_MS = 3_600_000;
const AFTER_MS = 1_000;

/** Milliseconds until the first of the domains changes its state by itself; false when none does. */
export function msToNextChange(domains: readonly Pick<Domain, 'state'>[]): number | false {
  const untils = domains.flatMap(({ state }) => state?.until ?? []);
  const ends = untils.map((until) => parseTime(until).getTime());
  if (ends.length === 0) return false;
  return Math.min(MOST_MS, Math.max(LEAST_MS, Math.min(...ends) - Date.now() + AFTER_MS));
}
