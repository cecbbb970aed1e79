import type { AuditLog } from '../audit/audit-log.js';
import type { Clock } from '../clock.js';
import { AppError, invalidField } from '../errors.js';
import type { Actor } from '../operators/actor.js';
import type { PartnerRef } from '../partners/partner.js';
import type { PartnerRepository } from '../partners/partner-repository.js';
import type { UnitOfWork } from '../unit-of-work.js';
import { aboutApiKey } from './about-api-key.js';
import { ApiKey, isUsableToken, type KeyLimits, maskToken } from './api-key.js';
import type { ApiKeyRepository } from './api-key-repository.js';
import type { TokenHasher } from './token-hasher.js';

export interface CreateApiKeyCommand extends KeyLimits {
  token: string;
  partnerRef: PartnerRef;
  active: boolean;
  expiresAt: Date | null;
}

/** The fields of a key that an audit row shows. */
export function shownKey(key: ApiKey): Record<string, unknown> {
  return {
    domains_allowed: key.domainsAllowed,
    mailboxes_per_domain: key.mailboxesPerDomain,
    aliases_per_mailbox: key.aliasesPerMailbox,
    active: key.active,
    expires_at: key.expiresAt,
  };
}

/** Creates a key of a partner. The partner is created with its first key. */
export class CreateApiKey {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly partners: PartnerRepository,
    private readonly apiKeys: ApiKeyRepository,
    private readonly tokens: TokenHasher,
    private readonly audit: AuditLog,
    private readonly clock: Clock,
  ) {}

  /**
   * @returns the key and the number of domains that its partner has.
   * @throws AppError validation_failed, api_key_exists
   */
  execute(actor: Actor, command: CreateApiKeyCommand): Promise<{ key: ApiKey; domainsUsed: number }> {
    const { token, partnerRef, ...rest } = command;
    if (!isUsableToken(token))
      throw invalidField('token', 'must have 16 to 255 of A-Z a-z 0-9 . _ ~ + = - and not only digits');
    if (this.tokens.isOperatorToken(token)) throw new AppError('api_key_exists');
    return this.unitOfWork.run(async () => {
      const partner = await this.partners.lockOrCreate(partnerRef);
      const now = this.clock.now();
      const key = await this.apiKeys.add(
        ApiKey.create({
          ...rest,
          partnerId: partner.id,
          partnerRef,
          tokenHash: this.tokens.hash(token),
          tokenMask: maskToken(token),
          createdAt: partner.stampCreation(now),
        }),
      );
      await this.partners.save(partner);
      await this.audit.append(actor, now, aboutApiKey(key, 'api_key.create', { after: shownKey(key) }));
      return { key, domainsUsed: partner.domainCount };
    });
  }
}
