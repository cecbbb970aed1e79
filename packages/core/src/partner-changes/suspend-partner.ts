import { aboutPartner } from '../audit/about-partner.js';
import { AuditLog } from '../audit/audit-log.js';
import type { AuditAction, EventType } from '../audit/event-types.js';
import { isChange } from '../audit/is-change.js';
import { Clock } from '../clock.js';
import { AppError } from '../errors.js';
import { RevokeSessions } from '../mail-sessions/revoke-sessions.js';
import { needs } from '../needs.js';
import type { Actor } from '../operators/actor.js';
import { raiseRevision } from '../operators/revision.js';
import type { Partner, PartnerRef } from '../partners/partner.js';
import { PartnerRepository } from '../partners/partner-repository.js';
import type { OperatorCause, PartnerSuspension } from '../partners/partner-suspension.js';
import { shownMessages } from '../partners/stop-messages.js';
import { UnitOfWork } from '../unit-of-work.js';

export interface SuspendPartnerCommand extends PartnerSuspension {
  /** What master tells the partner about this cause; undefined: that stays as it is; null: nothing. */
  message?: string | null | undefined;
}

/**
 * Suspends and activates partners. The domains of the partner are not changed: every read of a domain also reads the
 * stage of its partner, so that the change applies at once on every replica, and to domains that are moved.
 */
@needs(UnitOfWork, PartnerRepository, RevokeSessions, AuditLog, Clock)
export class SuspendPartner {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly partners: PartnerRepository,
    private readonly revokeSessions: RevokeSessions,
    private readonly audit: AuditLog,
    private readonly clock: Clock,
  ) {}

  /**
   * Adds a cause, or changes the stage of a cause.
   *
   * @param command of master; the billing scope always sets the cause `billing`.
   * @throws AppError partner_not_found
   */
  suspend(actor: Actor, ref: PartnerRef, { cause, stage, message }: SuspendPartnerCommand): Promise<Partner> {
    return this.change(actor, ref, 'partner.suspend', (partner) =>
      partner.suspend(actor.kind === 'master' ? cause : 'billing', stage, message),
    );
  }

  /**
   * Lifts a cause. The partner stays suspended while other causes remain.
   *
   * @param cause of master, null for all; the billing scope always lifts `billing`.
   * @throws AppError partner_not_found
   */
  activate(actor: Actor, ref: PartnerRef, cause: OperatorCause | null): Promise<Partner> {
    return this.change(actor, ref, 'partner.activate', (partner) =>
      partner.activate(actor.kind === 'master' ? cause : 'billing'),
    );
  }

  /** Changes nothing, and writes no audit row, when the partner already is as wanted. */
  private change(
    actor: Actor,
    ref: PartnerRef,
    action: AuditAction,
    work: (partner: Partner) => void,
  ): Promise<Partner> {
    return this.unitOfWork.run(async () => {
      const summary = await this.partners.summary(ref);
      if (summary === null) throw new AppError('partner_not_found');
      const partner = await this.partners.lock(summary.id);
      const before = show(partner);
      const { stage: stageBefore } = partner;
      work(partner);
      const after = show(partner);
      if (isChange({ before, after })) {
        raiseRevision(actor, partner);
        await this.partners.save(partner);
        if (partner.stage === 'all' && stageBefore !== 'all') await this.revokeSessions.ofStoppedDomains(actor);
        await this.audit.append(
          actor,
          this.clock.now(),
          aboutPartner(partner, action, { type: typeOf(before, after), subject: ref, before, after }),
        );
      }
      return partner;
    });
  }
}

type Shown = Record<string, unknown>;

function show(partner: Partner): Shown {
  return { stage: partner.stage, suspension_causes: partner.suspensions, ...shownMessages(partner) };
}

/** What an operator tells the partner suspends nothing. */
function typeOf({ suspension_causes: before }: Shown, { suspension_causes: after }: Shown): EventType | undefined {
  return JSON.stringify(before) === JSON.stringify(after) ? 'partner.updated' : undefined;
}
