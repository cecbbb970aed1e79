import type { CountRows, Found } from '../search.js';
import type { PartnerRef } from './partner.js';
import type { PartnerSummary } from './partner-repository.js';
import type { PartnerState } from './partner-state.js';

/** Conditions that are undefined are not checked. */
export interface PartnerFilter {
  /** Each is the beginning of a word of the reference or the name (`wordsOfPartner`). */
  words?: readonly string[] | undefined;
  states?: readonly PartnerState[] | undefined;
}

export type StatedPartner = PartnerSummary & { state: PartnerState };

/** Finds partners in the order of their references. Create one for each list: it remembers what it found. */
export interface PartnerSearch {
  /** Looks at a limited number of partners after a reference, and finds at most `limit`. */
  next: (after: string, limit: number) => Promise<Found<StatedPartner, PartnerRef>>;
  count: CountRows;
}

/** Reads partners with their states. An active partner without keys and domains is not found. */
export abstract class PartnerFinder {
  /** @param now decides which keys have expired */
  abstract search(filter: PartnerFilter, now: Date): PartnerSearch;
  /** @param id of a partner that exists */
  abstract state(id: number, now: Date): Promise<PartnerState>;
}
