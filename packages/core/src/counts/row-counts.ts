import type { Page } from '../page.js';

/** The rows whose id divided by `of` leaves `remainder`. All slices together are all rows, however many are added meanwhile. */
export interface Slice {
  of: number;
  remainder: number;
}

/** The stored count of domains of a partner, and how many domains it has. */
export interface PartnerCounts {
  id: number;
  stored: number;
  actual: number;
}

export type ContentCounts = { mailboxes: number; aliases: number };

/** The stored counts of a domain, and how many mailboxes and aliases it has. */
export interface DomainCounts {
  id: number;
  partnerId: number;
  stored: ContentCounts;
  actual: ContentCounts;
}

/**
 * Counts rows, to compare them with the counts that partners and domains store. Nothing is locked.
 *
 * `partners` and `domains` read keyset pages by id. The stored and the actual counts of a page are of one moment: while
 * domains, mailboxes and aliases come and go, they differ only where the stored count is wrong.
 */
export abstract class RowCounts {
  abstract partners(slice: Slice, page: Page): Promise<PartnerCounts[]>;
  abstract domains(slice: Slice, page: Page): Promise<DomainCounts[]>;
  /** How many domains the partner has. Exact until the end of the unit of work when the partner is locked. */
  abstract domainsOf(partnerId: number): Promise<number>;
  /** How many mailboxes and aliases the domain has. Exact until the end of the unit of work when its partner is locked. */
  abstract contentsOf(domainId: number): Promise<ContentCounts>;
}
