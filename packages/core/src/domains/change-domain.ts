import type { AuditLog } from '../audit/audit-log.js';
import type { Clock } from '../clock.js';
import { AppError } from '../errors.js';
import { type Actor, scopeOf } from '../operators/actor.js';
import type { UnitOfWork } from '../unit-of-work.js';
import type { Domain } from './domain.js';
import type { DomainName } from './domain-name.js';
import type { DomainRepository } from './domain-repository.js';

/** What an audit row shows of a domain: the fields that `change` may touch, snake_case. */
type Shown = Record<string, unknown>;

/**
 * The frame of every small change to one domain: find it in the caller's scope, lock it, change it, save it, write
 * the audit row. A change that leaves what is shown as it was writes nothing.
 */
export class ChangeDomain {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly domains: DomainRepository,
    private readonly audit: AuditLog,
    private readonly clock: Clock,
  ) {}

  /**
   * @param show what of the domain the audit row compares; called before and after `change`.
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
      const domain = await this.domains.lock(scopeOf(actor), name);
      if (domain === null) throw new AppError('domain_not_found');
      const now = this.clock.now();
      const before = show(domain);
      await change(domain, now);
      const after = show(domain);
      if (JSON.stringify(before) !== JSON.stringify(after)) {
        await this.domains.save(domain);
        await this.audit.append(actor, now, {
          action,
          partnerRef: domain.partnerRef,
          domain: name,
          subject: name,
          before,
          after,
        });
      }
      return domain;
    });
  }
}
