/** The metrics that a process counts of its own work, with plain text as labels. No call throws or waits. */
export abstract class Meters {
  /** One set-based call served this number of concurrent calls. */
  abstract batch(name: 'increments' | 'relay_events' | 'api_keys' | 'sessions', items: number): void;
  /** @param reason null: allowed without a reason. */
  abstract verdict(action: string, reason: string | null): void;
  abstract blocked(reason: string): void;
  /** A stored count of a partner or of a domain was wrong and was corrected. */
  abstract countsCorrected(of: 'partner' | 'domain'): void;
  /** Rows of a table with copies (`StoredCopies`) were wrong and were corrected. */
  abstract copiesCorrected(table: string, rows: number): void;
  /** @param outcome `ok`, or the name of the provider's error. */
  abstract providerCall(operation: string, outcome: string, seconds: number): void;
  /** @param outcome `failed`: the job ended, but some of its items failed and are tried again. */
  abstract job(name: string, outcome: 'done' | 'failed' | 'retried' | 'dead' | 'lost', seconds: number): void;
  /** Whether jobs and schedules of this process wait because a clock is wrong. */
  abstract clockWrong(isWrong: boolean): void;
  /** New rows of trails that there was no room for. */
  abstract trailRowsLost(rows: number): void;
  /** One attempt to deliver a notification on this channel. */
  abstract notification(channel: string, outcome: 'delivered' | 'retried' | 'dead'): void;
}

/** Counts nothing. */
export class SilentMeters extends Meters {
  override batch(): void {}
  override verdict(): void {}
  override blocked(): void {}
  override countsCorrected(): void {}
  override copiesCorrected(): void {}
  override providerCall(): void {}
  override job(): void {}
  override clockWrong(_isWrong: boolean): void {}
  override trailRowsLost(): void {}
  override notification(): void {}
}
