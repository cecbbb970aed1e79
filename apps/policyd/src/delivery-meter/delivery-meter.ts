import { readDelivery } from './delivered-message.js';
import { readEndedSession } from './ended-session.js';
import { FollowedLog, type FollowedLogOptions } from './followed-log.js';
import type { StoredPosition } from './log-position.js';
import { MAX_REPORTED, type Transfer, type TransferReporter } from './transfer-reporter.js';

export interface DeliveryMeterOptions extends FollowedLogOptions {
  /** Whether what IMAP and POP3 sent to clients counts too. */
  countsDownloads?: boolean;
}

/**
 * Counts received bytes, and read ones when it is set: follows Dovecot's log and reports its deliveries and ended
 * sessions. Each of them has an id, so that a crash or a lost response neither loses one nor counts it twice.
 */
export class DeliveryMeter {
  private readonly log: FollowedLog;

  constructor(
    position: StoredPosition,
    private readonly reporter: TransferReporter,
    private readonly options: DeliveryMeterOptions,
  ) {
    const reader = {
      reportsOf: ({ lines }: { lines: readonly string[] }) => this.reportsOf(lines),
      positionAfter: ({ position: after }: { position: Parameters<StoredPosition['save']>[0] }) => after,
    };
    this.log = new FollowedLog(position, reader, options);
  }

  /**
   * Runs until `signal` aborts. Deliveries that are not reported by then are read again at the next start.
   *
   * @throws Error when the saved position cannot be read.
   */
  run(signal: AbortSignal): Promise<void> {
    return this.log.run(signal);
  }

  private reportsOf(lines: readonly string[]): (() => Promise<void>)[] {
    const { countsDownloads = false } = this.options;
    const transfers = lines
      .map((line) => readDelivery(line) ?? (countsDownloads ? readEndedSession(line) : null))
      .filter((transfer) => transfer !== null);
    const reports: (() => Promise<void>)[] = [];
    for (let start = 0; start < transfers.length; start += MAX_REPORTED) {
      const batch: readonly Transfer[] = transfers.slice(start, start + MAX_REPORTED);
      reports.push(() => this.reporter.report(batch));
    }
    return reports;
  }
}
