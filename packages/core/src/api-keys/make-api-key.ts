import type { AuditLog } from '../audit/audit-log.js';
import type { Clock } from '../clock.js';
import type { DomainName } from '../domains/domain-name.js';
import { AppError } from '../errors.js';
import type { Actor } from '../operators/actor.js';
import type { Client } from '../operators/caller.js';
import type { UnitOfWork } from '../unit-of-work.js';
import { aboutApiKey, shownKey } from './about-api-key.js';
import type { ApiKey } from './api-key.js';
import type { ApiKeyRepository } from './api-key-repository.js';
import type { CreateKey, NewKey } from './issue-key.js';
import { type KeyChain, MAX_CHAIN } from './key-chain.js';
import { idsOfKeyDomains } from './key-domains.js';
import type { KeyLocks } from './key-locks.js';
import type { KeyRoom } from './key-room.js';

export interface CreateOwnKeyCommand extends Pick<ApiKey, 'name' | 'scope' | 'expiresAt'> {
  /** Null: all domains of the partner. */
  domains: readonly DomainName[] | null;
}

/** Creates a key with the key of a client. It can do at most what its maker can, as long as its maker can. */
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
  execute(actor: Actor & Client, { domains, ...fields }: CreateOwnKeyCommand): Promise<NewKey> {
    return this.unitOfWork.run(async () => {
      const { partner, key: maker, chain } = await this.locks.own(actor.partnerId, actor.credential.id);
      const now = this.clock.now();
      refuseNarrowed(chain, now);
      if (chain.keys.length === MAX_CHAIN) {
        throw new AppError('too_many_keys', { detail: 'A key that was made by a key of a key makes no keys' });
      }
      const domainIds = await idsOfKeyDomains(this.apiKeys, partner.id, domains);
      // A release that does not know makers would read the limits of this row.
      const { limits, keys } = chain;
      const values = { ...limits, ...fields, partnerRef: maker.partnerRef, active: true, domainIds, makerId: maker.id };
      const made = await this.createKey.execute(partner, now, values, [...keys]);
      const { record } = made;
      const after = shownKey(record.chain.key, record.domains);
      await this.audit.append(actor, now, aboutApiKey(record.chain.key, 'api_key.create', { after }));
      await this.room.makeFor(actor, partner.id, now);
      return made;
    });
  }
}

/** The key may have been revoked or narrowed since the request was admitted. */
function refuseNarrowed(chain: KeyChain, now: Date): void {
  chain.refuseUnusable(now);
  if (chain.scope === 'read') throw new AppError('key_read_only');
  if (chain.domainIds !== null) throw new AppError('key_limited_to_domains');
}
