import { AsyncResource } from 'node:async_hooks';
import type { EventPositioner } from '@mailstead/adapters/events/event-positioner';
import { OneAtATime } from '@mailstead/adapters/jobs/one-at-a-time';
import type { EventFeed, FeedEvent } from '@mailstead/core/events/event-feed';
import type { ShutdownCheck } from '@mailstead/core/health-check';

const EVENTS_PER_READ = 500;
/** A stream that is further behind reads its own pages. */
const MOST_REMEMBERED = 2_000;
/** The beginning of the feed moves about once a day. */
const FIRST_EVERY_MS = 10_000;

/** Events after a position, and the position that they reach. */
export interface FollowingEvents {
  events: readonly FeedEvent[];
  upTo: number;
}

/**
 * Follows the feed for all streams of this process, while there are any. One query a tick serves them all, and the
 * newest events are in memory once.
 */
export class EventHub {
  /** Its reads are for all streams, and go on when the caller of the first one has gone. */
  private readonly context = new AsyncResource('EventHub');
  private readonly looks = new OneAtATime(() => this.readNew().catch(() => undefined));
  private readonly wakes = new Set<() => void>();
  private streams = 0;
  private joining: Promise<void> | null = null;
  private timer: NodeJS.Timeout | undefined;
  private stopListening: () => void = () => undefined;
  /** All events of the feed after `from`, up to `upTo`, in their order. */
  private remembered: FeedEvent[] = [];
  private from = 0;
  private upTo = 0;
  private firstKept = 0;
  private firstReadAt = 0;

  /** @param lookEveryMs other replicas give positions too, so it looks for new events this often. */
  constructor(
    private readonly feed: EventFeed,
    private readonly positioner: EventPositioner,
    private readonly shutdown: ShutdownCheck,
    private readonly lookEveryMs: number,
  ) {
    shutdown.onBegin(() => this.wakeAll());
  }

  get isStopping(): boolean {
    return this.shutdown.isStopping;
  }

  /** The last position that it knows. Everything up to there is visible to every later query. */
  get last(): number {
    return this.upTo;
  }

  /** The position of the oldest event that is kept, at most a few seconds old. */
  get first(): number {
    return this.firstKept;
  }

  /** Call `leave` at the end of the stream, also after an error. @throws AppError database_unavailable */
  join(): Promise<void> {
    this.streams += 1;
    this.joining ??= this.context.runInAsyncScope(() => this.begin());
    return this.joining;
  }

  leave(): void {
    this.streams -= 1;
    if (this.streams > 0) return;
    clearInterval(this.timer);
    this.stopListening();
    this.joining = null;
    this.remembered = [];
  }

  private async begin(): Promise<void> {
    try {
      const last = await this.readBounds();
      this.remembered = [];
      this.from = last;
      this.upTo = last;
    } catch (error) {
      this.joining = null;
      throw error;
    }
    if (this.streams === 0) return;
    clearInterval(this.timer);
    this.stopListening();
    const look = () => void this.context.runInAsyncScope(() => this.looks.run());
    this.timer = setInterval(look, this.lookEveryMs).unref();
    this.stopListening = this.positioner.onGiven(look);
  }

  /** @returns the remembered events after the position, at most `limit`; null when they do not reach that far back. */
  after(position: number, limit: number): FollowingEvents | null {
    if (position < this.from) return null;
    const start = this.remembered.findLastIndex(({ id }) => id <= position) + 1;
    const events = this.remembered.slice(start, start + limit);
    const isRest = start + events.length === this.remembered.length;
    return { events, upTo: isRest ? Math.max(position, this.upTo) : (events.at(-1)?.id ?? position) };
  }

  /** Waits for events after the position, at most this long. Ends early when the process stops or the signal aborts. */
  async changed(position: number, maxMs: number, signal: AbortSignal): Promise<void> {
    if (this.upTo > position || this.isStopping || signal.aborted) return;
    await new Promise<void>((resolve) => {
      const wake = () => {
        clearTimeout(timer);
        this.wakes.delete(wake);
        signal.removeEventListener('abort', wake);
        resolve();
      };
      const timer = setTimeout(wake, maxMs);
      this.wakes.add(wake);
      signal.addEventListener('abort', wake);
    });
  }

  private wakeAll(): void {
    for (const wake of this.wakes) wake();
  }

  private async readNew(): Promise<void> {
    if (performance.now() - this.firstReadAt >= FIRST_EVERY_MS) await this.readBounds();
    const search = this.feed.search({ scope: 'all' });
    for (let goesOn = true; goesOn && this.streams > 0; ) {
      const { rows, next } = await search({ after: this.upTo, limit: EVENTS_PER_READ });
      this.remember(rows, next);
      if (rows.length > 0) this.wakeAll();
      goesOn = next !== null;
    }
  }

  /** @returns the highest position */
  private async readBounds(): Promise<number> {
    const { first, last } = await this.feed.bounds();
    this.firstKept = first;
    this.firstReadAt = performance.now();
    return last;
  }

  private remember(rows: FeedEvent[], next: number | null): void {
    // It may have begun anew at a later position during the read.
    this.remembered.push(...rows.filter(({ id }) => id > this.upTo));
    this.upTo = Math.max(this.upTo, next ?? rows.at(-1)?.id ?? 0);
    const forgotten = this.remembered.splice(0, Math.max(0, this.remembered.length - MOST_REMEMBERED));
    this.from = forgotten.at(-1)?.id ?? this.from;
  }
}
