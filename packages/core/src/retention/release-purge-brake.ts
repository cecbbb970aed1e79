import { aboutInstallation } from '../audit/about-partner.js';
import { AuditLog } from '../audit/audit-log.js';
import { Clock } from '../clock.js';
import { needs } from '../needs.js';
import type { Actor } from '../operators/actor.js';
import { UnitOfWork } from '../unit-of-work.js';
import { PurgeMarks } from './purge-marks.js';

/**
 * Lets the next purge apply the lowered retentions that the brake holds now. A domain that is held later, or whose
 * retention was lowered further since, waits for another release.
 */
@needs(UnitOfWork, PurgeMarks, AuditLog, Clock)
export class ReleasePurgeBrake {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly marks: PurgeMarks,
    private readonly audit: AuditLog,
    private readonly clock: Clock,
  ) {}

  async execute(actor: Actor): Promise<void> {
    await this.unitOfWork.run(async () => {
      const domains = await this.marks.release();
      const change = { subject: 'retention.purge', after: { domains } };
      await this.audit.append(actor, this.clock.now(), aboutInstallation('purge.release_brake', change));
    });
  }
}
