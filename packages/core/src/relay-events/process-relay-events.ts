import { Clock, MINUTE_MS, SECOND_MS } from '../clock.js';
import { AppError, reasonOf } from '../errors.js';
import { type JobCounts, JobQueue } from '../jobs/jobs.js';
import { needs } from '../needs.js';
import { UnitOfWork } from '../unit-of-work.js';
import { CountRelayEvents } from './count-relay-events.js';
import { JoinLater } from './join-later.js';
import { JoinTrail } from './join-trail.js';
import { type EventOutcome, type PendingEvent, RelayEventInbox } from './relay-event-inbox.js';
import { readStoredEvent } from './stored-event.js';

/** The maximum that one transaction processes. An event with more recipients is counted in several transactions. */
const EVENTS_PER_BATCH = 200;
const BYTES_PER_BATCH = 1_024 * 1_024;
const RECIPIENTS_PER_TRANSACTION = 2_000;

/** After this number of failed attempts an event is set aside, about two hours after the first attempt. */
const MAX_ATTEMPTS = 8;
/** The backoff after the first failed attempt; it doubles with each further attempt. */
const FIRST_RETRY_MS = MINUTE_MS;
/** The delay after a failure of the database, which does not count as an attempt. */
const POSTPONED_MS = 30 * SECOND_MS;

/** Outcomes of the parts of an event; the first of them is that of the event. */
const DONE: readonly EventOutcome[] = ['counted', 'listed', 'repeated'];

interface ProcessedPart {
  outcome: EventOutcome;
  isLast: boolean;
}

/**
 * Processes the events of the inbox in batches, each in one transaction. When a batch fails, each of its events is
 * processed separately. An event that fails again is retried later and finally set aside; it does not delay other
 * events.
 */
@needs(UnitOfWork, RelayEventInbox, CountRelayEvents, JoinTrail, JoinLater, JobQueue, Clock)
export class ProcessRelayEvents {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly inbox: RelayEventInbox,
    private readonly countRelayEvents: CountRelayEvents,
    private readonly joinTrail: JoinTrail,
    private readonly joinLater: JoinLater,
    private readonly jobs: JobQueue,
    private readonly clock: Clock,
  ) {}

  /** Processes all due events. May be interrupted and run again; several processes may run it at the same time. */
  async execute(): Promise<JobCounts> {
    const total: Record<EventOutcome | 'failed', number> = {
      counted: 0,
      listed: 0,
      repeated: 0,
      ignored: 0,
      unknown_domain: 0,
      failed: 0,
    };
    for (;;) {
      const now = this.clock.now();
      let locked: PendingEvent[] = [];
      const together = await this.unitOfWork
        .run(async () => {
          locked = await this.inbox.lockPending({ maxEvents: EVENTS_PER_BATCH, maxBytes: BYTES_PER_BATCH }, now);
          return this.processTogether(locked, now);
        })
        .catch((error: unknown) => {
          if (locked.length === 0) throw error;
          return null;
        });
      if (locked.length === 0) {
        await this.enqueueNext(now);
        return total;
      }
      for (const outcome of together ?? []) total[outcome] += 1;
      if (together !== null) continue;
      for (const pending of locked) {
        const outcome = await this.processAlone(pending);
        if (outcome !== null) total[outcome] += 1;
      }
    }
  }

  /** Enqueues the job again, for the events that wait for their next attempt. */
  private async enqueueNext(now: Date): Promise<void> {
    const runAt = await this.inbox.nextRetryAt(now);
    if (runAt !== null) await this.jobs.enqueue('relay-events.process', {}, { key: 'relay-events.process', runAt });
  }

  /** @returns the outcome of each event, or null when the events must be processed separately. */
  private async processTogether(locked: PendingEvent[], now: Date): Promise<EventOutcome[] | null> {
    const events = locked.map(({ id, stored }) => ({ id, event: readStoredEvent(stored) }));
    const recipients = events.reduce((sum, { event }) => sum + event.recipients.length, 0);
    if (recipients > RECIPIENTS_PER_TRANSACTION || locked.some(({ hasFailed }) => hasFailed)) return null;
    const outcomes = await this.countRelayEvents.execute(events, now);
    const late = await this.joinTrail.execute(events.map(({ event }) => event));
    await this.joinLater.plan(events.filter(({ event }) => late.has(event)).map(({ id }) => id));
    for (const outcome of new Set(outcomes.values())) {
      const ids = [...outcomes].filter(([, each]) => each === outcome).map(([id]) => id);
      await this.inbox.markProcessed(ids, outcome, now);
    }
    return [...outcomes.values()];
  }

  /** @returns null when another process has processed the event. */
  private async processAlone(pending: PendingEvent): Promise<EventOutcome | 'failed' | null> {
    try {
      let before: EventOutcome | null = null;
      for (let from = 0; ; from += RECIPIENTS_PER_TRANSACTION) {
        const part: ProcessedPart | null = await this.unitOfWork.run(() => this.processPart(pending.id, from, before));
        if (part === null || part.isLast) return part?.outcome ?? null;
        before = part.outcome;
      }
    } catch (error) {
      await this.markFailed(pending, error);
      return 'failed';
    }
  }

  /**
   * Counts the event for some of its recipients. The inbox stores which effects were counted, so an event that a crash
   * interrupted between two parts starts again with the first part.
   *
   * @param before the outcome of the parts before; null for the first part.
   */
  private async processPart(id: number, from: number, before: EventOutcome | null): Promise<ProcessedPart | null> {
    const now = this.clock.now();
    const pending = await this.inbox.lock(id);
    if (pending === null) return null;
    const event = readStoredEvent(pending.stored);
    const to = from + RECIPIENTS_PER_TRANSACTION;
    const part = { ...event, recipients: event.recipients.slice(from, to), named: event.recipients.length };
    const found = (await this.countRelayEvents.execute([{ id, event: part }], now)).get(id) ?? 'ignored';
    const late = await this.joinTrail.execute([part]);
    await this.joinLater.plan(late.size > 0 ? [id] : []);
    const outcome = before !== null && DONE.indexOf(found) > DONE.indexOf(before) ? before : found;
    const isLast = to >= event.recipients.length || outcome === 'ignored' || outcome === 'unknown_domain';
    if (isLast) await this.inbox.markProcessed([id], outcome, now);
    return { outcome, isLast };
  }

  /**
   * Stores why an event failed and when it is retried. A failure of the database is not counted as an attempt. When the
   * failure cannot be stored either, the whole job fails and is retried.
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
