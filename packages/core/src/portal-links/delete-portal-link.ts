import { AuditLog } from '../audit/audit-log.js';
import { Clock } from '../clock.js';
import { AppError } from '../errors.js';
import { needs } from '../needs.js';
import { type Actor, scopeOf } from '../operators/actor.js';
import { UnitOfWork } from '../unit-of-work.js';
import { aboutLink } from './about-link.js';
import type { PortalLink } from './portal-link.js';
import { PortalLinkRepository } from './portal-link-repository.js';

/** Deletes a link, and with it the sessions that it opened. */
@needs(UnitOfWork, PortalLinkRepository, AuditLog, Clock)
export class DeletePortalLink {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly links: PortalLinkRepository,
    private readonly audit: AuditLog,
    private readonly clock: Clock,
  ) {}

  /** @throws AppError portal_link_not_found */
  execute(actor: Actor, id: number): Promise<void> {
    return this.unitOfWork.run(async () => {
      const link = await this.links.lock(scopeOf(actor), id);
      if (link === null || !mayDelete(actor, link)) throw new AppError('portal_link_not_found');
      await this.links.remove(link);
      await this.audit.append(actor, this.clock.now(), aboutLink(link, 'link.delete'));
    });
  }
}

/** An operator with a narrower scope than master deletes only its own. */
function mayDelete(actor: Actor, { operatorHash }: PortalLink): boolean {
  return actor.kind !== 'operator' || operatorHash === actor.operatorHash;
}
