import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, readdir, rename, unlink } from 'node:fs/promises';
import { connect, createServer, type Server } from 'node:net';
import { join } from 'node:path';

const RETRY_MS = { least: 5, most: 40 };

/** The lock was not free within the time. */
class LockBusy extends Error {
  constructor(name: string) {
    super(`Another process holds the lock ${name}`);
    this.name = 'LockBusy';
  }
}

/**
 * Locks between processes that share a folder, also from different containers of one machine.
 *
 * A process that wants a lock first announces itself with a listening socket in the folder, then connects to the other
 * sockets of that lock. It holds the lock when none of them answers; otherwise it removes its own. Of two processes,
 * the one that announced itself later finds the other, so there is never more than one holder. The kernel closes the
 * socket of a killed process, so its lock is free at once.
 */
export class FolderLock {
  private constructor(private readonly folder: string) {}

  /** @throws Error when the folder cannot be created. */
  static async open(folder: string): Promise<FolderLock> {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    return new FolderLock(folder);
  }

  /**
   * Takes the lock if it is free.
   *
   * @param name letters and digits, at most 20
   * @returns the function that frees the lock; null when another process holds it
   * @throws Error when the folder cannot be written, for instance on a full disk
   */
  async tryHold(name: string): Promise<(() => Promise<void>) | null> {
    const own = `${name}-${randomBytes(4).toString('hex')}.sock`;
    const server = await this.announce(own);
    const free = async () => {
      await unlink(join(this.folder, own)).catch(() => undefined);
      server.close();
    };
    try {
      if (!(await this.isHeldByAnother(name, own))) return free;
    } catch (error) {
      await free();
      throw error;
    }
    await free();
    return null;
  }

  /**
   * Runs the task while this process holds the lock. Tasks of one process must not run with the same name at a time.
   *
   * @throws LockBusy when the lock is not free within `waitMs`
   */
  async run<T>(name: string, task: () => Promise<T>, waitMs: number): Promise<T> {
    const deadline = performance.now() + waitMs;
    for (;;) {
      const free = await this.tryHold(name);
      if (free !== null) {
        try {
          return await task();
        } finally {
          await free();
        }
      }
      if (performance.now() > deadline) throw new LockBusy(name);
      const wait = RETRY_MS.least + Math.random() * (RETRY_MS.most - RETRY_MS.least);
      await new Promise((resolve) => setTimeout(resolve, wait));
    }
  }

  /**
   * The socket gets its name when it listens: between binding and listening it would seem to be of a killed process.
   */
  private async announce(own: string): Promise<Server> {
    const draft = join(this.folder, `${own}.new`);
    const server = createServer((socket) => socket.destroy()).listen(draft);
    await once(server, 'listening');
    try {
      await rename(draft, join(this.folder, own));
    } catch (error) {
      server.close();
      throw error;
    }
    return server;
  }

  private async isHeldByAnother(name: string, own: string): Promise<boolean> {
    const others = (await readdir(this.folder)).filter(
      (entry) => entry.startsWith(`${name}-`) && entry.endsWith('.sock') && entry !== own,
    );
    const alive = await Promise.all(others.map((entry) => this.isAlive(join(this.folder, entry))));
    return alive.includes(true);
  }

  private async isAlive(path: string): Promise<boolean> {
    const socket = connect(path);
    try {
      await once(socket, 'connect');
      return true;
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      // Names are never used twice, so the socket of an ended process can be removed safely.
      if (code === 'ECONNREFUSED') await unlink(path).catch(() => undefined);
      return code !== 'ECONNREFUSED' && code !== 'ENOENT';
    } finally {
      socket.destroy();
    }
  }
}
