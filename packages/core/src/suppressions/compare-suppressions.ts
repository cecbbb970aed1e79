import { AttentionList } from '../attention/attention-list.js';
import { aboutDomain } from '../audit/about-domain.js';
import { AuditLog } from '../audit/audit-log.js';
import { DAY_MS, utcDay } from '../clock.js';
import { DomainRepository } from '../domains/domain-repository.js';
import type { JobCounts } from '../jobs/jobs.js';
import type { RunInProgress } from '../jobs/schedules.js';
import { needs } from '../needs.js';
import { systemActor } from '../operators/actor.js';
import { UnitOfWork } from '../unit-of-work.js';
import { type NewlySuppressed, Suppressions } from './suppressions.js';

const ACTOR = systemActor('suppressions');

/** So few newly suppressed addresses say nothing, whatever was sent. */
const LEAST_SUPPRESSED = 20;
/** The part of the messages of the day above which their newly suppressed recipients are too many. */
const HIGH_RATE = 0.05;
const DOMAINS_PER_PAGE = 500;

/**
 * Tells of domains whose mail of the ended day met too many addresses that do not work, or do not want it: once for
 * each domain and day, also when it is interrupted, or run by several workers at once.
 */
@needs(UnitOfWork, Suppressions, AttentionList, DomainRepository, AuditLog)
export class CompareSuppressions {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly suppressions: Suppressions,
    private readonly attention: AttentionList,
    private readonly domains: DomainRepository,
    private readonly audit: AuditLog,
  ) {}

  async execute({ period, cursor, save }: Pick<RunInProgress, 'period' | 'cursor' | 'save'>): Promise<JobCounts> {
    const { dueAt } = period;
    const day = utcDay(new Date(dueAt.getTime() - DAY_MS));
    let high = 0;
    for (let after = cursor; ; ) {
      const page = { afterDomainId: after, least: LEAST_SUPPRESSED, limit: DOMAINS_PER_PAGE };
      const found = await this.suppressions.newlySuppressed(day, page);
      for (const item of found) {
        if (item.suppressed > item.sent * HIGH_RATE && (await this.announce(item, day, dueAt))) high += 1;
        after = item.domainId;
      }
      if (found.length < DOMAINS_PER_PAGE) return { high };
      await save(after);
    }
  }

  /** @returns whether it was not announced before */
  private announce({ domainId, suppressed, sent }: NewlySuppressed, day: string, at: Date): Promise<boolean> {
    return this.unitOfWork.run(async () => {
      const domain = await this.domains.lockById(domainId);
      if (domain === null || !(await this.attention.addHighSuppressions(domainId, utcDay(at)))) return false;
      const after = { day, suppressed, sent };
      await this.audit.append(ACTOR, at, aboutDomain(domain, 'domain.suppressions_high', { after }));
      return true;
    });
  }
}
