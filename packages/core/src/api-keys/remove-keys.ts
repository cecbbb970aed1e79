import { AuditLog } from '../audit/audit-log.js';
import { needs } from '../needs.js';
import type { Actor } from '../operators/actor.js';
import { aboutApiKey, shownKey } from './about-api-key.js';
import type { ApiKey } from './api-key.js';
import { ApiKeyRepository } from './api-key-repository.js';

/** Removes keys. What a removed key created is never valid again, so it is removed with it. */
@needs(ApiKeyRepository, AuditLog)
export class RemoveKeys {
  constructor(
    private readonly apiKeys: ApiKeyRepository,
    private readonly audit: AuditLog,
  ) {}

  /** Removes a key and all keys below it. The partner must be locked. */
  async withAllBelow(actor: Actor, key: ApiKey, now: Date): Promise<void> {
    for (const one of [key, ...(await this.apiKeys.below(key))].reverse()) {
      const before = shownKey(one, await this.apiKeys.domainNames(one));
      await this.apiKeys.remove(one);
      await this.audit.append(actor, now, aboutApiKey(one, 'api_key.delete', { before }));
    }
  }
}
