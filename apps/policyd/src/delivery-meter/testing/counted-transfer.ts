import { type Transfer, TransferReporter } from '../transfer-reporter.js';

/** Counts like the API: each id once, and a batch completely or not at all. */
export class CountedTransfer extends TransferReporter {
  readonly batches: number[] = [];
  /** `refuse` counts nothing and throws. `lose` counts and throws, as if the response was lost. */
  fault: 'refuse' | 'lose' | null = null;
  /** The number of failed reports. */
  failures = 0;
  private readonly counted = new Map<string, Transfer>();

  /** The counted sizes, in order. */
  get bytes(): number[] {
    return [...this.counted.values()].map(({ bytes }) => bytes);
  }

  override async report(transfers: readonly Transfer[]): Promise<void> {
    if (this.fault === 'refuse') {
      this.failures += 1;
      throw new Error('Mailstead does not answer');
    }
    this.batches.push(transfers.length);
    for (const transfer of transfers) {
      if (!this.counted.has(transfer.id)) this.counted.set(transfer.id, transfer);
    }
    if (this.fault === 'lose') {
      this.failures += 1;
      throw new Error('the answer is lost');
    }
  }
}
