import { setTimeout as delay } from 'node:timers/promises';
import { newTraceId, traced } from '@mailstead/core/trace';
import { LogFollower, type ReadLines } from './log-follower.js';
import { BEFORE_THE_LOG, type LogPosition, type StoredPosition } from './log-position.js';

export interface FollowedLogOptions {
  /** The log. */
  log: string;
  /** Milliseconds between two reads of the log; 1,000 by default. What one read found is sent in one report. */
  pollMs?: number;
  /** The longest backoff between attempts to report, in milliseconds; 30,000 by default. */
  maxPauseMs?: number;
  /** Called when a report failed or the log could not be read. Both are retried. */
  onTrouble?: (error: unknown) => void;
}

/** What is done with the lines of a log. */
export interface LogReader {
  /** @returns what to report, each in a report of its own */
  reportsOf(read: ReadLines): readonly (() => Promise<void>)[];
  /** Where a later process begins, after everything of this read is reported. */
  positionAfter(read: ReadLines): LogPosition;
}

const DEFAULT_POLL_MS = 1_000;
const DEFAULT_MAX_PAUSE_MS = 30_000;
const FIRST_PAUSE_MS = 250;

/**
 * Follows a log and reports what is in it. The position is saved after each report, so that a crash or a lost response
 * loses nothing; what is reported again must change nothing.
 */
export class FollowedLog {
  constructor(
    private readonly position: StoredPosition,
    private readonly reader: LogReader,
    private readonly options: FollowedLogOptions,
  ) {}

  /**
   * Runs until `signal` aborts. What is not reported by then is read again at the next start.
   *
   * @throws Error when the saved position cannot be read.
   */
  async run(signal: AbortSignal): Promise<void> {
    const stored = await this.position.load();
    const follower = new LogFollower(this.options.log, stored);
    let saved: LogPosition | null = null;
    const save = async (position: LogPosition): Promise<void> => {
      if (isSame(position, saved)) return;
      await this.untilDone(() => this.position.save(position), signal);
      saved = position;
    };
    try {
      while (!signal.aborted) {
        const read = await this.untilDone(() => follower.read(), signal);
        if (read === undefined) return;
        if (read === null) {
          // A log that appears while this process is down is read from its beginning by the next one.
          if (saved === null && stored === null) await save(BEFORE_THE_LOG);
          await this.pause(this.options.pollMs ?? DEFAULT_POLL_MS, signal);
          continue;
        }
        if (!(await this.report(this.reader.reportsOf(read), signal))) return;
        await save(this.reader.positionAfter(read));
        if (read.lines.length === 0) await this.pause(this.options.pollMs ?? DEFAULT_POLL_MS, signal);
      }
    } finally {
      await follower.close();
    }
  }

  /** @returns false when `signal` aborted before everything was reported. */
  private async report(reports: readonly (() => Promise<void>)[], signal: AbortSignal): Promise<boolean> {
    for (const report of reports) {
      const act = async () => {
        await report();
        return true;
      };
      // One trace for all attempts, of which the log tells the failed ones.
      const done = await traced(newTraceId(), () => this.untilDone(act, signal));
      if (done === undefined) return false;
    }
    return true;
  }

  /** Retries with growing backoff until it succeeds. @returns undefined when `signal` aborted. */
  private async untilDone<T>(act: () => Promise<T>, signal: AbortSignal): Promise<T | undefined> {
    const longest = this.options.maxPauseMs ?? DEFAULT_MAX_PAUSE_MS;
    for (let pauseMs = FIRST_PAUSE_MS; !signal.aborted; pauseMs *= 2) {
      try {
        return await act();
      } catch (error) {
        this.options.onTrouble?.(error);
        await this.pause(Math.min(pauseMs, longest), signal);
      }
    }
    return undefined;
  }

  private async pause(ms: number, signal: AbortSignal): Promise<void> {
    await delay(ms, undefined, { signal }).catch(() => undefined);
  }
}

function isSame(one: LogPosition, other: LogPosition | null): boolean {
  return one.inode === other?.inode && one.offset === other.offset && one.head === other.head;
}
