import { aboutDomain } from '../audit/about-domain.js';
import { AuditLog } from '../audit/audit-log.js';
import { Clock, zonelessTime } from '../clock.js';
import type { Domain } from '../domains/domain.js';
import { DomainRepository } from '../domains/domain-repository.js';
import { AppError } from '../errors.js';
import { JobQueue } from '../jobs/jobs.js';
import { needs } from '../needs.js';
import type { NotificationType } from '../notifications/notification-channel.js';
import { Notifier } from '../notifications/notifier.js';
import { systemActor } from '../operators/actor.js';
import { UnitOfWork } from '../unit-of-work.js';
import { DnsResolver } from './dns-resolver.js';
import { PlanLooks } from './looks/plan-looks.js';
import { missingRecords, riskReason } from './missing-records.js';
import { OwnVerification } from './own-verification.js';
import { challengeName, challengeValue } from './ownership-challenge.js';
import { type EnsureOutcome, RelayProvider } from './relay-provider.js';
import { type Verification, type VerificationTransition, type WantedOfIdentity, wantedOf } from './verification.js';
import { VerificationRepository } from './verification-repository.js';

const FOREIGN_IDENTITY =
  'The identity exists at the provider outside Mailstead; remove it there or choose another domain';

/** The notification and the event of each transition. */
const NOTIFICATIONS = {
  verified: 'domain.verified',
  failed: 'domain.verification_failed',
  lost: 'domain.verification_lost',
} as const satisfies Record<NonNullable<VerificationTransition>, NotificationType>;

/** What was found outside the transaction. */
interface Found {
  answer: ProviderAnswer;
  ownershipSeen: boolean;
  /** The names of the missing records of a domain at risk. */
  missing: string[];
}

type ProviderAnswer = EnsureOutcome | { outcome: 'unavailable'; reason: string };

/**
 * Reads the state of one domain from the provider and stores it: starts a verification that has not begun, checks one
 * that is pending, checks one that is verified again. The provider and the DNS are called outside any transaction. The
 * results are stored under the locks, and each transition is published once.
 */
