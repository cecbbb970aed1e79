import { hash } from 'node:crypto';
import { aboutInstallation } from '../audit/about-partner.js';
import { AuditLog } from '../audit/audit-log.js';
import { Clock } from '../clock.js';
import { JobQueue } from '../jobs/jobs.js';
import { needs } from '../needs.js';
import type { Actor } from '../operators/actor.js';
import { UnitOfWork } from '../unit-of-work.js';

/** Has an address taken off the list of the account at the relay provider, to which none of our domains can send. */
@needs(UnitOfWork, JobQueue, AuditLog, Clock)
export class LiftAccountSuppression {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly jobs: JobQueue,
    private readonly audit: AuditLog,
    private readonly clock: Clock,
  ) {}

  /** @param address in the provider's spelling */
  execute(actor: Actor, address: string): Promise<void> {
    return this.unitOfWork.run(async () => {
      const key = `suppression.lift/${hash('sha256', address, 'base64url').slice(0, 22)}`;
      await this.jobs.enqueue('suppression.lift', { address }, { key, requestId: actor.requestId });
      const entry = aboutInstallation('relay.lift_suppression', { subject: address });
      await this.audit.append(actor, this.clock.now(), entry);
    });
  }
}
