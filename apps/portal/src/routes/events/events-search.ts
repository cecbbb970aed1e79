import { textOf } from '../search-text.js';

/** The filters of the events, as in the address. */
export interface EventsSearch {
  domain?: string | undefined;
  /** A type such as `domain.verified`, or its first word. */
  type?: string | undefined;
}

export function eventsSearch(search: Record<string, unknown>): EventsSearch {
  return { domain: textOf(search.domain), type: textOf(search.type) };
}
