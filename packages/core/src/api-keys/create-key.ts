import { needs } from '../needs.js';
import type { Partner } from '../partners/partner.js';
import { PartnerRepository } from '../partners/partner-repository.js';
import { RandomSource } from '../random-source.js';
import { ApiKey, maskToken } from './api-key.js';
import { ApiKeyRepository, type KeyRecord } from './api-key-repository.js';
import { KeyChain } from './key-chain.js';
import { TokenHasher } from './token-hasher.js';

/** A key and its token, which is shown this once. */
export interface NewKey {
  record: KeyRecord;
  token: string;
}

/** Creates keys whose token the service makes: `ms_` and 43 characters of base64url. */
@needs(PartnerRepository, ApiKeyRepository, TokenHasher, RandomSource)
export class CreateKey {
  constructor(
    private readonly partners: PartnerRepository,
    private readonly apiKeys: ApiKeyRepository,
    private readonly tokens: TokenHasher,
    private readonly random: RandomSource,
  ) {}

  /** @param partner locked @param makers the nearest first */
  async execute(
    partner: Partner,
    now: Date,
    fields: Omit<Parameters<typeof ApiKey.create>[0], 'partnerId' | 'tokenHash' | 'tokenMask' | 'createdAt'>,
    makers: ApiKey[],
  ): Promise<NewKey> {
    const token = `ms_${this.random.secret()}`;
    const key = await this.apiKeys.add(
      ApiKey.create({
        ...fields,
        partnerId: partner.id,
        tokenHash: this.tokens.hash(token),
        tokenMask: maskToken(token),
        createdAt: partner.stampCreation(now),
      }),
    );
    await this.partners.save(partner);
    const domains = await this.apiKeys.domainNames(key);
    const chain = new KeyChain([key, ...makers]);
    return { token, record: { id: key.id, chain, domains, domainsUsed: partner.domainCount } };
  }
}
