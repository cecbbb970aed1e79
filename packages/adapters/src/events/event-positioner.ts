import { SECOND_MS } from '@mailstead/core/clock';
import { EventPositions } from '@mailstead/core/events/event-positions';
import { needs } from '@mailstead/core/needs';
import { AppendedEvents } from '../database/events/appended-events.js';
import { OneAtATime } from '../jobs/one-at-a-time.js';

const LOOK_EVERY_MS = SECOND_MS;
/** Events of other requests that commit within this time get their positions in the same transaction. */
const GATHER_MS = 200;
const EVENTS_PER_TRANSACTION = 500;

/**
 * Gives positions to committed events: a moment after this process committed some, and once a second to those of
 * processes that ended before they did so. No request waits for it.
 */
@needs(EventPositions, AppendedEvents)
export class EventPositioner {
  private readonly runs = new OneAtATime(() => this.giveAll().catch(() => undefined));
  private timer: NodeJS.Timeout | undefined;
  private soon: NodeJS.Timeout | undefined;
  private readonly listeners = new Set<() => void>();

  constructor(
    private readonly positions: EventPositions,
    private readonly appended: AppendedEvents,
  ) {}

  start(): void {
    this.appended.listen(() => {
      this.soon ??= setTimeout(() => {
        this.soon = undefined;
        void this.runs.run();
      }, GATHER_MS).unref();
    });
    this.timer = setInterval(() => void this.runs.run(), LOOK_EVERY_MS).unref();
  }

  /** Calls `listener` whenever this process gave positions. @returns a function that ends this */
  onGiven(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  }

  /** Events that have no position yet are left to other processes, or to the next start. */
  async stop(): Promise<void> {
    this.appended.listen(() => undefined);
    clearInterval(this.timer);
    clearTimeout(this.soon);
    await this.runs.run();
  }

  /** Gives positions to all events that were committed before the call. After an error the next turn tries again. */
  async giveAll(): Promise<void> {
    let given = EVENTS_PER_TRANSACTION;
    while (given === EVENTS_PER_TRANSACTION) {
      given = await this.positions.give(EVENTS_PER_TRANSACTION);
      if (given > 0) for (const listener of this.listeners) listener();
    }
  }
}
