import { Clock } from '../clock.js';
import { needs } from '../needs.js';
import type { Actor } from '../operators/actor.js';
import { UnitOfWork } from '../unit-of-work.js';
import type { KeyHandle } from './api-key-repository.js';
import { KeyLocks } from './key-locks.js';
import { RemoveKeys } from './remove-keys.js';

/** Deletes a key with the keys below it. The domains, mailboxes and aliases created with them stay with the partner. */
@needs(UnitOfWork, KeyLocks, RemoveKeys, Clock)
export class DeleteApiKey {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly locks: KeyLocks,
    private readonly removeKeys: RemoveKeys,
    private readonly clock: Clock,
  ) {}

  /** @throws AppError api_key_not_found */
  async execute(actor: Actor, handle: KeyHandle): Promise<void> {
    await this.unitOfWork.run(async () => {
      const { key } = await this.locks.key(actor, handle);
      await this.removeKeys.withAllBelow(actor, key, this.clock.now());
    });
  }
}
