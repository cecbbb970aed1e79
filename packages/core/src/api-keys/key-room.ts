import { AppError } from '../errors.js';
import { needs } from '../needs.js';
import type { Actor } from '../operators/actor.js';
import type { ApiKey } from './api-key.js';
import { ApiKeyRepository } from './api-key-repository.js';
import { RemoveKeys } from './remove-keys.js';

/** The most keys of a partner that keys created; a key and its successor count as one. */
const MAX_CREATED_KEYS = 50;

/** Limits the number of keys that keys of a partner create. Expired ones stay listed until their place is needed. */
@needs(ApiKeyRepository, RemoveKeys)
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
      const counted = countedOf(await this.apiKeys.createdByKeys(partnerId));
      if (counted.length <= MAX_CREATED_KEYS) return;
      const [oldest] = counted
        .filter((key) => key.isEnded(now))
        .sort((left, right) => Number(left.expiresAt) - Number(right.expiresAt));
      if (oldest === undefined) {
        throw new AppError('too_many_keys', {
          detail: `The partner has created ${MAX_CREATED_KEYS} keys, and none has expired`,
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
function countedOf(created: readonly ApiKey[]): ApiKey[] {
  const byId = new Map(created.map((key) => [key.id, key]));
  const successorOf = ({ successorId }: ApiKey) => (successorId === null ? undefined : byId.get(successorId));
  return created.filter((key) => {
    const successor = successorOf(key);
    return successor === undefined || successorOf(successor) !== undefined;
  });
}
