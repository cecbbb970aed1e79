import { AppError } from '../errors.js';
import { needs } from '../needs.js';
import type { Actor } from '../operators/actor.js';
import type { Partner } from '../partners/partner.js';
import { PartnerRepository } from '../partners/partner-repository.js';
import type { ApiKey } from './api-key.js';
import { ApiKeyRepository, type KeyHandle } from './api-key-repository.js';
import { KeyChain } from './key-chain.js';

/** A key and its partner, both locked, and the key with its makers. */
export interface LockedKey {
  partner: Partner;
  key: ApiKey;
  chain: KeyChain;
}

/**
 * Locks keys in a unit of work: first the partner, then the key. The lock of the partner protects the chains of its
 * keys and their lists of domains, so every change of a key takes it.
 */
@needs(PartnerRepository, ApiKeyRepository)
export class KeyLocks {
  constructor(
    private readonly partners: PartnerRepository,
    private readonly apiKeys: ApiKeyRepository,
  ) {}

  /**
   * Locks a key that the actor may change: an operator any key, a client the keys below its own.
   *
   * @throws AppError api_key_not_found
   */
  async key(actor: Actor, handle: KeyHandle): Promise<LockedKey> {
    const found = await this.apiKeys.find(handle);
    if (found === null || !isOfActor(actor, found)) throw new AppError('api_key_not_found');
    const partner = await this.partners.lock(found.partnerId);
    const chain = await this.chain({ id: found.id });
    if (chain === null || !isBelow(actor, chain)) throw new AppError('api_key_not_found');
    return { partner, key: chain.key, chain };
  }

  /** Locks the partner of a client, and its key. @throws AppError invalid_token (it was deleted meanwhile) */
  async own(partnerId: number, keyId: number): Promise<LockedKey> {
    const partner = await this.partners.lock(partnerId);
    const chain = await this.chain({ id: keyId });
    if (chain === null) throw new AppError('invalid_token');
    return { partner, key: chain.key, chain };
  }

  private async chain(handle: KeyHandle): Promise<KeyChain | null> {
    const key = await this.apiKeys.lock(handle);
    if (key === null) return null;
    const record = await this.apiKeys.record(handle);
    return record === null ? null : new KeyChain([key, ...record.chain.makers]);
  }
}

function isOfActor(actor: Actor, { partnerId }: ApiKey): boolean {
  return actor.kind !== 'client' || actor.partnerId === partnerId;
}

function isBelow(actor: Actor, { makers }: KeyChain): boolean {
  return (
    actor.kind !== 'client' || (actor.credential.kind === 'key' && makers.some(({ id }) => id === actor.credential.id))
  );
}
