import { AppError } from '../errors.js';
import type { Actor } from '../operators/actor.js';
import type { ApiKey } from './api-key.js';
import type { ApiKeyRepository } from './api-key-repository.js';
import type { RemoveKeys } from './remove-keys.js';

/** The most keys of a partner that keys made; a key and its successor count as one. */
const MAX_MADE_KEYS = 50;

/** Keeps the number of keys that a partner makes bounded. Expired ones stay in the list until their place is needed. */
export class KeyRoom {
  constructor(
    private readonly apiKeys: ApiKeyRepository,
    private readonly removeKeys: RemoveKeys,
  ) {}

  /**
   * Removes the keys that expired first until the others fit. Call it after a key was added, while the partner is
   * locked.
   *
   * @throws AppError too_many_keys
   */
  async makeFor(actor: Actor, partnerId: number, now: Date): Promise<void> {
    for (;;) {
      const counted = countedOf(await this.apiKeys.madeByKeys(partnerId));
      if (counted.length <= MAX_MADE_KEYS) return;
      const [oldest] = counted
        .filter((key) => key.isEnded(now))
        .sort((left, right) => Number(left.expiresAt) - Number(right.expiresAt));
      if (oldest === undefined) {
        throw new AppError('too_many_keys', {
          detail: `The partner has made ${MAX_MADE_KEYS} keys, and none has expired`,
        });
      }
      await this.removeKeys.withAllBelow(actor, oldest, now);
    }
  }
}

/**
 * Leaves out the keys that count with their successor. A successor that was rotated itself counts with its own
 * successor only: otherwise one key could be rotated without end, with an overlap each time.
 */
function countedOf(made: readonly ApiKey[]): ApiKey[] {
  const byId = new Map(made.map((key) => [key.id, key]));
  const successorOf = ({ successorId }: ApiKey) => (successorId === null ? undefined : byId.get(successorId));
  return made.filter((key) => {
    const successor = successorOf(key);
    return successor === undefined || successorOf(successor) !== undefined;
  });
}
