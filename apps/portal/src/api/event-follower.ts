import type { Event } from './shapes.js';

/** Where a stream begins: after the event with this id; null: at the oldest event. */
export type Position = number | null;

/** What is heard of a stream. */
export interface StreamListener {
  opened: () => void;
  /** Null: a heartbeat. */
  heard: (event: Event | null, position: number) => void;
  /** It was refused, or broke; nothing else is heard of it. */
  ended: () => void;
}

/** The service, as the follower sees it. Whatever does not succeed is thrown. */
export interface EventSourceOfService {
  /** The events of the last seconds, null when they are many; and the position after the newest one. */
  latest: () => Promise<{ events: readonly Event[] | null; position: Position }>;
  /**
   * The events that follow, and the position after them; null when they are not kept any more, or more than are read at
   * once.
   */
  following: (position: Position) => Promise<{ events: readonly Event[]; position: Position } | null>;
  /** @returns closes the stream */
  open: (position: Position, listener: StreamListener) => () => void;
  /** @returns whether it is of no use to ask again */
  isFinal: (error: unknown) => boolean;
}

/** What the follower tells. */
export interface Followed {
  happened: (event: Event) => void;
  /** Whatever is known may be old. */
  everythingChanged: () => void;
  /** Since when nothing was heard, after two questions without an answer; null: it is up to date. */
  oldSince: (since: Date | null) => void;
}

const FIRST_RETRY_MS = 1_000;
/** So often it asks while the service refuses a stream. */
const MAX_RETRY_MS = 15_000;
/** Three times the interval of heartbeats. */
const SILENCE_MS = 45_000;
const FAILURES_TOLD = 2;

/**
 * Follows the events of the service from now on, by a stream. Before each stream it asks for the events after the last
 * one that it knows: so it misses none, and goes on without a stream when that is refused or breaks. While it pauses it
 * asks for nothing.
 */
export class EventFollower {
  /** Undefined: not known yet. */
  private position: Position | undefined;
  private close: (() => void) | null = null;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private retryMs = FIRST_RETRY_MS;
  private failures = 0;
  private hasFailed = false;
  private lastHeard = new Date();
  private isPaused = true;
  private isAsking = false;

  constructor(
    private readonly service: EventSourceOfService,
    private readonly followed: Followed,
  ) {}

  /** Begins, or goes on; when it waits for its next question, it asks at once. */
  goOn(): void {
    this.isPaused = false;
    this.retryMs = FIRST_RETRY_MS;
    if (this.close === null) void this.ask();
  }

  pause(): void {
    this.isPaused = true;
    this.end();
  }

  private async ask(): Promise<void> {
    clearTimeout(this.timer);
    if (this.isAsking) return;
    this.isAsking = true;
    try {
      await this.catchUp();
      this.heard();
      if (!this.isPaused) this.open();
    } catch (error) {
      if (!this.service.isFinal(error)) this.failed();
    } finally {
      this.isAsking = false;
    }
  }

  private async catchUp(): Promise<void> {
    if (this.position !== undefined) {
      const following = await this.service.following(this.position);
      if (following !== null) return this.take(following);
    }
    const isFirst = this.position === undefined && !this.hasFailed;
    const { events, position } = await this.service.latest();
    // What the page read before this answer may lack the events of the last moments.
    if (isFirst && events !== null) return this.take({ events, position });
    this.position = position;
    this.followed.everythingChanged();
  }

  private take({ events, position }: { events: readonly Event[]; position: Position }): void {
    this.position = position;
    for (const event of events) this.followed.happened(event);
  }

  private open(): void {
    this.close = this.service.open(this.position ?? null, {
      opened: () => {
        this.retryMs = FIRST_RETRY_MS;
        this.heard();
      },
      heard: (event, position) => {
        this.position = position;
        if (event !== null) this.followed.happened(event);
        this.heard();
      },
      ended: () => this.broken(),
    });
    this.expect();
  }

  private heard(): void {
    this.lastHeard = new Date();
    if (this.failures >= FAILURES_TOLD) this.followed.oldSince(null);
    this.failures = 0;
    if (this.close !== null) this.expect();
  }

  private failed(): void {
    this.hasFailed = true;
    this.failures += 1;
    if (this.failures >= FAILURES_TOLD) this.followed.oldSince(this.lastHeard);
    this.again();
  }

  /** A stream of which nothing is heard is broken, even when its connection stands. */
  private expect(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.broken(), SILENCE_MS);
  }

  private broken(): void {
    this.end();
    this.again();
  }

  private again(): void {
    if (this.isPaused) return;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.ask(), this.retryMs);
    this.retryMs = Math.min(MAX_RETRY_MS, this.retryMs * 2);
  }

  private end(): void {
    clearTimeout(this.timer);
    this.close?.();
    this.close = null;
  }
}
