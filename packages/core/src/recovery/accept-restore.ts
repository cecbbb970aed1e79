import { aboutInstallation } from '../audit/about-partner.js';
import { AuditLog } from '../audit/audit-log.js';
import { Clock, zonelessTime } from '../clock.js';
import { systemActor } from '../operators/actor.js';
import { UnitOfWork } from '../unit-of-work.js';
import { type RestoredBackup, RestoredInstallation, type RestoredKind } from './restored-installation.js';

const ACTOR = systemActor('restore');

export interface RestoreReport extends RestoredBackup {
  counts: Record<RestoredKind, number>;
}

/** Shows what the operator must look at after a restore, and opens the service when the operator accepts it. */
export class AcceptRestore {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly restored: RestoredInstallation,
    private readonly audit: AuditLog,
    private readonly clock: Clock,
  ) {}

  /** @returns null when nothing waits */
  async report(): Promise<RestoreReport | null> {
    const waiting = await this.restored.waiting();
    return waiting === null ? null : { ...waiting, counts: await this.restored.counts(this.clock.now()) };
  }

  /**
   * Opens the service, writes the audit row, and queues a check of each verified domain, all together.
   *
   * @returns false when nothing waits
   */
  accept(report: RestoreReport): Promise<boolean> {
    return this.unitOfWork.run(async () => {
      const now = this.clock.now();
      if (!(await this.restored.open())) return false;
      const checked = await this.restored.checkVerified(now);
      const after = {
        taken_at: zonelessTime(report.takenAt),
        restored_at: zonelessTime(report.restoredAt),
        verified_domains: checked,
      };
      await this.audit.append(ACTOR, now, aboutInstallation('restore.accept', { subject: 'restore', after }));
      return true;
    });
  }
}
