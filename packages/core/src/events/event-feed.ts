import type { AuditRow } from '../audit/audit-log.js';
import type { EventType } from '../audit/event-types.js';
import type { PartnerRef } from '../partners/partner.js';
import type { PartnerScope } from '../partners/partner-scope.js';
import type { Search } from '../search.js';

/** An audit row that has a position. */
export interface FeedEvent extends Omit<AuditRow, 'id' | 'action' | 'requestId' | 'requestUid'> {
  /** The position: unique, and greater than that of every event that was visible before. */
  id: number;
  type: EventType;
}

export interface FeedFilter {
  /** Limited to some domains: only rows of these rows of domains, from the time when the partner had them. */
  scope: PartnerScope;
  partnerRef?: PartnerRef | undefined;
  types?: readonly EventType[] | undefined;
  /** The name of the domain. */
  domain?: string | undefined;
}

/** The ends of the feed. */
export interface FeedBounds {
  /** The position of the oldest event that is kept; while none is kept, the next position. */
  first: number;
  /** The highest position that an event was given; 0 before the first. */
  last: number;
}

/**
 * The events in the order of their positions. Every event with a position is visible, and no event with a lower
 * position becomes visible later: who has read to a position has read everything before it.
 */
export abstract class EventFeed {
  /** Looks for events in the order of their positions. Everything up to `next` was looked at and stays as it is. */
  abstract search(filter: FeedFilter): Search<FeedEvent>;
  abstract bounds(): Promise<FeedBounds>;
  /**
   * Whether a reader may have read up to this position and misses no event when it goes on there. False for one before
   * the oldest event that is kept, above the newest that was given, and among those that a restore skipped.
   */
  abstract isKnown(position: number): Promise<boolean>;
  /**
   * Moves the beginning of the feed over the events from before `before`, at most `limit` of them, and deletes those
   * that are no changes (`EVENTS_ONLY`). It stops at the first newer event, so that the feed never has a gap.
   *
   * @returns the number of events that left the feed.
   */
  abstract dropOld(before: Date, limit: number): Promise<number>;
}
