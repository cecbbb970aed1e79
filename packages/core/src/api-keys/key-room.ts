import { AppError } from '../errors.js';
import type { Actor } from '../operators/actor.js';
import type { ApiKeyRepository } from './api-key-repository.js';
import type { RemoveKeys } from './remove-keys.js';

/** The most keys of a partner that keys made. */
const MAX_MADE_KEYS = 50;

/** Keeps the number of keys that a partner makes bounded. Expired ones stay in the list until their place is needed. */
export class KeyRoom {
  constructor(
    private readonly apiKeys: ApiKeyRepository,
    private readonly removeKeys: RemoveKeys,
  ) {}

  /** Makes room for one more key, for which the key that expired first is removed. @throws AppError too_many_keys */
  async makeFor(actor: Actor, partnerId: number, now: Date): Promise<void> {
    const made = await this.apiKeys.madeByKeys(partnerId);
    if (made.length < MAX_MADE_KEYS) return;
    const [oldest] = made
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
