import { aboutDomain } from '../audit/about-domain.js';
import { AuditLog } from '../audit/audit-log.js';
import type { AuditAction, EventType } from '../audit/event-types.js';
import { isChange } from '../audit/is-change.js';
import { DatabaseClock } from '../clock.js';
import { JobQueue } from '../jobs/jobs.js';
import { needs } from '../needs.js';
import type { Actor } from '../operators/actor.js';
import { changeExpected, raiseRevision } from '../operators/revision.js';
import { MarkLimits } from '../outbound/mark-limits.js';
import { UnitOfWork } from '../unit-of-work.js';
import type { Domain } from './domain.js';
import { DomainLocks } from './domain-locks.js';
import type { DomainName } from './domain-name.js';
import { DomainRepository } from './domain-repository.js';

/** The fields that the audit row shows: those that `change` may set, in snake_case. */
export type Shown = Record<string, unknown>;

/**
 * Changes a setting of a domain: locks the domain in the caller's scope, changes it, saves it, and writes the audit
 * row. Nothing is written when `show` returns the same before and after the change.
 */
@needs(UnitOfWork, DomainLocks, DomainRepository, AuditLog, DatabaseClock, MarkLimits, JobQueue)
export class ChangeDomain {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly locks: DomainLocks,
    private readonly domains: DomainRepository,
    private readonly audit: AuditLog,
    private readonly clock: DatabaseClock,
    private readonly marks: MarkLimits,
    private readonly jobs: JobQueue,
  ) {}

  /**
   * @param show called before and after `change`; the audit row contains both results.
   * @param typeOf the type of the event, when it depends on what changed; undefined for the type of the action.
   * @throws AppError domain_not_found, changed_meanwhile, and the errors of `change`
   */
  execute(
    actor: Actor,
    name: DomainName,
    action: AuditAction,
    show: (domain: Domain) => Shown,
    change: (domain: Domain, now: Date) => Promise<void> | void,
    typeOf?: (before: Shown, after: Shown) => EventType | undefined,
  ): Promise<Domain> {
    return this.unitOfWork.run(async () => {
      const domain = await this.locks.domainAlone(actor, name);
      const now = await this.clock.time();
      const before = show(domain);
      const limits = limitsOf(domain);
      await changeExpected(actor, domain, () => change(domain, now));
      const after = show(domain);
      if (isChange({ before, after })) {
        raiseRevision(actor, domain);
        await this.domains.save(domain);
        await this.markLimits(domain, limits);
        await this.audit.append(
          actor,
          now,
          aboutDomain(domain, action, {
            type: typeOf?.(before, after),
            before,
            after,
          }),
        );
      }
      return domain;
    });
  }

  /** A limit that was raised may no longer be near, and a lowered one may be; also when limits for a time end. */
  private async markLimits(domain: Domain, before: ReturnType<typeof limitsOf>): Promise<void> {
    const after = limitsOf(domain);
    if (!isChange({ before, after })) return;
    await this.marks.execute([domain.name]);
    const job = { domainId: domain.id };
    // Linked domains without a tier have that of their parent.
    if (before.outboundTier !== after.outboundTier) await this.jobs.enqueue('limits.mark', job);
    const until = domain.temporaryLimitsUntil;
    if (until !== null && before.temporaryLimitsUntil !== after.temporaryLimitsUntil) {
      await this.jobs.enqueue('limits.mark', job, { runAt: until });
    }
  }
}

/** What the limits of a domain are made of. */
function limitsOf({
  outboundTier,
  operatorDailyLimit,
  operatorMonthlyLimit,
  temporaryDailyLimit,
  temporaryMonthlyLimit,
  temporaryLimitsUntil,
  clientDailyLimit,
  clientMonthlyLimit,
  transferMonthlyMb,
  parentId,
}: Domain) {
  return {
    outboundTier,
    operatorDailyLimit,
    operatorMonthlyLimit,
    temporaryDailyLimit,
    temporaryMonthlyLimit,
    temporaryLimitsUntil: temporaryLimitsUntil?.getTime() ?? null,
    clientDailyLimit,
    clientMonthlyLimit,
    transferMonthlyMb,
    parentId,
  };
}
