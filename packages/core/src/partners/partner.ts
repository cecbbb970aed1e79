/** The name that a partner has in the API, compared byte by byte. */
export type PartnerRef = string & { readonly __brand: 'PartnerRef' };

const PARTNER_REF = /^[A-Za-z0-9._:@-]{1,128}$/;

export function parsePartnerRef(input: string): PartnerRef | null {
  return PARTNER_REF.test(input) ? (input as PartnerRef) : null;
}

/**
 * The owner of domains. Every use case that creates, deletes or moves a domain, mailbox or alias of a partner locks the
 * partner's row first. Domains of no partner, which master creates, belong to a row with `ref` null.
 */
export class Partner {
  readonly id!: number;
  readonly ref!: PartnerRef | null;
  domainCount!: number;
  /** The newest creation time of all rows of this partner; see `stampCreation`. */
  lastCreatedAt!: Date;

  private constructor() {}

  /**
   * Returns the creation time for the next row of this partner: now, but at least 1 ms later than the last one. The partner
   * must stay locked until the commit; a poll with `since` then never misses a row.
   */
  stampCreation(now: Date): Date {
    this.lastCreatedAt = new Date(Math.max(now.getTime(), this.lastCreatedAt.getTime() + 1));
    return this.lastCreatedAt;
  }
}

/** The rows that a caller may see: those of one partner, or all. Rows outside the scope are treated as absent. */
export type PartnerScope = number | 'all';
