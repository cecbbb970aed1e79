import type { DomainName } from '../domains/domain-name.js';
import type { Verification } from './verification.js';

export abstract class VerificationRepository {
  abstract find(domainId: number): Promise<Verification | null>;
  /** Locks the row until the end of the unit of work. The domain must be locked before when both are. */
  abstract lock(domainId: number): Promise<Verification | null>;
  abstract add(verification: Verification): Promise<void>;
  abstract save(verification: Verification): Promise<void>;
  /**
   * Takes the right to ask the provider now: true for one caller only, and not when it was asked after `askedBefore`.
   * Notes `now` as the time of the check.
   */
  abstract claimCheck(domainId: number, askedBefore: Date, now: Date): Promise<boolean>;
  /** Notes that the provider confirmed the stored status of these names. @returns how many of ours have that status. */
  abstract confirm(status: 'pending' | 'verified', names: string[], at: Date): Promise<number>;
  abstract markChecked(domainIds: number[], at: Date): Promise<void>;
  /** Pending or verified domains last checked before `checkedBefore`, partners in turn, at most `limit`. */
  abstract dueForPoll(
    status: 'pending' | 'verified',
    checkedBefore: Date,
    limit: number,
  ): Promise<{ domainId: number; name: DomainName; partnerId: number; startedAt: Date | null }[]>;
}
