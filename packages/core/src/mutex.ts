/** Runs tasks one after the other, in the order of the calls. A failed task does not hold up the next one. */
export class Mutex {
  private last: Promise<unknown> = Promise.resolve();
  private tasks = 0;

  /** Whether no task runs or waits. */
  get isIdle(): boolean {
    return this.tasks === 0;
  }

  async run<T>(task: () => Promise<T>): Promise<T> {
    this.tasks += 1;
    const mine = this.last.then(task);
    this.last = mine.catch(() => undefined);
    try {
      return await mine;
    } finally {
      this.tasks -= 1;
    }
  }
}
