import { textOf } from '../search-text.js';

/** What is shown, as in the address. */
export interface UsageSearch {
  /** `YYYY-MM`; without it the latest. */
  month?: string | undefined;
  /** For operators: only this partner. */
  partner?: string | undefined;
}

export function usageSearch(search: Record<string, unknown>): UsageSearch {
  const month = textOf(search.month);
  return {
    month: month !== undefined && /^\d{4}-(0[1-9]|1[0-2])$/.test(month) ? month : undefined,
    partner: textOf(search.partner),
  };
}
