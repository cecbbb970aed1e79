import type { Actor } from '../operators/actor.js';
import type { PartnerRef } from '../partners/partner.js';
import type { PartnerScope } from '../partners/partner-scope.js';

/** A deletion of one domain or one mailbox, with the rows that it keeps for the time of the grace. */
export interface DeletedItem {
  id: number;
  kind: 'domain' | 'mailbox';
  /** The domain name, or the address of the mailbox. */
  name: string;
  partnerId: number;
  /** Null for no partner. */
  partnerRef: PartnerRef | null;
  /** The id of the domain, or of the mailbox's domain. */
  domainId: number;
  /** The kind of caller that deleted it. */
  deletedBy: Actor['kind'];
  deletedAt: Date;
  /** The end of the grace. */
  expiresAt: Date;
  mailboxes: number;
  aliases: number;
  /** A later domain of the same partner and name; null when there was none. */
  heirId: number | null;
  /** When another partner got the name, or the mailbox's domain; null when none did. */
  otherHolderAt: Date | null;
  restoredAt: Date | null;
  /** When its erasure began; null before. */
  closedAt: Date | null;
  /** When hashes and aliases were erased; null before. */
  erasedAt: Date | null;
}

/** Whether the rows can come back for a caller of the scope: none of them was erased, and it may still have them. */
export function isRestorable(item: DeletedItem, scope: PartnerScope, now: Date): boolean {
  return isOwnStill(item, scope) && item.closedAt === null && item.erasedAt === null && now < item.expiresAt;
}

/** Whether the rows were not restored, and are still those of the partner that had them. */
export function isOwnStill(item: DeletedItem, scope: PartnerScope): boolean {
  return item.restoredAt === null && !isLostToOther(item, scope);
}

/**
 * Whether another partner had the name meanwhile, which ends the restoration. Not for master when an operator with a
 * narrower scope deleted the domain: whoever has such a token could also make the name anew for another partner, and
 * nobody could bring the domain back.
 */
export function isLostToOther({ otherHolderAt, deletedBy }: DeletedItem, scope: PartnerScope): boolean {
  return otherHolderAt !== null && !(scope === 'all' && deletedBy === 'operator');
}
