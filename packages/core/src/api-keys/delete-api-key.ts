import type { AuditLog } from '../audit/audit-log.js';
import type { Clock } from '../clock.js';
import { AppError } from '../errors.js';
import type { Actor } from '../operators/actor.js';
import type { UnitOfWork } from '../unit-of-work.js';
import { aboutApiKey } from './about-api-key.js';
import type { ApiKeyRepository, KeyHandle } from './api-key-repository.js';
import { shownKey } from './create-api-key.js';

/** Deletes a key. The domains, mailboxes and aliases created with it stay with the partner. */
export class DeleteApiKey {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly apiKeys: ApiKeyRepository,
    private readonly audit: AuditLog,
    private readonly clock: Clock,
  ) {}

  /** @throws AppError api_key_not_found */
  async execute(actor: Actor, handle: KeyHandle): Promise<void> {
    await this.unitOfWork.run(async () => {
      const key = await this.apiKeys.lock(handle);
      if (key === null) throw new AppError('api_key_not_found');
      await this.apiKeys.remove(key);
      await this.audit.append(actor, this.clock.now(), aboutApiKey(key, 'api_key.delete', { before: shownKey(key) }));
    });
  }
}
