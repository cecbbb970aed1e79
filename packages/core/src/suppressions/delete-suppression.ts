import { AuditLog } from '../audit/audit-log.js';
import { Clock } from '../clock.js';
import { AppError } from '../errors.js';
import { JobQueue } from '../jobs/jobs.js';
import { needs } from '../needs.js';
import { type Actor, scopeOf } from '../operators/actor.js';
import { PartnerRepository } from '../partners/partner-repository.js';
import { RelayProvider } from '../relay/relay-provider.js';
import { Tenants } from '../relay/tenants/tenants.js';
import { ChangedBeforeLock, UnitOfWork } from '../unit-of-work.js';
import { aboutSuppression, shownSuppression } from './about-suppression.js';
import type { Suppression } from './suppression.js';
import { Suppressions } from './suppressions.js';

/**
 * Lifts suppressions. One that an event made, or met, is on the list of the partner's tenant too, from which a job
 * takes it.
 */
@needs(UnitOfWork, PartnerRepository, Suppressions, Tenants, RelayProvider, JobQueue, AuditLog, Clock)
export class DeleteSuppression {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly partners: PartnerRepository,
    private readonly suppressions: Suppressions,
    private readonly tenants: Tenants,
    private readonly provider: RelayProvider,
    private readonly jobs: JobQueue,
    private readonly audit: AuditLog,
    private readonly clock: Clock,
  ) {}

  /** @throws AppError suppression_not_found, complaint_not_liftable */
  execute(actor: Actor, id: number): Promise<void> {
    return this.unitOfWork.run(async () => {
      const now = this.clock.now();
      const found = await this.suppressions.find(scopeOf(actor), id, now);
      if (found === null) throw new AppError('suppression_not_found');
      await this.partners.lock(found.partnerId);
      // An event may have made it a complaint, another caller may have deleted it, or its domain may have moved.
      const locked = await this.suppressions.find(scopeOf(actor), id, now);
      if (locked === null) throw new AppError('suppression_not_found');
      if (locked.partnerId !== found.partnerId) throw new ChangedBeforeLock(`Suppression ${id} is another partner's`);
      if (locked.reason === 'complaint' && actor.kind !== 'master') throw new AppError('complaint_not_liftable');
      if (locked.lift === 'pending') return;
      if (await this.isAtProvider(locked)) await this.liftAtProvider(id, actor.requestId);
      else await this.suppressions.remove(locked);
      const before = shownSuppression(locked);
      await this.audit.append(actor, now, aboutSuppression(locked, 'suppression.delete', { before }));
    });
  }

  private async isAtProvider({ partnerId, reason, spelling }: Suppression): Promise<boolean> {
    if (this.provider.tenants === null || (reason === 'manual' && spelling === null)) return false;
    const tenant = await this.tenants.find(partnerId);
    return tenant !== null && tenant.arn !== null;
  }

  private async liftAtProvider(id: number, requestId: string | null): Promise<void> {
    await this.suppressions.markLift(id, 'pending');
    const key = `suppression.lift-tenant/${id}`;
    await this.jobs.enqueue('suppression.lift-tenant', { suppressionId: id }, { key, requestId });
  }
}
