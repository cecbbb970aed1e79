import type { PartnerRef } from '../partners/partner.js';

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

/** Whether the rows can come back: none of them was erased, and no other partner had the name meanwhile. */
export function isRestorable(item: DeletedItem, now: Date): boolean {
  return isOwnStill(item) && item.closedAt === null && item.erasedAt === null && now < item.expiresAt;
}

/** Whether the rows are still those of the partner that deleted them. */
export function isOwnStill({ otherHolderAt, restoredAt }: DeletedItem): boolean {
  return otherHolderAt === null && restoredAt === null;
}
