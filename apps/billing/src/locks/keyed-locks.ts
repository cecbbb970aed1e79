import { createHash } from 'node:crypto';
import { Mutex } from '@mailstead/core/mutex';
import type { FolderLock } from './folder-lock.js';

const WAIT_MS = 30_000;

/** One lock for each key, within this process and between the processes that share the folder. */
export class KeyedLocks {
  private readonly mutexes = new Map<string, Mutex>();

  constructor(private readonly folder: FolderLock) {}

  /**
   * Runs the task while no other task with this key runs in any process.
   *
   * @throws LockBusy after 30 s; Error when the folder cannot be written
   */
  async run<T>(key: string, task: () => Promise<T>): Promise<T> {
    const mutex = this.mutexes.get(key) ?? new Mutex();
    this.mutexes.set(key, mutex);
    try {
      return await mutex.run(() => this.folder.run(fileNameOf(key), task, WAIT_MS));
    } finally {
      if (mutex.isIdle && this.mutexes.get(key) === mutex) this.mutexes.delete(key);
    }
  }
}

/** A key may have characters that a file name cannot have. */
function fileNameOf(key: string): string {
  return createHash('sha256').update(key).digest('hex').slice(0, 16);
}
