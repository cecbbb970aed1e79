import { availableParallelism } from 'node:os';
import { AppError } from '@mailstead/core/errors';
import { PasswordHasher } from '@mailstead/core/mailboxes/password-hasher';
import bcrypt from 'bcrypt';

/** How many hashes may wait for each one that runs: about ten seconds of work at the default cost. */
const WAITING_PER_WORKER = 40;

/**
 * Hashes on libuv's threads, at most one fewer than there are cores at a time: the same threads serve files and DNS, and
 * the event loop must keep a core.
 */
export class BcryptPasswordHasher extends PasswordHasher {
  private readonly workers = Math.max(1, Math.min(3, availableParallelism() - 1));
  private readonly waiting: (() => void)[] = [];
  private running = 0;

  constructor(private readonly cost: number) {
    super();
  }

  override async hash(password: string): Promise<string> {
    await this.turn();
    try {
      return await bcrypt.hash(password, this.cost);
    } finally {
      this.running -= 1;
      this.waiting.shift()?.();
    }
  }

  private async turn(): Promise<void> {
    if (this.running >= this.workers) {
      if (this.waiting.length >= this.workers * WAITING_PER_WORKER) throw new AppError('overloaded');
      await new Promise<void>((resolve) => this.waiting.push(resolve));
    }
    this.running += 1;
  }
}
