import { DAY_MS } from '../clock.js';
import type { Page } from '../page.js';
import type { Domain } from './domain.js';
import type { DomainName } from './domain-name.js';

/** How long a deleted name remembers who had it. */
export const TOMBSTONE_MS = 90 * DAY_MS;

/**
 * What a deleted name leaves behind. Whoever makes it again within 90 days inherits from it: the same partner its
 * suspension, block and counters (no escape by delete and create), another partner the duty to prove ownership.
 */
export interface Tombstone {
  id: number;
  name: DomainName;
  partnerId: number;
  deletedAt: Date;
  /** The id of the deleted domain: its counters and bounces are still stored under it. */
  domainId: number;
  suspensionCauses: Domain['suspensionCauses'];
  outboundStatus: Domain['outboundStatus'];
  blockedReason: Domain['blockedReason'];
  blockedAt: Date | null;
  bounceWindowStart: Date | null;
}

export abstract class TombstoneRepository {
  /** The newest tombstone of the name within 90 days before `now`. */
  abstract newest(name: DomainName, now: Date): Promise<Tombstone | null>;
  /**
   * Writes the tombstone of a domain that is about to be removed, and one for the home of each of its mailboxes,
   * so that their stored mail can be removed later. Set-based.
   */
  abstract bury(domain: Domain, at: Date): Promise<void>;
  /** The same for one mailbox. */
  abstract buryMailbox(mailbox: { email: string; home: string }, at: Date): Promise<void>;
  /** Mailboxes that were deleted before the moment and whose mail is still stored, in keyset pages. */
  abstract buriedMailboxes(before: Date, page: Page): Promise<{ id: number; email: string; home: string }[]>;
  abstract forgetMailbox(id: number): Promise<void>;
  /** Forgets names that were deleted before the moment, with their outbound counters. @returns how many. */
  abstract forgetNames(before: Date): Promise<number>;
  /** The new domain takes over the outbound counters and bounce days of the old one, and the tombstone is gone. */
  abstract handOver(tombstone: Tombstone, domain: Domain): Promise<void>;
}

/** Carries what the same partner may not shed by deleting and creating over to the new domain. */
export function inheritFromTombstone(domain: Domain, tombstone: Tombstone): void {
  domain.suspensionCauses = tombstone.suspensionCauses.filter((cause) => cause !== 'partner');
  domain.outboundStatus = tombstone.outboundStatus;
  domain.blockedReason = tombstone.blockedReason;
  domain.blockedAt = tombstone.blockedAt;
  domain.bounceWindowStart = tombstone.bounceWindowStart;
}
