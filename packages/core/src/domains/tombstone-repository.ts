import type { Mailbox } from '../mailboxes/mailbox.js';
import type { Actor } from '../operators/actor.js';
import type { Domain } from './domain.js';
import type { DomainName } from './domain-name.js';
import type { NameHistory, Tombstone } from './tombstone.js';

/** Who deletes, when, and until when the deleted rows can be restored. */
export interface Deletion {
  actor: Actor;
  at: Date;
  expiresAt: Date;
}

/**
 * Stores the data of deleted domains and mailboxes, and of domains that moved to another partner. A deletion copies
 * complete rows to the tables of deleted rows and deletes them, in its unit of work, in statements of a bounded number
 * of rows, so that a restoration gets all values back. The caller must have locked the partner and the domain.
 */
export abstract class TombstoneRepository {
  /**
   * Reads the history of a name. Call it after the new domain of that name was added: its unique name then keeps other
   * transactions from creating or deleting a domain of that name until the end of the unit of work.
   */
  abstract ofName(name: DomainName, partnerId: number, now: Date): Promise<NameHistory>;
  /**
   * Moves the domain to the deleted rows, with its verification, mailboxes and aliases, and the aliases of other
   * domains that deliver to it.
   */
  abstract moveDomainAside(domain: Domain, deletion: Deletion): Promise<void>;
  /**
   * Begins the deletion of a domain whose rows are moved in pieces. From the commit on, `DomainRepository.find` and
   * `lock` treat the domain as absent, so that nothing in it changes. It cannot be restored or erased before
   * `endDeletion`.
   */
  abstract beginDeletion(domain: Domain, deletion: Deletion): Promise<void>;
  /**
   * Moves up to 500 mailboxes or aliases of a domain whose deletion has begun, and lowers the counts.
   * @returns the number of moved rows; null when no deletion has begun: it is over, and the domain was restored
   */
  abstract movePiece(domain: Domain): Promise<number | null>;
  /**
   * Call it when `movePiece` moved nothing: moves the domain itself to the deleted rows. Does nothing when no deletion
   * has begun.
   * @param domain null when it is gone
   */
  abstract endDeletion(domainId: number, domain: Domain | null, at: Date): Promise<void>;
  /** Moves the mailbox to the deleted rows, with the aliases that deliver to it. @returns the number of aliases. */
  abstract moveMailboxAside(mailbox: Mailbox, partnerId: number, deletion: Deletion): Promise<number>;
  /**
   * The daily outbound limit of the partner's last deleted mailbox with that address, as long as its row is kept;
   * otherwise null. A limit that an operator set therefore also applies when the mailbox is deleted and created again.
   */
  abstract lastDailyLimit(email: string, partnerId: number): Promise<number | null>;
  /**
   * Call it before a move to another partner: stores a tombstone for the current partner, with a copy of the current
   * counters.
   */
  abstract keepMoved(domain: Domain, actor: Actor, at: Date): Promise<void>;
  /**
   * Gives the counters of the tombstone to the new domain, and adds them to those that it has. This and all older
   * tombstones of the same partner and name are marked as used: `ofName` does not return them as `own` again.
   */
  abstract handOver(tombstone: Tombstone, newDomain: Domain, now: Date): Promise<void>;
  /**
   * Tombstones of the parent's partner for domains that were linked to this parent, without those that a later domain
   * took over.
   */
  abstract ofChildren(parent: Domain): Promise<Tombstone[]>;
  /**
   * The tombstone with this id of a deleted domain, also when a later domain took it over; null when its row is not
   * kept.
   */
  abstract find(id: number): Promise<Tombstone | null>;
  /** Writes the suspension and the block of the domain in the tombstone. */
  abstract saveHolds(tombstone: Tombstone): Promise<void>;
  /**
   * Marks the tombstones of other partners, for this name and for mailboxes of this domain: another partner has the
   * name now.
   */
  abstract noteHolder(domain: Domain, at: Date): Promise<void>;
}
