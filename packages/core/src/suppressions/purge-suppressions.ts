import { DatabaseClock } from '../clock.js';
import { needs } from '../needs.js';
import { PartnerRepository } from '../partners/partner-repository.js';
import { UnitOfWork } from '../unit-of-work.js';
import { Suppressions } from './suppressions.js';

const ROWS_PER_CHUNK = 500;

/** Deletes expired suppressions, a limited number of one partner in each transaction. */
@needs(UnitOfWork, PartnerRepository, Suppressions, DatabaseClock)
export class PurgeSuppressions {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly partners: PartnerRepository,
    private readonly suppressions: Suppressions,
    private readonly clock: DatabaseClock,
  ) {}

  /** @returns the number of deleted rows */
  async execute(): Promise<number> {
    const now = await this.clock.time();
    let deleted = 0;
    for (;;) {
      const partnerIds = await this.suppressions.partnersWithExpired(now, ROWS_PER_CHUNK);
      let found = 0;
      for (const partnerId of partnerIds) found += await this.ofPartner(partnerId, now);
      // Other processes may have deleted the same rows.
      if (found === 0) return deleted;
      deleted += found;
    }
  }

  private ofPartner(partnerId: number, now: Date): Promise<number> {
    return this.unitOfWork.run(async () => {
      await this.partners.lock(partnerId);
      return this.suppressions.removeExpired(partnerId, now, ROWS_PER_CHUNK);
    });
  }
}
