import { aboutDomain } from '../../audit/about-domain.js';
import { AuditLog } from '../../audit/audit-log.js';
import { isChange } from '../../audit/is-change.js';
import { DatabaseClock } from '../../clock.js';
import { DomainLocks } from '../../domains/domain-locks.js';
import type { DomainName } from '../../domains/domain-name.js';
import { DomainRepository } from '../../domains/domain-repository.js';
import { needs } from '../../needs.js';
import type { Actor } from '../../operators/actor.js';
import { type Revised, raiseRevision } from '../../operators/revision.js';
import { UnitOfWork } from '../../unit-of-work.js';
import { type FrontHosts, FrontHostsRepository } from '../front-hosts.js';
import { PlanLooks } from './plan-looks.js';

/**
 * Stores which hosts of somebody else stand in front of ours, as the holder of a domain says. The domain is looked at
 * at once, because only the DNS tells whether other hosts come first too.
 */
@needs(UnitOfWork, DomainLocks, DomainRepository, FrontHostsRepository, PlanLooks, AuditLog, DatabaseClock)
export class SayFrontHosts {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly locks: DomainLocks,
    private readonly domains: DomainRepository,
    private readonly frontHosts: FrontHostsRepository,
    private readonly looks: PlanLooks,
    private readonly audit: AuditLog,
    private readonly clock: DatabaseClock,
  ) {}

  /**
   * @param hosts replace what was said before; none: it is withdrawn
   * @returns what holds now, `said` null for nothing, and the revision of the domain
   * @throws AppError domain_not_found, changed_meanwhile
   */
  execute(actor: Actor, name: DomainName, hosts: readonly string[]): Promise<Revised & { said: FrontHosts | null }> {
    return this.unitOfWork.run(async () => {
      const domain = await this.locks.domainAlone(actor, name);
      const former = await this.frontHosts.find(domain.id);
      const before = { front_hosts: former?.hosts ?? [] };
      const after = { front_hosts: [...new Set(hosts)].toSorted() };
      if (!isChange({ before, after })) return { said: former, revision: domain.revision };
      raiseRevision(actor, domain);
      await this.domains.save(domain);
      const now = await this.clock.time();
      const said = after.front_hosts.length === 0 ? null : { hosts: after.front_hosts, saidAt: now };
      await this.frontHosts.save(domain.id, said);
      await this.audit.append(actor, now, aboutDomain(domain, 'domain.set_front_hosts', { before, after }));
      await this.looks.atOnce(domain.id);
      return { said, revision: domain.revision };
    });
  }
}
