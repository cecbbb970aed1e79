/**
 * Runs a function never twice at once. Calls during a run share one further run, which starts when the current run
 * ends. So each caller waits for a run that started after its call.
 */
export class OneAtATime {
  private last: Promise<void> = Promise.resolve();
  private next: Promise<void> | null = null;

  /** @param work must not reject */
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
