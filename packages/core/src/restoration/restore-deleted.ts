import type { Alias } from '../aliases/alias.js';
import { Clock } from '../clock.js';
import { AppError } from '../errors.js';
import { needs } from '../needs.js';
import { type Actor, scopeOf } from '../operators/actor.js';
import { byId, inChunks } from '../page.js';
import { PartnerRepository } from '../partners/partner-repository.js';
import type { PartnerScope } from '../partners/partner-scope.js';
import { UnitOfWork } from '../unit-of-work.js';
import { type DeletedItem, isLostToOther, isRestorable } from './deleted-item.js';
import { DeletedItems } from './deleted-items.js';
import { RestoreDomain } from './restore-domain.js';
import { RestoreMailbox } from './restore-mailbox.js';
import type { RestoreStrategy } from './restore-strategy.js';
import type { RestoredItem } from './restored-item.js';

const ALIASES_PER_READ = 500;

/**
 * Restores a deleted domain with its mailboxes and aliases, or a deleted mailbox with its aliases. A repeated call
 * returns what the first one did, as long as the restored row exists.
 */
@needs(UnitOfWork, PartnerRepository, DeletedItems, RestoreDomain, RestoreMailbox, Clock)
export class RestoreDeleted {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly partners: PartnerRepository,
    private readonly deleted: DeletedItems,
    private readonly domains: RestoreDomain,
    private readonly mailboxes: RestoreMailbox,
    private readonly clock: Clock,
  ) {}

  /**
   * @throws AppError deleted_not_found, domain_exists, mailbox_exists, address_in_use, domain_not_found,
   * domain_name_reserved, parent_domain_of_other_partner, domain_quota_exceeded, mailbox_quota_exceeded
   */
  execute(actor: Actor, id: number): Promise<RestoredItem> {
    return this.unitOfWork.run(async () => {
      const scope = scopeOf(actor);
      const found = await this.deleted.find(scope, id);
      if (found === null || !this.isKnown(found, scope)) throw new AppError('deleted_not_found');
      const partner = await this.partners.lock(found.partnerId);
      const item = await this.deleted.lock(scope, id);
      if (item === null) throw new AppError('deleted_not_found');
      const strategy = item.kind === 'domain' ? this.domains : this.mailboxes;
      if (item.restoredAt !== null) return answer(item, await this.repeated(strategy, item, scope));
      const now = this.clock.now();
      if (!isRestorable(item, scope, now)) throw new AppError('deleted_not_found');
      const leftOut = await strategy.execute(actor, partner, item, now);
      await this.partners.save(partner);
      await this.deleted.noteRestored(item, now, leftOut.length);
      return answer(item, leftOut);
    });
  }

  /** Without a lock, so that a deletion that is over locks nothing. Its partner may be unknown. */
  private isKnown(item: DeletedItem, scope: PartnerScope): boolean {
    return item.restoredAt !== null || isRestorable(item, scope, this.clock.now());
  }

  /** The result of the first call, for a caller that did not get it. */
  private async repeated(strategy: RestoreStrategy, item: DeletedItem, scope: PartnerScope): Promise<Alias[]> {
    if (isLostToOther(item, scope) || !(await strategy.stillExists(item))) throw new AppError('deleted_not_found');
    const leftOut: Alias[] = [];
    for await (const { rows } of inChunks(
      byId((page) => this.deleted.aliases(item.id, page)),
      ALIASES_PER_READ,
    )) {
      leftOut.push(...rows);
    }
    return leftOut;
  }
}

function answer({ kind, name }: DeletedItem, leftOut: Alias[]): RestoredItem {
  return { kind, name, leftOut };
}
