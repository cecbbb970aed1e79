import { aboutPartner } from '../audit/about-partner.js';
import { AuditLog } from '../audit/audit-log.js';
import { Clock } from '../clock.js';
import { AppError } from '../errors.js';
import { needs } from '../needs.js';
import type { Actor } from '../operators/actor.js';
import { raiseRevision } from '../operators/revision.js';
import type { Partner, PartnerRef, SuppressionMode } from '../partners/partner.js';
import { PartnerRepository } from '../partners/partner-repository.js';
import { UnitOfWork } from '../unit-of-work.js';

/** Says whether the suppressions of a partner refuse recipients, or are only listed. */
@needs(UnitOfWork, PartnerRepository, AuditLog, Clock)
export class SetSuppressionMode {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly partners: PartnerRepository,
    private readonly audit: AuditLog,
    private readonly clock: Clock,
  ) {}

  /** @throws AppError partner_not_found */
  async read(ref: PartnerRef): Promise<Partner> {
    const partner = (await this.partners.summary(ref)) === null ? null : await this.partners.find(ref);
    if (partner === null) throw new AppError('partner_not_found');
    return partner;
  }

  /** Writes nothing when the mode is the same. @throws AppError partner_not_found, changed_meanwhile */
  execute(actor: Actor, ref: PartnerRef, mode: SuppressionMode): Promise<Partner> {
    return this.unitOfWork.run(async () => {
      const summary = await this.partners.summary(ref);
      if (summary === null) throw new AppError('partner_not_found');
      const partner = await this.partners.lock(summary.id);
      const before = { suppression_mode: partner.suppressionMode };
      if (partner.suppressionMode === mode) return partner;
      raiseRevision(actor, partner);
      partner.suppressionMode = mode;
      await this.partners.save(partner);
      const change = { subject: ref, before, after: { suppression_mode: mode } };
      await this.audit.append(actor, this.clock.now(), aboutPartner(partner, 'partner.update', change));
      return partner;
    });
  }
}
