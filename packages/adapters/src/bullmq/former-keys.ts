import { SECOND_MS } from '@mailstead/core/clock';
import type { Redis } from 'ioredis';
import { selectOwn } from './queue-probe.js';
import { refusalIn } from './redis.js';

const LOOK_EVERY_MS = 30 * SECOND_MS;
/** Redis does nothing else while it looks at so many keys, about a millisecond. */
const SLICE = 500;
const FORMER_KEYS = 'mailstead:*';

/**
 * Deletes the keys that processes of the former release made, queues and schedulers, once none of them runs any more.
 *
 * @until 5.3
 */
export class FormerKeys {
  private timer: NodeJS.Timeout | undefined;
  private isLooking = false;
  private isStopped = false;
  private areDeleted = false;
  private isTold = false;

  /** @param log writes one line with the text */
  constructor(
    private readonly redis: Redis,
    private readonly log: (text: string) => void,
  ) {}

  /** @param areUsed whether a process of the former release runs. @until 5.3 */
  start(areUsed: () => Promise<boolean>): void {
    this.timer = setInterval(() => void this.deleteUnused(areUsed), LOOK_EVERY_MS).unref();
  }

  stop(): void {
    this.isStopped = true;
    clearInterval(this.timer);
  }

  /** Deletes nothing when `areUsed` cannot tell. Never rejects. */
  async deleteUnused(areUsed: () => Promise<boolean>): Promise<void> {
    if (this.isLooking) return;
    this.isLooking = true;
    // A process of the former release that is started again makes the keys again. @until 5.3
    if (await areUsed().catch(() => true)) this.areDeleted = false;
    else if (!this.areDeleted) {
      this.areDeleted = await this.delete().then(
        () => !this.isStopped,
        (error: unknown) => {
          this.tell(error);
          return false;
        },
      );
    }
    this.isLooking = false;
  }

  /** Looks at all keys of the database once. They are deleted one by one, because they may be in several slots. */
  private async delete(): Promise<void> {
    await selectOwn(this.redis);
    let cursor = '0';
    do {
      const [next, keys] = await this.redis.scan(cursor, 'MATCH', FORMER_KEYS, 'COUNT', SLICE);
      await Promise.all(keys.map((key) => this.redis.unlink(key)));
      cursor = next;
    } while (cursor !== '0' && !this.isStopped);
  }

  /** Not one of the queue's errors, whose refusals are a warning: the queue works. Lost connections are told there. */
  private tell(error: unknown): void {
    const refusal = refusalIn(error);
    if (refusal === null || this.isTold) return;
    this.isTold = true;
    this.log(`The keys of the former release (${FORMER_KEYS}) cannot be deleted: ${refusal}`);
  }
}
