/** A partner's own name for itself in our API, byte-exact. */
export type PartnerRef = string & { readonly __brand: 'PartnerRef' };

const PARTNER_REF = /^[A-Za-z0-9._:@-]{1,128}$/;

export function parsePartnerRef(input: string): PartnerRef | null {
  return PARTNER_REF.test(input) ? (input as PartnerRef) : null;
}

/**
 * Who owns domains. Whoever creates, deletes or moves a domain, mailbox or alias of a partner locks its row first. The
 * domains of no partner, made by master, have a row too, with the `ref` null.
 */
export class Partner {
  readonly id!: number;
  readonly ref!: PartnerRef | null;
  domainCount!: number;
  /** The newest `created_at` of anything of this partner; see `stampCreation`. */
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

/** What a caller may see: the things of one partner, or everything. Things outside the scope count as absent. */
export type PartnerScope = number | 'all';
