import type { Mailbox } from '../mailboxes/mailbox.js';
import type { Actor } from '../operators/actor.js';
import type { Domain } from './domain.js';
import type { DomainName } from './domain-name.js';
import type { NameHistory, Tombstone } from './tombstone.js';

/** Who deletes, when, and until when it can be restored. */
export interface Deletion {
  actor: Actor;
  at: Date;
  expiresAt: Date;
}

/**
 * What deletion leaves. Rows are moved aside whole, in the unit of work of the deletion, in statements of a bounded number
 * of rows, so that a restoration finds everything as it was. Partner and domain are locked by the caller.
 */
export abstract class TombstoneRepository {
  /**
   * Who had the name before. Asked after the new domain of that name was added: its unique name then
   * keeps everybody else from creating or deleting one until the end of the unit of work.
   */
  abstract ofName(name: DomainName, partnerId: number, now: Date): Promise<NameHistory>;
  /** Moves the domain aside with its verification, its mailboxes, its aliases, and the aliases elsewhere that deliver to it. */
  abstract moveDomainAside(domain: Domain, deletion: Deletion): Promise<void>;
  /** Moves the mailbox aside with the aliases that deliver to it. @returns how many aliases. */
  abstract moveMailboxAside(mailbox: Mailbox, partnerId: number, deletion: Deletion): Promise<number>;
  /**
   * What the partner's last mailbox of that address might send a day, while its row is kept; null when none is. A limit
   * that an operator set is not lost by deleting and creating.
   */
  abstract lastDailyLimit(email: string, partnerId: number): Promise<number | null>;
  /** Before a move to another partner: keeps what the present partner leaves, with a copy of the counters of now. */
  abstract keepMoved(domain: Domain, actor: Actor, at: Date): Promise<void>;
  /**
   * The new domain takes over the tombstone's counters. It and all older tombstones of the same partner and name are used up:
   * none is anybody's `own` again.
   */
  abstract handOver(tombstone: Tombstone, heir: Domain): Promise<void>;
  /** What the parent's partner left behind of domains that were linked to it, and that no later domain took over. */
  abstract ofChildren(parent: Domain): Promise<Tombstone[]>;
  /** Writes the suspension and the block of the kept domain. */
  abstract saveHolds(tombstone: Tombstone): Promise<void>;
  /** Notes in the tombstones of other partners, of the name and of mailboxes of this domain, that another partner has it now. */
  abstract noteHolder(domain: Domain, at: Date): Promise<void>;
}
