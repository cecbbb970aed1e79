import { AuditLog } from '../audit/audit-log.js';
import { Clock } from '../clock.js';
import type { DomainName } from '../domains/domain-name.js';
import { AppError, invalidField } from '../errors.js';
import { needs } from '../needs.js';
import type { Actor } from '../operators/actor.js';
import type { ClientScope } from '../operators/caller.js';
import type { PartnerRef } from '../partners/partner.js';
import { PartnerRepository } from '../partners/partner-repository.js';
import { UnitOfWork } from '../unit-of-work.js';
import { aboutApiKey, shownKey } from './about-api-key.js';
import { ApiKey, isUsableToken, type KeyLimits, maskToken, TOKEN_RULE } from './api-key.js';
import { ApiKeyRepository, type KeyRecord } from './api-key-repository.js';
import { KeyChain } from './key-chain.js';
import { idsOfKeyDomains } from './key-domains.js';
import { TokenHasher } from './token-hasher.js';

export interface CreateApiKeyCommand extends KeyLimits {
  token: string;
  partnerRef: PartnerRef;
  active: boolean;
  expiresAt: Date | null;
  name: string | null;
  scope: ClientScope;
  /** Null: all domains of the partner. */
  domains: readonly DomainName[] | null;
}

/** Creates a key of a partner. The partner is created with its first key. */
@needs(UnitOfWork, PartnerRepository, ApiKeyRepository, TokenHasher, AuditLog, Clock)
export class CreateApiKey {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly partners: PartnerRepository,
    private readonly apiKeys: ApiKeyRepository,
    private readonly tokens: TokenHasher,
    private readonly audit: AuditLog,
    private readonly clock: Clock,
  ) {}

  /** @throws AppError validation_failed, api_key_exists */
  execute(actor: Actor, command: CreateApiKeyCommand): Promise<KeyRecord> {
    const { token, partnerRef, domains, ...rest } = command;
    if (!isUsableToken(token)) throw invalidField('token', TOKEN_RULE);
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
          domainIds: await idsOfKeyDomains(this.apiKeys, partner.id, domains),
          makerId: null,
        }),
      );
      await this.partners.save(partner);
      await this.audit.append(actor, now, aboutApiKey(key, 'api_key.create', { after: shownKey(key, domains) }));
      const shown = await this.apiKeys.domainNames(key);
      return { id: key.id, chain: new KeyChain([key]), domains: shown, domainsUsed: partner.domainCount };
    });
  }
}
