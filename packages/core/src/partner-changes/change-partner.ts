import { aboutPartner } from '../audit/about-partner.js';
import { AuditLog } from '../audit/audit-log.js';
import { isChange } from '../audit/is-change.js';
import { shownOf } from '../audit/shown-of.js';
import { Clock } from '../clock.js';
import { AppError } from '../errors.js';
import { needs } from '../needs.js';
import type { Actor } from '../operators/actor.js';
import { raiseRevision } from '../operators/revision.js';
import { Partner, type PartnerRef } from '../partners/partner.js';
import { PartnerRepository, type PartnerSummary } from '../partners/partner-repository.js';
import { UnitOfWork } from '../unit-of-work.js';

/** A field that is undefined is not changed. */
export interface PartnerChanges {
  externalRef?: string | null | undefined;
  name?: string | null | undefined;
}

const shown = shownOf(Partner, {
  hide: [
    'id',
    'ref',
    'domainCount',
    'lastCreatedAt',
    'suspensions',
    'stage',
    'suppressionMode',
    'suppressionCount',
    'revision',
    'brandRevision',
  ],
});

/** Changes what operators note about a partner. */
@needs(UnitOfWork, PartnerRepository, AuditLog, Clock)
export class ChangePartner {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly partners: PartnerRepository,
    private readonly audit: AuditLog,
    private readonly clock: Clock,
  ) {}

  /** Writes nothing when no field gets another value. @throws AppError partner_not_found, changed_meanwhile */
  execute(actor: Actor, ref: PartnerRef, { externalRef, name }: PartnerChanges): Promise<PartnerSummary> {
    return this.unitOfWork.run(async () => {
      const summary = await this.partners.summary(ref);
      if (summary === null) throw new AppError('partner_not_found');
      const partner = await this.partners.lock(summary.id);
      const before = shown(partner);
      if (externalRef !== undefined) partner.externalRef = externalRef;
      if (name !== undefined) partner.name = name;
      const after = shown(partner);
      if (isChange({ before, after })) {
        raiseRevision(actor, partner);
        await this.partners.save(partner);
        await this.partners.saveWords(partner);
        const entry = aboutPartner(partner, 'partner.update', { subject: ref, before, after });
        await this.audit.append(actor, this.clock.now(), entry);
      }
      const { externalRef: storedRef, name: storedName, revision } = partner;
      return { ...summary, externalRef: storedRef, name: storedName, revision };
    });
  }
}
