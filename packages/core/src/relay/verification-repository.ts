import type { DomainName } from '../domains/domain-name.js';
import type { Verification } from './verification.js';

export abstract class VerificationRepository {
  abstract find(domainId: number): Promise<Verification | null>;
  /** Locks the row until the end of the unit of work. Lock the domain first where both are locked. */
  abstract lock(domainId: number): Promise<Verification | null>;
  abstract add(verification: Verification): Promise<void>;
  abstract save(verification: Verification): Promise<void>;
  /**
   * Claims the right to ask the provider now: true for one caller only, and false when it was claimed after `askedBefore`.
   * Stores `now` as the time of the claim.
   */
  abstract claimCheck(domainId: number, askedBefore: Date, now: Date): Promise<boolean>;
  /**
   * Stores `at` as the time of the last check for the names that have this status here too, and whose records are stored:
   * a list does not return records, so a domain without them is left to a check of its own. @returns how many.
   */
  abstract confirm(status: 'pending' | 'verified', names: string[], at: Date): Promise<number>;
  /** Stores `at` as the time of the last check. */
  abstract markChecked(domainIds: number[], at: Date): Promise<void>;
  /** Pending or verified domains last checked before `checkedBefore`, partners in turn, at most `limit`. */
  abstract dueForPoll(
    status: 'pending' | 'verified',
    checkedBefore: Date,
    limit: number,
  ): Promise<{ domainId: number; name: DomainName; partnerId: number; startedAt: Date | null }[]>;
}
