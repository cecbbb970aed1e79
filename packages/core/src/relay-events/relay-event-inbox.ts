import type { RelayEvent } from './relay-event.js';

/** An event that waits to be processed. */
export interface PendingEvent {
  id: number;
  /** For `readStoredEvent`. */
  stored: string;
  /** The attempts that failed because of the event itself. */
  attempts: number;
  /** Whether the last attempt failed: then it is processed alone. */
  hasFailed: boolean;
}

/** An event whose last attempt failed. */
export interface FailedEvent {
  id: number;
  providerId: string;
  reason: string;
  attempts: number;
  receivedAt: Date;
  /** Null when it is set aside: nothing tries it again by itself. */
  nextAttemptAt: Date | null;
}

/** How many events are not processed yet: those never tried, those to be tried again, those set aside. */
export interface InboxBacklog {
  waiting: number;
  retried: number;
  setAside: number;
}

/** The result of processing an event, for the inbox row and the job's counts. */
export type EventOutcome = 'counted' | 'repeated' | 'ignored' | 'unknown_domain';

/** Stores relay events before the provider's request is answered, each once by the provider's id. */
export abstract class RelayEventInbox {
  /** Stores the events; one whose provider id is stored already is left as it is. In the caller's unit of work. @returns how many were new. */
  abstract store(events: { event: RelayEvent; requestId: string | null }[], at: Date): Promise<number>;
  /**
   * Locks due events, those never tried first, oldest first, skipping those that another process has locked: at most
   * `maxEvents` and at most `maxBytes` of stored text, but always one.
   */
  abstract lockPending(limits: { maxEvents: number; maxBytes: number }, now: Date): Promise<PendingEvent[]>;
  /** Locks one event, waiting for another process that has it locked. Null when it is processed or deleted. */
  abstract lock(id: number): Promise<PendingEvent | null>;
  /** Marks those of the effects (message, recipient, kind) as counted that were not yet. @returns their keys. */
  abstract claimEffects(effects: { key: string }[], at: Date): Promise<Set<string>>;
  abstract markProcessed(ids: number[], outcome: EventOutcome, at: Date): Promise<void>;
  /** @param nextAttemptAt null sets the event aside. */
  abstract markFailed(id: number, reason: string, attempts: number, nextAttemptAt: Date | null): Promise<void>;
  /** When the first failed event is due after `now`; null when there is none. */
  abstract nextRetryAt(now: Date): Promise<Date | null>;
  /** The newest failed events. */
  abstract failed(limit: number): Promise<FailedEvent[]>;
  /** Makes every failed event due, also those set aside, as if it had not been tried. @returns how many. */
  abstract retryFailed(now: Date): Promise<number>;
  abstract backlog(): Promise<InboxBacklog>;
  /** Removes processed and set aside rows received before the moment, at most `limit`. @returns how many. */
  abstract deleteOld(before: Date, limit: number): Promise<number>;
}
