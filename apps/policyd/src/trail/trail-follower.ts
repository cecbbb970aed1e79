import { FollowedLog, type FollowedLogOptions, type LogReader } from '../delivery-meter/followed-log.js';
import type { ReadLines } from '../delivery-meter/log-follower.js';
import type { LogPosition, StoredPosition } from '../delivery-meter/log-position.js';
import { MessagesInFlight, type TrailItem } from './messages-in-flight.js';
import { readPostfixLine } from './postfix-line.js';

/** Half of the limit of `POST /outbound/trail`, so that the longest texts fit into a request. */
const MAX_REPORTED = 500;
/** Parts of the log, 256 KiB each, that a later process reads again at most. */
const MAX_PARTS_BACK = 8;

/** Sends steps to the API; those that are sent again change nothing. @throws Error when they may not have arrived */
export type ReportTrail = (items: readonly TrailItem[]) => Promise<void>;

export interface TrailFollowerOptions extends FollowedLogOptions {
  /** The name of the mail server in the tags of messages (`myhostname`). */
  host: string;
  /** To which senders are rewritten when mail is forwarded; null: none are. */
  srsDomain?: string | null;
  now?: () => Date;
}

/**
 * Follows the log of both instances of Postfix and reports what became of messages. A process that is started anew
 * begins before the messages that were not tried yet, because it has to know whose they are.
 */
export class TrailFollower implements LogReader {
  readonly messages: MessagesInFlight;
  private readonly log: FollowedLog;
  private readonly now: () => Date;
  /** Where each of the last parts begins. */
  private readonly starts: { part: number; position: LogPosition }[] = [];
  private part = 0;
  /** The time of the last line of what is not reported yet. */
  private unreported: Date | null = null;
  /** The end of the last part. */
  private end: LogPosition | null = null;

  constructor(
    position: StoredPosition,
    private readonly report: ReportTrail,
    options: TrailFollowerOptions,
  ) {
    this.messages = new MessagesInFlight(options.host, options.srsDomain);
    this.log = new FollowedLog(position, this, options);
    this.now = options.now ?? (() => new Date());
  }

  /** How old the lines are that are not reported yet, seconds; 0 when all are. */
  get behindSeconds(): number {
    return this.unreported === null ? 0 : Math.max(0, (this.now().getTime() - this.unreported.getTime()) / 1_000);
  }

  run(signal: AbortSignal): Promise<void> {
    return this.log.run(signal);
  }

  reportsOf({ lines, position }: ReadLines): (() => Promise<void>)[] {
    if (lines.length > 0) {
      this.part += 1;
      // Of the first part the beginning is not known, so it is not read again.
      this.starts.push({ part: this.part, position: this.end ?? position });
      if (this.starts.length > MAX_PARTS_BACK) this.starts.shift();
    }
    this.end = position;
    const now = this.now();
    const items = lines.flatMap((line) => this.messages.read(line, now, this.part));
    if (lines.length > 0) this.unreported = readPostfixLine(lines.at(-1) ?? '', now)?.at ?? now;
    const reports: (() => Promise<void>)[] = [];
    for (let start = 0; start < items.length; start += MAX_REPORTED) {
      const batch = items.slice(start, start + MAX_REPORTED);
      reports.push(() => this.report(batch));
    }
    return reports;
  }

  positionAfter({ position }: ReadLines): LogPosition {
    this.unreported = null;
    const oldest = this.messages.oldestUntried();
    if (oldest === null) return position;
    return this.starts.find(({ part }) => part >= oldest)?.position ?? position;
  }
}
