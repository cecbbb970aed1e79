import { textOf } from '../search-text.js';

/** The filters of the list of domains, as in the address. */
export interface DomainsSearch {
  q?: string | undefined;
  /** A filter of `domain-filters.ts`. */
  show?: string | undefined;
}

export function domainsSearch(search: Record<string, unknown>): DomainsSearch {
  return { q: textOf(search.q), show: textOf(search.show) };
}
