import { textOf } from '../../search-text.js';

/** The filters of the list of partners, as in the address. */
export interface PartnersSearch {
  q?: string | undefined;
  /** One of `PARTNER_STATES`. */
  state?: string | undefined;
}

export function partnersSearch({ q, state }: Record<string, unknown>): PartnersSearch {
  return { q: textOf(q), state: textOf(state) };
}
