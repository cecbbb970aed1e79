/** Lets tasks of one key run one after the other, in the order of their call. */
export class Turns {
  private readonly last = new Map<string, Promise<unknown>>();

  /** A failed task does not hold up the next one. */
  async run<T>(key: string, task: () => Promise<T>): Promise<T> {
    const before = this.last.get(key) ?? Promise.resolve();
    const mine = before.then(task, task);
    this.last.set(key, mine);
    try {
      return await mine;
    } finally {
      if (this.last.get(key) === mine) this.last.delete(key);
    }
  }
}
