import type { DomainName } from '../domains/domain-name.js';
import type { Verification } from './verification.js';

export interface DueVerification {
  domainId: number;
  name: DomainName;
  partnerId: number;
  startedAt: Date | null;
}

export interface AlignmentCounts {
  aligned: number;
  toAlign: number;
}

export interface WantedAlignment {
  configurationSet: string;
  /** Whether verified identities are in the tenant of their partner, where that has no problem. */
  inTenant: boolean;
}

export abstract class VerificationRepository {
  abstract find(domainId: number): Promise<Verification | null>;
  /** Locks the row until the end of the unit of work. When both are locked, the domain must be locked first. */
  abstract lock(domainId: number): Promise<Verification | null>;
  abstract add(verification: Verification): Promise<void>;
  abstract save(verification: Verification): Promise<void>;
  /**
   * Reserves the next provider call for a reader and stores `now` as its time. @returns true for one caller only;
   * false when it was reserved after `checkedBefore`.
   */
  abstract claimCheck(domainId: number, checkedBefore: Date, now: Date): Promise<boolean>;
  /**
   * Stores `at` as the time of the last check of the named domains that have this status here too and whose records
   * are stored. A list does not return records, so a domain without stored records needs a separate check, as does one
   * that was at risk.
   * @returns the number of changed domains.
   */
  abstract confirm(status: 'pending' | 'verified', names: string[], at: Date): Promise<number>;
  /**
   * Starts the verifications that did not begin although the domain inherits none: their job failed for the last time,
   * or the parent lost its verification while the domain was created. @returns the number of started verifications.
   */
  abstract startMissing(now: Date): Promise<number>;
  /** Stores `at` as the time of the last check. */
  abstract markChecked(domainIds: number[], at: Date): Promise<void>;
  /**
   * Pending or verified domains last checked before `checkedBefore`, partner by partner in rotation, at most `limit`.
   */
  abstract dueForPoll(status: 'pending' | 'verified', checkedBefore: Date, limit: number): Promise<DueVerification[]>;
  /**
   * Makes due, for `nextToAlign`, every identity that has not what is wanted, and those of a former release. Only
   * pending and verified domains have identities.
   */
  abstract planAlignment(wanted: WantedAlignment, now: Date): Promise<void>;
  /**
   * The due identity whose turn it is: of the first partner after `afterPartnerId` that has one, else of the first
   * partner.
   */
  abstract nextToAlign(afterPartnerId: number, now: Date): Promise<DueVerification | null>;
  /**
   * Stores nothing when the domain is another partner's by now, whose turn is then due.
   *
   * @param configurationSet that the identity has; undefined when it is not known, which changes only `alignAt`
   */
  abstract noteAlignment(
    aligned: Pick<DueVerification, 'domainId' | 'partnerId'>,
    alignAt: Date,
    configurationSet?: string | null,
  ): Promise<void>;
  /** The numbers of identities that have `wantedSet`, and that do not. */
  abstract countAligned(wantedSet: string): Promise<AlignmentCounts>;
}
