/** A partner's own name for itself in our API, byte-exact. */
export type PartnerRef = string & { readonly __brand: 'PartnerRef' };

const PARTNER_REF = /^[A-Za-z0-9._:@-]{1,128}$/;

export function parsePartnerRef(input: string): PartnerRef | null {
  return PARTNER_REF.test(input) ? (input as PartnerRef) : null;
}

/**
 * The tenant above the domain. Its row is the lock of its quota pool: whoever creates or deletes something of a
 * partner locks it first. Domains of no partner (made by master) have a row too, whose `ref` is null.
 */
export class Partner {
  readonly id!: number;
  readonly ref!: PartnerRef | null;
  domainCount!: number;
  /** The newest `created_at` given out; see `stampCreation`. */
  lastCreatedAt!: Date;

  private constructor() {}

  /**
   * The creation time of the next thing of this partner: now, but later than any before. A poll with `since` therefore never
   * misses a row, provided the partner is locked until the commit.
   */
  stampCreation(now: Date): Date {
    this.lastCreatedAt = new Date(Math.max(now.getTime(), this.lastCreatedAt.getTime() + 1));
    return this.lastCreatedAt;
  }
}

/** Whose things a caller may see: one partner's, or everything. Absent and foreign are the same outside it. */
export type PartnerScope = number | 'all';