@needs(
  UnitOfWork,
  DomainRepository,
  VerificationRepository,
  RelayProvider,
  DnsResolver,
  JobQueue,
  PlanLooks,
  OwnVerification,
  Notifier,
  AuditLog,
  Clock,
)
export class CheckVerification {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly domains: DomainRepository,
    private readonly verifications: VerificationRepository,
    private readonly provider: RelayProvider,
    private readonly dns: DnsResolver,
    private readonly jobs: JobQueue,
    private readonly looks: PlanLooks,
    private readonly ownVerification: OwnVerification,
    private readonly notifier: Notifier,
    private readonly audit: AuditLog,
    private readonly clock: Clock,
  ) {}

  /**
   * @returns the transition; null when nothing changed, the domain no longer exists, or the provider does not respond.
   */
  async execute(domainId: number, requestId: string | null = null): Promise<VerificationTransition> {
    const begun = await this.begin(domainId);
    if (begun === null) return null;
    const { domain, verification } = begun;
    const answer = await this.askProvider(domain, verification);
    const ownershipSeen =
      verification.ownershipSeenAt === null && (await this.isChallengePublished(domain, verification));
    const missing = await this.missingRecords(domain, answer);
    return this.store(domainId, verification.startedAt, { answer, ownershipSeen, missing }, requestId);
  }

  private begin(domainId: number): Promise<{ domain: Domain; verification: Verification } | null> {
    return this.unitOfWork.run(async () => {
      const domain = await this.domains.lockById(domainId);
      const verification = await this.verifications.lock(domainId);
      if (domain === null || verification === null) return null;
      if (verification.status === 'unverified') {
        verification.start(this.clock.now());
        await this.verifications.save(verification);
      }
      return { domain, verification };
    });
  }

  private async askProvider({ id, name }: Domain, verification: Verification): Promise<ProviderAnswer> {
    const asked = { id, name, startedAt: verification.startedAt };
    try {
      if (verification.hasBeenChecked) {
        const identity = await this.provider.readIdentity(asked);
        if (identity !== null) return { outcome: 'ours', identity };
      }
      return await this.provider.ensureIdentity(asked, verification.status !== 'verified');
    } catch (error) {
      if (error instanceof AppError && error.kind === 'unavailable')
        return { outcome: 'unavailable', reason: error.message };
      throw error;
    }
  }

  private async missingRecords({ name }: Domain, answer: ProviderAnswer): Promise<string[]> {
    if (answer.outcome !== 'ours' || answer.identity.atRisk === null) return [];
    return missingRecords(this.dns, name, answer.identity.records);
  }

  private async isChallengePublished(domain: Domain, verification: Verification): Promise<boolean> {
    if (!verification.ownershipRequired && domain.inbound === 'open') return false;
    const answer = await this.dns.txt(challengeName(domain.name));
    return answer.outcome === 'found' && answer.values.includes(challengeValue(verification.ownershipToken));
  }

  private store(
    domainId: number,
    startedAt: Date | null,
    { answer, ownershipSeen, missing }: Found,
    requestId: string | null,
  ): Promise<VerificationTransition> {
    return this.unitOfWork.run(async () => {
      const domain = await this.domains.lockById(domainId);
      const verification = await this.verifications.lock(domainId);
      if (domain === null || verification === null) return null;
      // The verification was restarted meanwhile, so this result belongs to the former verification.
      if (verification.startedAt?.getTime() !== startedAt?.getTime()) return null;
      const now = this.clock.now();
      if (ownershipSeen) verification.ownershipSeenAt = now;
      const isFirstSuccess = verification.verifiedAt === null;
      const transition = applyAnswer(verification, answer, now, wantedOf(this.provider));
      const isNewRisk = noteRisk(verification, answer, missing, now);
      await this.verifications.save(verification);
      if (isNewRisk) await this.publishRisk(domain, verification, missing, now, requestId);
      // Only the first success opens the domain: a later one must not undo that an operator closed it.
      if (ownershipSeen || (transition === 'verified' && isFirstSuccess)) await this.openInbound(domain);
      await this.planNextCheck(verification, requestId);
      if (transition !== null) await this.publish(domain, verification, transition, now, requestId);
      await this.updateChildren(domainId, transition, now);
      if (transition === 'verified' && this.provider.tenants !== null) await this.beginAlignment();
      if (transition === 'verified') await this.looks.afterChangeOfParent(domainId);
      else if (ownershipSeen) await this.looks.afterChange(domainId);
      return transition;
    });
  }

  /** The domain joins the tenant of its partner when it is its turn. */
  private beginAlignment(): Promise<void> {
    return this.jobs.enqueue('identities.align', { afterPartnerId: 0 }, { key: 'identities.align' });
  }

  private async openInbound(domain: Domain): Promise<void> {
    if (domain.inbound === 'open') return;
    domain.openInbound();
    await this.domains.save(domain);
  }

  /**
   * The parent's verification counts for its children, so its success opens them, and its loss makes them start their
   * own.
   */
  private async updateChildren(parentId: number, transition: VerificationTransition, now: Date): Promise<void> {
    if (transition === 'verified') await this.domains.openPendingChildren(parentId);
    if (transition !== 'lost') return;
    for (const { id } of await this.domains.lockChildren(parentId)) {
      await this.ownVerification.start(id, now);
    }
  }

  private async planNextCheck(
    { domainId, nextCheckAt, status }: Verification,
    requestId: string | null,
  ): Promise<void> {
    if (status !== 'pending' || nextCheckAt === null) return;
    await this.jobs.enqueue(
      'domain.verify',
      { domainId },
      { runAt: nextCheckAt, key: `domain.verify/${domainId}`, requestId },
    );
  }

  private async publishRisk(
    domain: Domain,
    { atRiskSince, lastError }: Verification,
    missing: string[],
    now: Date,
    requestId: string | null,
  ): Promise<void> {
    const since = atRiskSince === null ? null : zonelessTime(atRiskSince);
    const facts = { reason: lastError, since, missing };
    await this.notifier.notify('domain.verification_at_risk', domain, now, facts);
    const entry = aboutDomain(domain, 'domain.verification_at_risk', { after: facts });
    await this.audit.append(systemActor('verification', requestId), now, entry);
  }

  private async publish(
    domain: Domain,
    verification: Verification,
    transition: NonNullable<VerificationTransition>,
    now: Date,
    requestId: string | null,
  ): Promise<void> {
    await this.notifier.notify(NOTIFICATIONS[transition], domain, now, { reason: verification.lastError });
    const after = { verification_status: verification.status, inbound: domain.inbound };
    const entry = aboutDomain(domain, NOTIFICATIONS[transition], { after });
    await this.audit.append(systemActor('verification', requestId), now, entry);
  }
}

/** @returns whether it must be announced that the domain is at risk */
function noteRisk(verification: Verification, answer: ProviderAnswer, missing: string[], now: Date): boolean {
  if (answer.outcome !== 'ours' || verification.status !== 'verified') return false;
  const { atRisk } = answer.identity;
  return atRisk !== null && verification.noteRisk(atRisk.since, (since) => riskReason(missing, since), now);
}

function applyAnswer(
  verification: Verification,
  answer: ProviderAnswer,
  now: Date,
  wanted: WantedOfIdentity,
): VerificationTransition {
  switch (answer.outcome) {
    case 'ours': {
      const transition = verification.applyIdentity(answer.identity, now, wanted);
      if (verification.status === 'pending') verification.planNextCheck(now);
      return transition;
    }
    case 'foreign':
      return verification.markFailed(FOREIGN_IDENTITY, now);
    case 'unavailable':
      verification.postpone(answer.reason, now);
      return null;
  }
}
