import type { RelayEvent } from './relay-event.js';

/** An event that waits to be processed. */
export interface PendingEvent {
  id: number;
  /** The stored text, for `readStoredEvent`. */
  stored: string;
  /** The number of attempts that failed because of the event itself. */
  attempts: number;
  /** Whether the last attempt failed. Such an event is processed separately. */
  hasFailed: boolean;
}

/** An event whose last attempt failed. */
export interface FailedEvent {
  id: number;
  providerId: string;
  reason: string;
  attempts: number;
  receivedAt: Date;
  /** Null when the event is set aside: it is retried only on request. */
  nextAttemptAt: Date | null;
}

/** The numbers of events that are not processed: never tried, to be retried, set aside. */
export interface InboxBacklog {
  waiting: number;
  retried: number;
  setAside: number;
}

/**
 * The result of processing an event, for the inbox row and the job's counts. `listed`: it is in the list of bounces,
 * but does not count in the rates of the domain. `unknown_domain`: the domain does not exist, or did not exist when the
 * message was sent.
 */
export type EventOutcome = 'counted' | 'listed' | 'repeated' | 'ignored' | 'unknown_domain';

/**
 * Stores relay events before the service responds to the provider. Each event is stored once, by the id of the
 * provider.
 */
export abstract class RelayEventInbox {
  /**
   * Stores the events, in the caller's unit of work. An event whose provider id is already stored is not changed.
   * @returns the number of new events.
   */
  abstract store(events: { event: RelayEvent; requestId: string | null }[], at: Date): Promise<number>;
  /**
   * Locks due events, oldest first; those never tried come first. Skips events that another process has locked. Locks
   * at most `maxEvents` events and at most `maxBytes` of stored text, but at least one event.
   */
  abstract lockPending(limits: { maxEvents: number; maxBytes: number }, now: Date): Promise<PendingEvent[]>;
  /** Locks one event; waits while another process has it locked. @returns null when it was processed or deleted. */
  abstract lock(id: number): Promise<PendingEvent | null>;
  /** Reads the stored texts of events, also of processed ones. Those that were deleted are left out. */
  abstract storedOf(ids: readonly number[]): Promise<{ id: number; text: string }[]>;
  /** Marks the effects (message, recipient, kind) as done. @returns the keys of those that were not done before. */
  abstract claimEffects(effects: { key: string }[], at: Date): Promise<Set<string>>;
  abstract markProcessed(ids: number[], outcome: EventOutcome, at: Date): Promise<void>;
  /** @param nextAttemptAt null sets the event aside. */
  abstract markFailed(id: number, reason: string, attempts: number, nextAttemptAt: Date | null): Promise<void>;
  /** When the next failed event is due after `now`; null when there is none. */
  abstract nextRetryAt(now: Date): Promise<Date | null>;
  /** The newest failed events. */
  abstract failed(limit: number): Promise<FailedEvent[]>;
  /** Makes every failed event due, also those set aside, and resets its attempts. @returns the number of events. */
  abstract retryFailed(now: Date): Promise<number>;
  abstract backlog(): Promise<InboxBacklog>;
  /**
   * Deletes processed and set aside rows received before `before`, at most `limit`. @returns the number of deleted
   * rows.
   */
  abstract deleteOld(before: Date, limit: number): Promise<number>;
}
