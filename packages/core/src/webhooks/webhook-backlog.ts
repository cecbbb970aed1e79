import type { WebhookEndpoint } from './webhook-endpoint.js';
import type { NewAttempt } from './webhook-endpoints.js';

/** A delivery that failed and is tried again. */
export interface FailedDelivery {
  position: number;
  /** The number of failed attempts. */
  attempts: number;
}

/** A walk of an endpoint that a process has claimed. */
export interface ClaimedWalk {
  /** The endpoint as it was when it was claimed. */
  readonly endpoint: WebhookEndpoint;
  /** The end of the claim, later when the process has claimed it again. Another process has a claim of another end. */
  until: Date;
}

/** What a walk did since it was claimed, or since its last step. */
export interface WalkStep {
  /** Null: unchanged. */
  cursor: number | null;
  /** The highest position when the last page was read; null while there may be more events up to it. */
  readTo: number | null;
  attempts: readonly NewAttempt[];
  /**
   * New and repeated failures, with the time of the next try; null: it was the last. The first failure of a delivery
   * that waits already changes nothing: its tries go on as they were.
   */
  failed: readonly (FailedDelivery & { nextAt: Date | null })[];
  /** The positions of failed deliveries that arrived, or whose event has left the feed. */
  ended: readonly number[];
  failingSince: Date | null;
  /** Null: unchanged; -1: the run of `redeliver` has ended. */
  redeliverAfter: number | null;
}

/**
 * Which endpoints have something to send. Processes claim endpoints one by one, so that each has one walk at a time.
 * An endpoint that is not behind has no row to read when an event comes that is not its own.
 */
export abstract class WebhookBacklog {
  /**
   * Tells the endpoints of the next events, at most `limit`, that they are behind.
   *
   * @returns whether more events may follow
   */
  abstract tell(limit: number, now: Date): Promise<boolean>;
  /** The position up to which endpoints were told. */
  abstract told(): Promise<number>;
  /**
   * Claims due endpoints until `until`, those that waited longest first.
   *
   * @param failing whether to claim those whose last delivery failed, or the others
   */
  abstract claim(now: Date, until: Date, limit: number, failing: boolean): Promise<WebhookEndpoint[]>;
  /**
   * Ends claims, and makes due what waits, that are further ahead than any may be: the clock was set back after they
   * were written. Reads all endpoints and failed deliveries.
   */
  abstract endLongWaits(now: Date): Promise<void>;
  /** The failed deliveries that are due, the earliest first. */
  abstract due(id: number, now: Date, limit: number): Promise<FailedDelivery[]>;
  /** The number of its failed deliveries that are tried again, counted up to `atMost`. */
  abstract waiting(id: number, atMost: number): Promise<number>;
  /**
   * Stores a step in one transaction, unless another process has claimed the endpoint since, or it was deleted. The
   * cursor never goes back. What the former URL answered says nothing about a new one: then `failingSince` and the
   * failures of repeated deliveries are not stored. A step without an attempt is not stored after a change: its page
   * may have been read with former types, and would be passed over.
   *
   * @returns whether the walk may go on: it is still claimed, and nothing changed that deliveries depend on
   */
  abstract store(walk: ClaimedWalk, step: WalkStep): Promise<boolean>;
  /** The ids of endpoints whose walks may not go on. */
  abstract changed(walks: readonly ClaimedWalk[]): Promise<ReadonlySet<number>>;
  /** Lets the claim of a walk that has ended by an error end at this time. */
  abstract shorten(walk: ClaimedWalk, until: Date): Promise<void>;
  /** Ends the claim. The endpoint is due when it is behind, or when its next failed delivery is. */
  abstract release(walk: ClaimedWalk, now: Date): Promise<void>;
}
