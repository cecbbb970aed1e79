import { aboutDomain } from '../audit/about-domain.js';
import type { AuditLog } from '../audit/audit-log.js';
import type { Clock } from '../clock.js';
import type { Actor } from '../operators/actor.js';
import type { UnitOfWork } from '../unit-of-work.js';
import type { Domain } from './domain.js';
import type { DomainLocks } from './domain-locks.js';
import type { DomainName } from './domain-name.js';
import type { DomainRepository } from './domain-repository.js';

/** What the audit row shows: the fields that `change` may set, snake_case. */
type Shown = Record<string, unknown>;

/**
 * What every change of a domain's settings has in common: lock the domain in the caller's scope, change it, save it, write the
 * audit row. Nothing is written when `show` answers the same before and after the change.
 */
export class ChangeDomain {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly locks: DomainLocks,
    private readonly domains: DomainRepository,
    private readonly audit: AuditLog,
    private readonly clock: Clock,
  ) {}

  /**
   * @param show called before and after `change`; the audit row has both answers.
   * @throws AppError domain_not_found, and what `change` throws
   */
  execute(
    actor: Actor,
    name: DomainName,
    action: string,
    show: (domain: Domain) => Shown,
    change: (domain: Domain, now: Date) => Promise<void> | void,
  ): Promise<Domain> {
    return this.unitOfWork.run(async () => {
      const domain = await this.locks.domainAlone(actor, name);
      const now = this.clock.now();
      const before = show(domain);
      await change(domain, now);
      const after = show(domain);
      if (JSON.stringify(before) !== JSON.stringify(after)) {
        await this.domains.save(domain);
        await this.audit.append(
          actor,
          now,
          aboutDomain(domain, action, {
            before,
            after,
          }),
        );
      }
      return domain;
    });
  }
}
