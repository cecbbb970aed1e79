import type { Suppression } from '../../api/shapes.js';
import { textOf } from '../search-text.js';

export const SUPPRESSION_REASONS = ['bounce', 'complaint', 'manual'] as const satisfies Suppression['reason'][];

/** The filters of the suppressed addresses, as in the address. */
export interface SuppressionsSearch {
  domain?: string | undefined;
  reason?: Suppression['reason'] | undefined;
}

export function suppressionsSearch(search: Record<string, unknown>): SuppressionsSearch {
  return { domain: textOf(search.domain), reason: SUPPRESSION_REASONS.find((each) => each === search.reason) };
}
