import { Clock, HOUR_MS, MINUTE_MS } from '../clock.js';
import { type JobCounts, JobQueue, type Jobs } from '../jobs/jobs.js';
import { needs } from '../needs.js';
import { TrailStore } from '../trail/trail-store.js';
import { UnitOfWork } from '../unit-of-work.js';
import { JoinTrail } from './join-trail.js';
import { RelayEventInbox } from './relay-event-inbox.js';
import { readStoredEvent } from './stored-event.js';

/** When an event that found no trail is joined again, after the time before. */
const WAITS_MS = [MINUTE_MS, 10 * MINUTE_MS, 2 * HOUR_MS];

/** Joins events of the relay to trails that are reported later, as when the policy daemon was stopped meanwhile. */
@needs(UnitOfWork, RelayEventInbox, TrailStore, JoinTrail, JobQueue, Clock)
export class JoinLater {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly inbox: RelayEventInbox,
    private readonly store: TrailStore,
    private readonly joinTrail: JoinTrail,
    private readonly jobs: JobQueue,
    private readonly clock: Clock,
  ) {}

  /**
   * Plans to join events again, in the caller's unit of work. Does nothing when no mail server reports trails.
   *
   * @param tries how often they were joined again before
   */
  async plan(eventIds: readonly number[], tries = 0): Promise<void> {
    const waitMs = WAITS_MS[tries];
    if (eventIds.length === 0 || waitMs === undefined || !(await this.store.hasReports())) return;
    const runAt = new Date(this.clock.now().getTime() + waitMs);
    // An event with many recipients is processed, and planned, in several parts.
    const key = eventIds.length === 1 ? { key: `trail.join/${eventIds[0]}` } : {};
    await this.jobs.enqueue('trail.join', { eventIds: [...eventIds], tries: tries + 1 }, { runAt, ...key });
  }

  /** May be interrupted and run again: an event that is joined twice changes nothing. */
  execute({ eventIds, tries }: Jobs['trail.join']): Promise<JobCounts> {
    return this.unitOfWork.run(async () => {
      const stored = await this.inbox.storedOf(eventIds);
      const events = stored.map(({ id, text }) => ({ id, event: readStoredEvent(text) }));
      const late = await this.joinTrail.execute(events.map(({ event }) => event));
      const left = events.filter(({ event }) => late.has(event)).map(({ id }) => id);
      await this.plan(left, tries);
      return { joined: events.length - left.length, left: left.length };
    });
  }
}
