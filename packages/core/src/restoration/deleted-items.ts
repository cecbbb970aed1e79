import type { Alias } from '../aliases/alias.js';
import type { DomainName } from '../domains/domain-name.js';
import type { Page } from '../page.js';
import type { PartnerRef } from '../partners/partner.js';
import type { PartnerScope } from '../partners/partner-scope.js';
import type { Search } from '../search.js';
import type { AliasFacts } from './decide-aliases.js';
import type { DeletedItem } from './deleted-item.js';

/** The values of the restored mailboxes that differ from those at their deletion. */
export interface RestoredMailboxes {
  restoredAt: Date;
  /** Higher storage quotas, and unlimited ones, become this one, megabytes; null: each mailbox keeps its quota. */
  maxQuotaMb: number | null;
}

/**
 * The deletions whose rows are kept, and their way back into the tables of the live rows. What comes back keeps its id.
 * A restoration runs in one unit of work, in statements over at most 500 rows; the caller must have locked the partner.
 * So it is visible as a whole after the commit, and a process that is killed leaves nothing of it.
 */
export abstract class DeletedItems {
  /**
   * The deletions that a caller of the scope can restore now, or could after another one: that of the mailbox's domain,
   * or of a domain that has the name.
   */
  abstract search(
    scope: PartnerScope,
    filter: { partnerRef?: PartnerRef | undefined; domain?: DomainName | undefined },
    now: Date,
  ): Search<DeletedItem>;
  /** In any state; null outside the scope. */
  abstract find(scope: PartnerScope, id: number): Promise<DeletedItem | null>;
  /** Locks the deletion until the end of the unit of work. The erasure locks it too, so only one of the two happens. */
  abstract lock(scope: PartnerScope, id: number): Promise<DeletedItem | null>;

  /**
   * Adds the row of the domain, without a parent and with counts of 0. @throws AppError `domain_exists` when another
   * domain has the name.
   */
  abstract restoreDomain(item: DeletedItem, restoredAt: Date): Promise<void>;
  /** Adds the rows of the mailboxes. @returns the number of mailboxes. */
  abstract restoreMailboxes(item: DeletedItem, values: RestoredMailboxes): Promise<number>;
  /** The kept aliases, in keyset pages; after the restoration, those that were left out. */
  abstract aliases(itemId: number, page: Page): Promise<Alias[]>;
  /** Reads what decides about these aliases. */
  abstract aliasFacts(partnerId: number, aliases: readonly Alias[]): Promise<AliasFacts>;
  /** Adds the aliases with their present `destinationMailboxId`, and counts them in their domains. */
  abstract restoreAliases(item: DeletedItem, aliases: readonly Alias[], restoredAt: Date): Promise<void>;
  /** Forgets aliases that exist already. */
  abstract dropAliases(item: DeletedItem, aliases: readonly Alias[]): Promise<void>;
  /** Stores that the deletion was restored: it is no longer part of the history of the name. */
  abstract noteRestored(item: DeletedItem, at: Date, leftOut: number): Promise<void>;

  /** Stores that the erasure begins. The grace is over at once, also for a process whose clock is behind. */
  abstract close(item: DeletedItem, at: Date): Promise<void>;
}
