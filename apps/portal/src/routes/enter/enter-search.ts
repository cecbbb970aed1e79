import { textOf } from '../search-text.js';

export interface EnterSearch {
  /** Why one is out, in the API's English words. */
  why?: string | undefined;
  /** The code of that reason. */
  code?: string | undefined;
  /** Where one was. */
  to?: string | undefined;
}

export function enterSearch(search: Record<string, unknown>): EnterSearch {
  return { why: textOf(search.why), code: textOf(search.code), to: textOf(search.to) };
}
