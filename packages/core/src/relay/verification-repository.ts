import type { DomainName } from '../domains/domain-name.js';
import type { Verification } from './verification.js';

export abstract class VerificationRepository {
  abstract find(domainId: number): Promise<Verification | null>;
  /** Locks the row until the end of the unit of work. The domain must be locked before when both are. */
  abstract lock(domainId: number): Promise<Verification | null>;
  abstract add(verification: Verification): Promise<void>;
  abstract save(verification: Verification): Promise<void>;
  /** Pending or verified domains last checked before `checkedBefore`, partners in turn, at most `limit`. */
  abstract dueForPoll(
    status: 'pending' | 'verified',
    checkedBefore: Date,
    limit: number,
  ): Promise<{ domainId: number; name: DomainName; partnerId: number; startedAt: Date | null }[]>;
}
