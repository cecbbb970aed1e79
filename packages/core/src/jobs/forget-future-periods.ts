import { aboutInstallation } from '../audit/about-partner.js';
import { AuditLog } from '../audit/audit-log.js';
import { DatabaseClock } from '../clock.js';
import { needs } from '../needs.js';
import type { Actor } from '../operators/actor.js';
import { UnitOfWork } from '../unit-of-work.js';
import { RunLedger } from './run-ledger.js';
import { latestPeriods } from './schedules.js';

/** Removes what a process with a wrong clock left in the run ledger, after the clock was set right. */
@needs(UnitOfWork, RunLedger, AuditLog, DatabaseClock)
export class ForgetFuturePeriods {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly ledger: RunLedger,
    private readonly audit: AuditLog,
    private readonly clock: DatabaseClock,
  ) {}

  /** @returns the number of removed runs */
  async execute(actor: Actor): Promise<number> {
    const now = await this.clock.time();
    return this.unitOfWork.run(async () => {
      const removed = await this.ledger.forgetFuture(latestPeriods(now));
      await this.audit.append(
        actor,
        now,
        aboutInstallation('job.forget_future', { subject: 'all schedules', after: { removed } }),
      );
      return removed;
    });
  }
}
