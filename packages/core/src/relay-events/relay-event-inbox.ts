import type { RelayEvent } from './relay-event.js';

/** An event that waits to be processed. */
export interface PendingEvent {
  id: number;
  event: RelayEvent;
  requestId: string | null;
}

/** What became of an event; for the inbox row and the metric. */
export type EventOutcome = 'counted' | 'repeated' | 'ignored' | 'unknown_domain';

/** Where relay events are kept before they are answered, each once by the provider's id. */
export abstract class RelayEventInbox {
  /** Stores the events; one whose provider id is known is left as it is. In the caller's unit of work. @returns how many were new. */
  abstract store(events: { event: RelayEvent; requestId: string | null }[], at: Date): Promise<number>;
  /** Locks up to `limit` unprocessed events, oldest first, passing over those that another process has. */
  abstract lockPending(limit: number): Promise<PendingEvent[]>;
  /** Of these effects (message, recipient, kind), notes those that were not counted yet, and answers them. */
  abstract claimEffects(effects: { key: string }[], at: Date): Promise<Set<string>>;
  abstract markProcessed(ids: number[], outcome: EventOutcome, at: Date): Promise<void>;
  /** Removes rows received before the moment, at most `limit`. @returns how many. */
  abstract deleteOld(before: Date, limit: number): Promise<number>;
}
