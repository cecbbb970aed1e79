import { AuditLog } from '../audit/audit-log.js';
import { Clock } from '../clock.js';
import type { DomainName } from '../domains/domain-name.js';
import { AppError } from '../errors.js';
import { needs } from '../needs.js';
import type { Actor } from '../operators/actor.js';
import type { Client } from '../operators/caller.js';
import { UnitOfWork } from '../unit-of-work.js';
import { aboutApiKey, shownKey } from './about-api-key.js';
import type { ApiKey } from './api-key.js';
import { ApiKeyRepository } from './api-key-repository.js';
import { CreateKey, type NewKey } from './create-key.js';
import { type KeyChain, MAX_CHAIN } from './key-chain.js';
import { idsOfKeyDomains } from './key-domains.js';
import { KeyLocks } from './key-locks.js';
import { KeyRoom } from './key-room.js';

export interface CreateOwnKeyCommand extends Pick<ApiKey, 'name' | 'scope' | 'expiresAt'> {
  /** Null: all domains of the partner. */
  domains: readonly DomainName[] | null;
}

/** Creates a key with the key of a client. It can do at most what its maker can, as long as its maker can. */
@needs(UnitOfWork, KeyLocks, KeyRoom, CreateKey, ApiKeyRepository, AuditLog, Clock)
export class CreateOwnKey {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly locks: KeyLocks,
    private readonly room: KeyRoom,
    private readonly createKey: CreateKey,
    private readonly apiKeys: ApiKeyRepository,
    private readonly audit: AuditLog,
    private readonly clock: Clock,
  ) {}

  /** @throws AppError validation_failed, too_many_keys, and those of a caller whose key was changed meanwhile */
  execute(actor: Actor & Client, { domains, expiresAt, name, scope }: CreateOwnKeyCommand): Promise<NewKey> {
    return this.unitOfWork.run(async () => {
      const { partner, key: maker, chain } = await this.locks.own(actor.partnerId, actor.credential.id);
      const now = this.clock.now();
      refuseNarrowed(chain, now);
      if (chain.keys.length === MAX_CHAIN) {
        throw new AppError('too_many_keys', {
          detail: 'This key was created by a key of a key, so it cannot create keys',
        });
      }
      const domainIds = await idsOfKeyDomains(this.apiKeys, partner.id, domains);
      // A release that does not know makers would read the limits of this row.
      const { limits, keys } = chain;
      const fields = { ...limits, active: true, expiresAt, name, scope };
      const values = { ...fields, partnerRef: maker.partnerRef, domainIds, makerId: maker.id };
      const created = await this.createKey.execute(partner, now, values, [...keys]);
      const { record } = created;
      const after = shownKey(record.chain.key, record.domains);
      await this.audit.append(actor, now, aboutApiKey(record.chain.key, 'api_key.create', { after }));
      await this.room.makeFor(actor, partner.id, now);
      return created;
    });
  }
}

/** The key may have been revoked or narrowed since the request was admitted. */
function refuseNarrowed(chain: KeyChain, now: Date): void {
  chain.refuseUnusable(now);
  if (chain.scope === 'read') throw new AppError('key_read_only');
  if (chain.domainIds !== null) throw new AppError('key_limited_to_domains');
}
