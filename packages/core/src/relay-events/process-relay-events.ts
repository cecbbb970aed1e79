import { type Clock, MINUTE_MS, SECOND_MS } from '../clock.js';
import { AppError, reasonOf } from '../errors.js';
import type { JobCounts, JobQueue } from '../jobs/jobs.js';
import type { UnitOfWork } from '../unit-of-work.js';
import type { CountRelayEvents } from './count-relay-events.js';
import type { EventOutcome, PendingEvent, RelayEventInbox } from './relay-event-inbox.js';
import { readStoredEvent } from './stored-event.js';

/** The most that one transaction processes. An event with more recipients is counted in several transactions. */
const EVENTS_PER_BATCH = 200;
const BYTES_PER_BATCH = 1_024 * 1_024;
const RECIPIENTS_PER_TRANSACTION = 2_000;

/** After so many failed attempts an event is set aside: about two hours after the first. */
const MAX_ATTEMPTS = 8;
/** The wait after the first failed attempt; each further one doubles it. */
const FIRST_RETRY_MS = MINUTE_MS;
/** The wait after a failure of the database, which is not counted as an attempt. */
const POSTPONED_MS = 30 * SECOND_MS;

/**
 * Processes the events of the inbox in batches, each in one transaction. When a batch fails, each of its events is processed
 * alone: one that fails again is tried later, at last set aside, and delays no other.
 */
export class ProcessRelayEvents {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly inbox: RelayEventInbox,
    private readonly countRelayEvents: CountRelayEvents,
    private readonly jobs: JobQueue,
    private readonly clock: Clock,
  ) {}

  /** Processes all events that are due. May be interrupted and run again; several may run at once. */
  async execute(): Promise<JobCounts> {
    const total: Record<EventOutcome | 'failed', number> = {
      counted: 0,
      repeated: 0,
      ignored: 0,
      unknown_domain: 0,
      failed: 0,
    };
    for (;;) {
      const now = this.clock.now();
      let taken: PendingEvent[] = [];
      const together = await this.unitOfWork
        .run(async () => {
          taken = await this.inbox.lockPending({ maxEvents: EVENTS_PER_BATCH, maxBytes: BYTES_PER_BATCH }, now);
          return this.processTogether(taken, now);
        })
        .catch((error: unknown) => {
          if (taken.length === 0) throw error;
          return null;
        });
      if (taken.length === 0) {
        await this.enqueueNext(now);
        return total;
      }
      for (const outcome of together ?? []) total[outcome] += 1;
      if (together !== null) continue;
      for (const pending of taken) {
        const outcome = await this.processAlone(pending);
        if (outcome !== null) total[outcome] += 1;
      }
    }
  }

  /** Enqueues the job again for the events that wait for their next attempt. */
  private async enqueueNext(now: Date): Promise<void> {
    const runAt = await this.inbox.nextRetryAt(now);
    if (runAt !== null) await this.jobs.enqueue('relay-events.process', {}, { key: 'relay-events.process', runAt });
  }

  /** @returns the outcome of each, or null when they have to be processed one by one. */
  private async processTogether(taken: PendingEvent[], now: Date): Promise<EventOutcome[] | null> {
    const events = taken.map(({ id, stored }) => ({ id, event: readStoredEvent(stored) }));
    const recipients = events.reduce((sum, { event }) => sum + event.recipients.length, 0);
    if (recipients > RECIPIENTS_PER_TRANSACTION || taken.some(({ hasFailed }) => hasFailed)) return null;
    const outcomes = await this.countRelayEvents.execute(events, now);
    for (const outcome of new Set(outcomes.values())) {
      const ids = [...outcomes].filter(([, each]) => each === outcome).map(([id]) => id);
      await this.inbox.markProcessed(ids, outcome, now);
    }
    return [...outcomes.values()];
  }

  /** @returns null when another process has processed it. */
  private async processAlone(pending: PendingEvent): Promise<EventOutcome | 'failed' | null> {
    try {
      let counted = false;
      for (let from = 0; ; from += RECIPIENTS_PER_TRANSACTION) {
        const part = await this.unitOfWork.run(() => this.processPart(pending.id, from, counted));
        if (part === null || part.isLast) return part?.outcome ?? null;
        counted ||= part.outcome === 'counted';
      }
    } catch (error) {
      await this.markFailed(pending, error);
      return 'failed';
    }
  }

  /**
   * Counts the event for some of its recipients. The inbox knows which effects were counted, so an event that a crash
   * interrupted between two parts is started again from the first.
   */
  private async processPart(
    id: number,
    from: number,
    counted: boolean,
  ): Promise<{ outcome: EventOutcome; isLast: boolean } | null> {
    const now = this.clock.now();
    const pending = await this.inbox.lock(id);
    if (pending === null) return null;
    const event = readStoredEvent(pending.stored);
    const to = from + RECIPIENTS_PER_TRANSACTION;
    const part = { ...event, recipients: event.recipients.slice(from, to) };
    const found = (await this.countRelayEvents.execute([{ id, event: part }], now)).get(id) ?? 'ignored';
    const outcome = counted && found === 'repeated' ? 'counted' : found;
    const isLast = to >= event.recipients.length || outcome === 'ignored' || outcome === 'unknown_domain';
    if (isLast) await this.inbox.markProcessed([id], outcome, now);
    return { outcome, isLast };
  }

  /**
   * Stores why an event failed and when it is tried again. A database that does not answer is not the event's fault and is
   * not counted as an attempt; when that cannot be stored either, the whole job fails and is tried again.
   */
  private async markFailed({ id, attempts }: PendingEvent, error: unknown): Promise<void> {
    const reason = reasonOf(error);
    const now = this.clock.now().getTime();
    if (error instanceof AppError && error.kind === 'unavailable') {
      await this.inbox.markFailed(id, reason, attempts, new Date(now + POSTPONED_MS));
      return;
    }
    const isLast = attempts + 1 >= MAX_ATTEMPTS;
    const nextAttemptAt = isLast ? null : new Date(now + FIRST_RETRY_MS * 2 ** attempts);
    await this.inbox.markFailed(id, reason, attempts + 1, nextAttemptAt);
  }
}
