import { aboutPartner } from '../audit/about-partner.js';
import { AuditLog } from '../audit/audit-log.js';
import { isChange } from '../audit/is-change.js';
import { Clock } from '../clock.js';
import type { JobCounts } from '../jobs/jobs.js';
import { needs } from '../needs.js';
import { systemActor } from '../operators/actor.js';
import { PartnerRepository } from '../partners/partner-repository.js';
import { UnitOfWork } from '../unit-of-work.js';
import { BrandRepository } from './brand-repository.js';
import { isOfPresentRules, type Logo } from './logo.js';
import { shownBrand } from './shown-brand.js';
import { StoredLogos } from './stored-logos.js';

const LOGOS_AT_ONCE = 50;

/**
 * Writes logos anew that former rules wrote, each once: also when it is interrupted, runs in two processes, or one is
 * stored by former rules meanwhile. One that the present rules refuse is removed, and the event of the partner says so.
 */
@needs(UnitOfWork, PartnerRepository, BrandRepository, StoredLogos, AuditLog, Clock)
export class RewriteLogos {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly partners: PartnerRepository,
    private readonly brands: BrandRepository,
    private readonly logos: StoredLogos,
    private readonly audit: AuditLog,
    private readonly clock: Clock,
  ) {}

  async execute(): Promise<JobCounts> {
    const counts = { logos_rewritten: 0, logos_removed: 0 };
    for (let written = -1; written !== 0; ) {
      const ids = await this.brands.withFormerLogo(LOGOS_AT_ONCE);
      // None, when another process writes the same ones.
      written = 0;
      for (const id of ids) {
        const outcome = await this.rewrite(id);
        if (outcome === null) continue;
        counts[outcome] += 1;
        written += 1;
      }
    }
    return counts;
  }

  private async rewrite(partnerId: number): Promise<'logos_rewritten' | 'logos_removed' | null> {
    const former = (await this.brands.find(partnerId))?.logo ?? null;
    const logo = await this.logos.current(former);
    return this.unitOfWork.run(async () => {
      const partner = await this.partners.lock(partnerId);
      const brand = await this.brands.find(partnerId);
      if (brand === null || brand.logo === null || isOfPresentRules(brand.logo) || !isSame(brand.logo, former))
        return null;
      const before = { brand: shownBrand(brand) };
      brand.logo = logo;
      const after = { brand: shownBrand(brand) };
      if (brand.isEmpty && !brand.locked) await this.brands.remove(partnerId);
      else await this.brands.save(brand);
      if (isChange({ before, after })) {
        const entry = aboutPartner(partner, 'partner.update', { subject: partner.ref ?? '', before, after });
        await this.audit.append(systemActor('housekeeping'), this.clock.now(), entry);
      }
      return logo === null ? 'logos_removed' : 'logos_rewritten';
    });
  }
}

/** Whether the stored logo is still the one that was written anew. */
function isSame(stored: Logo, former: Logo | null): boolean {
  return stored.data === former?.data;
}
