import type { ServerResponse } from 'node:http';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { AppError, isDatabaseOutage } from '@mailstead/core/errors';
import type { EventFeed, FeedFilter } from '@mailstead/core/events/event-feed';
import { isSeen } from '@mailstead/core/events/is-seen';
import { presentEvent } from '@mailstead/core/events/present-event';
import { needs } from '@mailstead/core/needs';
import { type Actor, scopeOf } from '@mailstead/core/operators/actor';
import { drainedWithin } from '../http/write-response.js';
import type { EventHub, FollowingEvents } from './event-hub.js';

/** Only tests change them. */
@needs()
export class StreamTimes {
  /** How often a stream without events says that it lives, and its caller is looked up again. */
  heartbeatMs = 15_000;
  /** How long a client may take to read what was written. */
  drainMs = 30_000;
  /** How often it looks for events of other replicas. */
  lookEveryMs = 500;
  /** After this time the stream ends when it has sent all events. */
  longestMs = Number.POSITIVE_INFINITY;
}

const EVENTS_PER_BATCH = 200;
const RETRY_MS = 2_000;
/** While the database does not answer. */
const PAUSE_MS = 1_000;

export interface StreamOptions {
  /** The position after which it begins. */
  position: number;
  viewer: Actor;
  /** The filter of the request for a caller. */
  filterOf: (viewer: Actor) => FeedFilter;
  /** Identifies the caller again. @throws AppError when it may no longer read the stream */
  identify: () => Promise<Actor>;
  closed: AbortSignal;
  times: StreamTimes;
}

/**
 * One response that sends the events of the feed as they become visible. It keeps no events itself: while the client
 * does not read, it waits, and then goes on at its position.
 */
export class EventStream {
  private position: number;
  /** The newest position up to there that the viewer may know: of the events of its partner, or where it began. */
  private newest: number;
  private viewer: Actor;
  private readonly begunAt = performance.now();
  private lastBeatAt = this.begunAt;
  private sent = 0;

  constructor(
    private readonly hub: EventHub,
    private readonly feed: EventFeed,
    private readonly response: ServerResponse,
    private readonly options: StreamOptions,
  ) {
    this.position = options.position;
    this.newest = options.position;
    this.viewer = options.viewer;
  }

  /** @returns the number of events that it sent, when the client, the service or a missing permission has ended it. */
  async serve(): Promise<number> {
    try {
      await this.hub.join();
      let goesOn = await this.write(`retry: ${RETRY_MS}\n\n`);
      while (goesOn && !this.hub.isStopping && !this.options.closed.aborted) goesOn = await this.step();
    } finally {
      this.hub.leave();
    }
    return this.sent;
  }

  /** @returns false when the stream ends. */
  private async step(): Promise<boolean> {
    const { times, closed } = this.options;
    try {
      const { events, upTo } = this.hub.after(this.position, EVENTS_PER_BATCH) ?? (await this.readOwn());
      if (!(await this.send(events, upTo))) return false;
    } catch (error) {
      if (error instanceof AppError && error.code === 'request_cancelled') return false;
      if (!isDatabaseOutage(error)) throw error;
      await this.hub.changed(Number.POSITIVE_INFINITY, PAUSE_MS, closed);
      return true;
    }
    const now = performance.now();
    const isAtEnd = this.position >= this.hub.last;
    if (isAtEnd && now - this.begunAt >= times.longestMs) return false;
    const leftMs = Math.min(this.lastBeatAt + times.heartbeatMs, this.begunAt + times.longestMs) - now;
    await this.hub.changed(this.position, leftMs, closed);
    return true;
  }

  /** For a stream that is further behind than the hub remembers. Looks at few events, of which none may be for it. */
  private async readOwn(): Promise<FollowingEvents> {
    // SQLite returns without I/O: other requests run between two reads.
    await nextTurn();
    // Before the query, which then sees everything up to there.
    const known = this.hub.last;
    const search = this.feed.search(this.options.filterOf(this.viewer));
    const { rows, next } = await search({ after: this.position, limit: EVENTS_PER_BATCH });
    if (next !== null) return { events: rows, upTo: next };
    const upTo = Math.max(rows.at(-1)?.id ?? this.position, known);
    // The filter may have left out newer events of the viewer.
    const newest = await this.feed.search({ scope: scopeOf(this.viewer) })({
      after: upTo + 1,
      limit: 1,
      order: 'desc',
    });
    this.newest = Math.max(this.newest, newest.rows[0]?.id ?? 0);
    return { events: rows, upTo };
  }

  /** Moves the client's last event id over events that its filter leaves out. Without `data` it would not be told. */
  private heartbeat(): string {
    return `event: heartbeat\n${textOf(this.heartbeatId(), '{}')}`;
  }

  /** The id of a heartbeat: how many events other partners have is nobody's business. */
  private heartbeatId(): number {
    if (scopeOf(this.viewer) === 'all') return this.position;
    // Not below the oldest event that is kept: the client would be told that it missed some.
    return Math.max(this.newest, this.hub.first - 1);
  }

  /** Identifies the caller before each batch and each heartbeat, so that a revoked key reads no further event. */
  private async send(events: FollowingEvents['events'], upTo: number): Promise<boolean> {
    const isMine = (viewer: Actor) => {
      const filter = this.options.filterOf(viewer);
      return events.filter((event) => isSeen(event, filter));
    };
    const isBeat = performance.now() - this.lastBeatAt >= this.options.times.heartbeatMs;
    const scope = scopeOf(this.viewer);
    this.newest = events.findLast((event) => isSeen(event, { scope }))?.id ?? this.newest;
    if (!isBeat && isMine(this.viewer).length === 0) {
      this.position = upTo;
      return true;
    }
    if (!(await this.identify())) return false;
    const seen = isMine(this.viewer);
    this.position = upTo;
    this.sent += seen.length;
    if (isBeat) this.lastBeatAt = performance.now();
    const text = seen.map((event) => textOf(event.id, JSON.stringify(presentEvent(event, this.viewer)))).join('');
    return this.write(isBeat ? text + this.heartbeat() : text);
  }

  private async identify(): Promise<boolean> {
    try {
      this.viewer = await this.options.identify();
      return true;
    } catch (error) {
      if (error instanceof AppError && !isDatabaseOutage(error)) return false;
      throw error;
    }
  }

  /** @returns false when the client has gone, or does not read. */
  private async write(text: string): Promise<boolean> {
    if (text === '' || this.response.write(text)) return !this.response.destroyed;
    if (await drainedWithin(this.response, this.options.times.drainMs)) return true;
    this.response.destroy();
    return false;
  }
}

function textOf(id: number, data: string): string {
  return `id: ${id}\ndata: ${data}\n\n`;
}
