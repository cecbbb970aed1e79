/** The most partners that one statement excludes. */
const MAX_SERVED = 500;

/**
 * Remembers whose jobs were claimed in the present round. A partner gets one job in each round, as long as others have
 * due jobs.
 */
export class PartnerTurns {
  private readonly partners = new Set<number>();

  get served(): number[] {
    return [...this.partners];
  }

  /** Adds partners whose jobs were claimed. The ones that were served first are forgotten when there are too many. */
  serve(partners: readonly number[]): void {
    for (const partner of partners) {
      this.partners.delete(partner);
      this.partners.add(partner);
    }
    for (const first of this.partners) {
      if (this.partners.size <= MAX_SERVED) return;
      this.partners.delete(first);
    }
  }

  /** Starts a new round with the partners whose jobs were claimed. */
  startRound(partners: readonly number[]): void {
    this.partners.clear();
    this.serve(partners);
  }
}
