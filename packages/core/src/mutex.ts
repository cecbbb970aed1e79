/** Runs tasks one after the other, in the order of the calls. After a failed task the next one runs. */
export class Mutex {
  private last: Promise<unknown> = Promise.resolve();
  private tasks = 0;

  /** True when no task runs or waits. */
  get isIdle(): boolean {
    return this.tasks === 0;
  }

  async run<T>(task: () => Promise<T>): Promise<T> {
    this.tasks += 1;
    const result = this.last.then(task);
    this.last = result.catch(() => undefined);
    try {
      return await result;
    } finally {
      this.tasks -= 1;
    }
  }
}
