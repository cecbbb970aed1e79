import { availableParallelism } from 'node:os';
import { PartnerQueue } from '@mailstead/core/limits/partner-queue';
import { PasswordHasher } from '@mailstead/core/mailboxes/password-hasher';
import { ownerOf, type PartnerScope } from '@mailstead/core/partners/partner-scope';
import bcrypt from 'bcrypt';

/**
 * Limits for each worker. At cost 10 a hash takes about 60 ms, and a change of a password as long as two, so the wait
 * is at most 4.8 s for one partner and 12 s in all.
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

  override hashInPlaceOf(
    scope: PartnerScope,
    former: string,
    password: string,
    signal: AbortSignal,
  ): Promise<{ hash: string; isSame: boolean }> {
    const change = async () => {
      const isSame = await isHashOf(former, password);
      return { hash: await bcrypt.hash(password, this.cost), isSame };
    };
    return this.queue.run(ownerOf(scope), change, { signal });
  }
}

async function isHashOf(hash: string, password: string): Promise<boolean> {
  const scheme = BCRYPT_NAMES.find((name) => hash.startsWith(name));
  return scheme !== undefined && bcrypt.compare(password, `$2b$${hash.slice(scheme.length)}`);
}
