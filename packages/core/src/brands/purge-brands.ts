import { needs } from '../needs.js';
import { PartnerRepository } from '../partners/partner-repository.js';
import { UnitOfWork } from '../unit-of-work.js';
import { BrandRepository } from './brand-repository.js';

/** Deletes the brands of partners that have ended. */
@needs(UnitOfWork, PartnerRepository, BrandRepository)
export class PurgeBrands {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly partners: PartnerRepository,
    private readonly brands: BrandRepository,
  ) {}

  /** @returns the number of deleted brands, at most `limit` */
  async execute(limit: number): Promise<number> {
    let deleted = 0;
    for (const id of await this.brands.ended(limit)) {
      const isDeleted = await this.unitOfWork.run(async () => {
        // A key or a domain that is created meanwhile waits for this lock, or is seen.
        await this.partners.lock(id);
        return this.brands.removeIfEnded(id);
      });
      if (isDeleted) deleted += 1;
    }
    return deleted;
  }
}
