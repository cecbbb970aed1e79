/**
 * Runs work one at a time. Calls that come while it runs share one more run, which begins when that one has ended: the work
 * that a caller waits for always began after the call.
 */
export class OneAtATime {
  private last: Promise<void> = Promise.resolve();
  private next: Promise<void> | null = null;

  /** @param work must not reject. */
  constructor(private readonly work: () => Promise<void>) {}

  run(): Promise<void> {
    if (this.next !== null) return this.next;
    this.last = this.last.then(() => {
      this.next = null;
      return this.work();
    });
    this.next = this.last;
    return this.next;
  }
}
