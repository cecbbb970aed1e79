import { AuditLog } from '../audit/audit-log.js';
import { isChange } from '../audit/is-change.js';
import { Clock } from '../clock.js';
import { defined } from '../defined.js';
import type { DomainName } from '../domains/domain-name.js';
import { AppError, invalidField } from '../errors.js';
import { needs } from '../needs.js';
import type { Actor } from '../operators/actor.js';
import { changeExpected, raiseRevision } from '../operators/revision.js';
import { UnitOfWork } from '../unit-of-work.js';
import { aboutApiKey, shownKey } from './about-api-key.js';
import type { ApiKey, KeyLimits } from './api-key.js';
import { ApiKeyRepository, type KeyHandle, type KeyRecord } from './api-key-repository.js';
import { idsOfKeyDomains } from './key-domains.js';
import { KeyLocks } from './key-locks.js';
import { refuseWidening } from './refuse-widening.js';

/** A field that is undefined is not changed; null removes the expiry, the name, or the limit to some domains. */
export interface ApiKeyChanges extends Partial<KeyLimits & Pick<ApiKey, 'active' | 'expiresAt' | 'name' | 'scope'>> {
  domains?: readonly DomainName[] | null;
}

const LIMITS = {
  domainsAllowed: 'domains_allowed',
  mailboxesPerDomain: 'mailboxes_per_domain',
  aliasesPerMailbox: 'aliases_per_mailbox',
} as const satisfies Record<keyof KeyLimits, string>;

/** Changes a key. An operator may change every key; a client may narrow the keys below its own. */
@needs(UnitOfWork, KeyLocks, ApiKeyRepository, AuditLog, Clock)
export class UpdateApiKey {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly locks: KeyLocks,
    private readonly apiKeys: ApiKeyRepository,
    private readonly audit: AuditLog,
    private readonly clock: Clock,
  ) {}

  /**
   * Nothing changes when no field gets another value.
   * @throws AppError api_key_not_found, changed_meanwhile, validation_failed
   */
  execute(actor: Actor, handle: KeyHandle, changes: ApiKeyChanges): Promise<KeyRecord> {
    return this.unitOfWork.run(async () => {
      const { key } = await this.locks.key(actor, handle);
      const before = shownKey(key, await this.apiKeys.domainNames(key));
      await changeExpected(actor, key, () => this.change(actor, key, changes));
      const after = shownKey(key, await this.apiKeys.domainNames(key));
      if (isChange({ before, after })) {
        raiseRevision(actor, key);
        await this.apiKeys.save(key);
        await this.audit.append(actor, this.clock.now(), aboutApiKey(key, 'api_key.update', { before, after }));
      }
      const record = await this.apiKeys.record({ id: key.id });
      if (record === null) throw new AppError('api_key_not_found');
      return record;
    });
  }

  private async change(actor: Actor, key: ApiKey, changes: ApiKeyChanges): Promise<void> {
    if (key.makerId !== null) refuseLimits(changes);
    const { domains, ...fields } = changes;
    const domainIds =
      domains === undefined ? key.domainIds : await idsOfKeyDomains(this.apiKeys, key.partnerId, domains);
    if (actor.kind === 'client') refuseWidening(key, fields, domainIds);
    Object.assign(key, defined(fields));
    if (domains === undefined) return;
    key.limitTo(domainIds);
    await this.apiKeys.saveDomains(key);
  }
}

/** @throws AppError validation_failed */
function refuseLimits(changes: ApiKeyChanges): void {
  for (const [property, field] of Object.entries(LIMITS)) {
    if (changes[property as keyof KeyLimits] === undefined) continue;
    throw invalidField(
      field,
      'is set at the key that an operator created; this key was created by a key and has its limits',
    );
  }
}
