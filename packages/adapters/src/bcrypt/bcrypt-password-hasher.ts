import { availableParallelism } from 'node:os';
import { PartnerQueue } from '@mailstead/core/limits/partner-queue';
import { PasswordHasher } from '@mailstead/core/mailboxes/password-hasher';
import { ownerOf, type PartnerScope } from '@mailstead/core/partners/partner-scope';
import bcrypt from 'bcrypt';

/**
 * Limits for each worker. At cost 10 a hash takes about 60 ms, so the wait is at most 2.4 s for one partner and 6 s in
 * all.
 */
const WAITING_PER_PARTNER = 40;
const WAITING = 100;

/** The names of one and the same hash. The library does not know the last one, which is PHP's. */
const BCRYPT_NAMES = ['$2b$', '$2a$', '$2y$'];

/**
 * Hashes passwords with bcrypt on libuv's thread pool. At most 3 hashes run at once, and always fewer than there are
 * cores (but at least 1): the same threads serve files and DNS, and the event loop needs a core.
 */
export class BcryptPasswordHasher extends PasswordHasher {
  private readonly queue: PartnerQueue;

  constructor(
    private readonly cost: number,
    workers = Math.max(1, Math.min(3, availableParallelism() - 1)),
  ) {
    super();
    this.queue = new PartnerQueue(
      {
        workers,
        runningPerPartner: workers,
        waitingPerPartner: workers * WAITING_PER_PARTNER,
        waiting: workers * WAITING,
        waitMs: Number.POSITIVE_INFINITY,
      },
      { ofPartner: 'hashing_busy', ofQueue: 'overloaded' },
    );
  }

  override hash(scope: PartnerScope, password: string, signal: AbortSignal): Promise<string> {
    return this.queue.run(ownerOf(scope), () => bcrypt.hash(password, this.cost), { signal });
  }

  override isHashOf(scope: PartnerScope, hash: string, password: string, signal: AbortSignal): Promise<boolean> {
    const scheme = BCRYPT_NAMES.find((name) => hash.startsWith(name));
    if (scheme === undefined) return Promise.resolve(false);
    const named = `$2b$${hash.slice(scheme.length)}`;
    return this.queue.run(ownerOf(scope), () => bcrypt.compare(password, named), { signal });
  }
}
