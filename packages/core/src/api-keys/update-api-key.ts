import type { AuditLog } from '../audit/audit-log.js';
import type { Clock } from '../clock.js';
import { AppError } from '../errors.js';
import type { Actor } from '../operators/actor.js';
import type { UnitOfWork } from '../unit-of-work.js';
import { aboutApiKey } from './about-api-key.js';
import type { ApiKey } from './api-key.js';
import type { ApiKeyRepository, KeyHandle } from './api-key-repository.js';
import { shownKey } from './create-api-key.js';

/** A field that is undefined is not changed; `expiresAt` null removes the expiry. */
export type ApiKeyChanges = Partial<
  Pick<ApiKey, 'domainsAllowed' | 'mailboxesPerDomain' | 'aliasesPerMailbox' | 'active' | 'expiresAt'>
>;

export class UpdateApiKey {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly apiKeys: ApiKeyRepository,
    private readonly audit: AuditLog,
    private readonly clock: Clock,
  ) {}

  /** @throws AppError api_key_not_found */
  execute(actor: Actor, handle: KeyHandle, changes: ApiKeyChanges): Promise<ApiKey> {
    return this.unitOfWork.run(async () => {
      const key = await this.apiKeys.lock(handle);
      if (key === null) throw new AppError('api_key_not_found');
      const before = shownKey(key);
      Object.assign(key, changes);
      await this.apiKeys.save(key);
      await this.audit.append(
        actor,
        this.clock.now(),
        aboutApiKey(key, 'api_key.update', { before, after: shownKey(key) }),
      );
      return key;
    });
  }
}
