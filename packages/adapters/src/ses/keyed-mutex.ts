import { Mutex } from '@mailstead/core/mutex';

/** Runs tasks with the same key one after another, in the order of the calls. */
export class KeyedMutex {
  private readonly mutexes = new Map<string, Mutex>();

  /** A failed task does not stop the next one. */
  async run<T>(key: string, task: () => Promise<T>): Promise<T> {
    const mutex = this.mutexes.get(key) ?? new Mutex();
    this.mutexes.set(key, mutex);
    try {
      return await mutex.run(task);
    } finally {
      if (mutex.isIdle) this.mutexes.delete(key);
    }
  }
}
