import { textOf } from '../search-text.js';

export interface EnterSearch {
  /** Why one is out, in the API's words. */
  why?: string | undefined;
  /** Where one was. */
  to?: string | undefined;
}

export function enterSearch(search: Record<string, unknown>): EnterSearch {
  return { why: textOf(search.why), to: textOf(search.to) };
}
