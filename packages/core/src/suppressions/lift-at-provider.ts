import { AppError } from '../errors.js';
import { JOB_OPTIONS } from '../jobs/jobs.js';
import { needs } from '../needs.js';
import { PartnerRepository } from '../partners/partner-repository.js';
import { RelayProvider } from '../relay/relay-provider.js';
import { Tenants } from '../relay/tenants/tenants.js';
import { UnitOfWork } from '../unit-of-work.js';
import { Suppressions } from './suppressions.js';

/** Takes a lifted address off the list of its partner's tenant, and deletes the suppression when that is confirmed. */
@needs(UnitOfWork, Suppressions, PartnerRepository, Tenants, RelayProvider)
export class LiftAtProvider {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly suppressions: Suppressions,
    private readonly partners: PartnerRepository,
    private readonly tenants: Tenants,
    private readonly provider: RelayProvider,
  ) {}

  /**
   * @param attempt 1 for the first. The last one that fails is stored, and the caller may lift the suppression again.
   * @throws AppError relay_unavailable before the last attempt
   */
  async execute(id: number, attempt: number): Promise<void> {
    const lifting = await this.suppressions.lifting(id);
    if (lifting === null) return;
    const { partnerId, address, spelling } = lifting;
    try {
      const tenant = await this.tenants.find(partnerId);
      const arn = tenant?.arn ?? null;
      // Without a tenant, the address is on no list of the partner.
      if (tenant !== null && arn !== null) {
        await this.provider.tenants?.liftSuppression({ name: tenant.name, arn }, spelling ?? address);
      }
    } catch (error) {
      const isLast = attempt >= JOB_OPTIONS['suppression.lift-tenant'].maxAttempts;
      if (!isLast || !(error instanceof AppError)) throw error;
      await this.suppressions.markLift(id, 'failed');
      return;
    }
    await this.unitOfWork.run(async () => {
      await this.partners.lock(partnerId);
      await this.suppressions.removeLifted(partnerId, id);
    });
    // The domain may have moved during the call, and the suppression with it: the tenant of its partner is asked too.
    const moved = await this.suppressions.lifting(id);
    if (moved !== null && moved.partnerId !== partnerId) await this.execute(id, attempt);
  }
}
