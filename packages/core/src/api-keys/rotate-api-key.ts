import { AuditLog } from '../audit/audit-log.js';
import { Clock, HOUR_MS } from '../clock.js';
import { AppError } from '../errors.js';
import { needs } from '../needs.js';
import type { Actor } from '../operators/actor.js';
import { raiseRevision } from '../operators/revision.js';
import { UnitOfWork } from '../unit-of-work.js';
import { aboutApiKey } from './about-api-key.js';
import { ApiKeyRepository, type KeyHandle } from './api-key-repository.js';
import { CreateKey, type NewKey } from './create-key.js';
import { KeyLocks } from './key-locks.js';
import { KeyRoom } from './key-room.js';

/**
 * Replaces a key by a successor that can do the same. What the key has made until now is the successor's; what it makes
 * during the overlap ends with it.
 */
@needs(UnitOfWork, KeyLocks, KeyRoom, CreateKey, ApiKeyRepository, AuditLog, Clock)
export class RotateApiKey {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly locks: KeyLocks,
    private readonly room: KeyRoom,
    private readonly createKey: CreateKey,
    private readonly apiKeys: ApiKeyRepository,
    private readonly audit: AuditLog,
    private readonly clock: Clock,
  ) {}

  /**
   * @param overlapHours how long the key stays valid
   * @throws AppError api_key_not_found, api_key_ended, too_many_keys
   */
  execute(actor: Actor, handle: KeyHandle, overlapHours: number): Promise<NewKey> {
    return this.unitOfWork.run(async () => {
      const { partner, key: old, chain } = await this.locks.key(actor, handle);
      const now = this.clock.now();
      // Also when a maker has ended: making room may remove it, with all keys below.
      if (chain.keys.some((key) => !key.active || key.isEnded(now))) throw new AppError('api_key_ended');
      const successor = await this.createKey.execute(partner, now, old, chain.makers);
      const { id, tokenMask } = successor.record.chain.key;
      await this.apiKeys.handOver(old.id, id);
      const before = { expires_at: old.expiresAt };
      const overlapEnd = new Date(now.getTime() + overlapHours * HOUR_MS);
      if (old.expiresAt === null || old.expiresAt > overlapEnd) old.expiresAt = overlapEnd;
      old.successorId = id;
      raiseRevision(actor, old);
      await this.apiKeys.save(old);
      const after = { expires_at: old.expiresAt, successor: id, successor_token: tokenMask };
      await this.audit.append(actor, now, aboutApiKey(old, 'api_key.rotate', { before, after }));
      if (old.makerId !== null) await this.room.makeFor(actor, partner.id, now);
      return successor;
    });
  }
}
