import { AuditLog } from '../audit/audit-log.js';
import { DatabaseClock } from '../clock.js';
import { DomainLocks } from '../domains/domain-locks.js';
import type { DomainName } from '../domains/domain-name.js';
import { AppError, invalidField } from '../errors.js';
import { needs } from '../needs.js';
import type { Actor } from '../operators/actor.js';
import type { Partner, PartnerRef } from '../partners/partner.js';
import { PartnerRepository } from '../partners/partner-repository.js';
import { UnitOfWork } from '../unit-of-work.js';
import { aboutSuppression, shownSuppression } from './about-suppression.js';
import { Suppression, SuppressionOptions, WHOLE_PARTNER } from './suppression.js';
import type { SuppressedAddress } from './suppression-address.js';
import { Suppressions } from './suppressions.js';

/** More than one creation needs, so that few of those at the limit delete expired rows. */
const EXPIRED_AT_ONCE = 500;

export interface CreateSuppressionCommand {
  address: SuppressedAddress;
  /** Null: all domains of the partner. */
  domain: DomainName | null;
  note: string | null;
  /** The partner, when an operator names no domain. Otherwise ignored. */
  partnerRef: PartnerRef | null;
}

/** Where a suppression belongs; the partner is locked. */
interface Place {
  partner: Partner;
  domainId: number;
}

/** Adds suppressions that callers want. */
@needs(UnitOfWork, DomainLocks, PartnerRepository, Suppressions, AuditLog, DatabaseClock, SuppressionOptions)
export class CreateSuppression {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly locks: DomainLocks,
    private readonly partners: PartnerRepository,
    private readonly suppressions: Suppressions,
    private readonly audit: AuditLog,
    private readonly clock: DatabaseClock,
    private readonly options: SuppressionOptions,
  ) {}

  /**
   * @returns the suppression; one that existed is not changed
   * @throws AppError domain_not_found, partner_not_found, key_limited_to_domains, validation_failed (an operator names
   * neither domain nor partner), too_many_suppressions
   */
  execute(actor: Actor, command: CreateSuppressionCommand): Promise<{ suppression: Suppression; isNew: boolean }> {
    const { address, domain, note } = command;
    return this.unitOfWork.run(async () => {
      const { partner, domainId } = await this.lock(actor, command);
      const since = await this.clock.time();
      const existing = await this.suppressions.findByKey({ partnerId: partner.id, domainId, address });
      const isExpired = existing !== null && existing.expiresAt !== null && existing.expiresAt <= since;
      if (existing !== null && !isExpired) return { suppression: existing, isNew: false };
      if (existing !== null) await this.suppressions.remove(existing);
      const count = partner.suppressionCount - (isExpired ? 1 : 0);
      if (count >= this.options.maxPerPartner) await this.makeRoom(partner.id, count, since);
      const suppression = await this.suppressions.add(
        Suppression.create({
          partnerId: partner.id,
          partnerRef: partner.ref,
          domainId,
          domain,
          address,
          reason: 'manual',
          note,
          since,
          expiresAt: null,
        }),
      );
      const after = shownSuppression(suppression);
      await this.audit.append(actor, since, aboutSuppression(suppression, 'suppression.create', { after }));
      return { suppression, isNew: true };
    });
  }

  private async lock(actor: Actor, { domain, partnerRef }: CreateSuppressionCommand): Promise<Place> {
    if (domain !== null) {
      const locked = await this.locks.domain(actor, domain);
      return { partner: locked.partner, domainId: locked.domain.id };
    }
    if (actor.kind === 'client') {
      if (actor.domainIds !== null) throw new AppError('key_limited_to_domains');
      return { partner: await this.partners.lock(actor.partnerId), domainId: WHOLE_PARTNER };
    }
    if (partnerRef === null) throw invalidField('partner_ref', 'is required without a domain');
    const partner = await this.partners.find(partnerRef);
    if (partner === null) throw new AppError('partner_not_found');
    return { partner: await this.partners.lock(partner.id), domainId: WHOLE_PARTNER };
  }

  /**
   * Expired rows count until they are deleted. A domain that moved may have brought the partner above the limit, so
   * that one expired row is no room.
   *
   * @param count the rows of the locked partner
   * @throws AppError too_many_suppressions
   */
  private async makeRoom(partnerId: number, count: number, now: Date): Promise<void> {
    const removed = await this.suppressions.removeExpired(partnerId, now, EXPIRED_AT_ONCE);
    if (count - removed >= this.options.maxPerPartner) throw new AppError('too_many_suppressions');
  }
}
