import type { Slice } from '../counts/row-counts.js';
import type { LimitMark, StoredReason } from './attention.js';

/**
 * The domains that need attention. `DomainRepository.save` writes whether a domain is suspended or blocked;
 * verifications and limits are written here.
 */
export abstract class AttentionList {
  /** The stored reasons of each of these domains at present, in the order of `ATTENTION_REASONS`. */
  abstract ofDomains(domainIds: readonly number[], now: Date): Promise<Map<number, StoredReason[]>>;
  /** Writes limits that were reached, in the unit of work of the caller. */
  abstract addLimits(marks: readonly LimitMark[]): Promise<void>;
  /** Writes which limits are reached in the present period, after the limits of the domain were changed. */
  abstract setLimits(domainId: number, reasons: readonly StoredReason[], now: Date): Promise<void>;
  /**
   * Writes that mail of a domain has waited for long, in the unit of work of the caller; it holds until no suspension
   * stops its mail.
   *
   * @returns false when it was written before
   */
  abstract addWaiting(domainId: number): Promise<boolean>;
  /**
   * Writes that mail of a domain met too many addresses that are suppressed since, in the unit of work of the caller.
   *
   * @param day on which it holds, `YYYY-MM-DD`
   * @returns false when it was written before, for this day or a later one
   */
  abstract addHighSuppressions(domainId: number, day: string): Promise<boolean>;
  /**
   * Adds domains that are not verified for `UNVERIFIED_HOURS`, and removes what has passed from a slice of the list.
   * @returns the number of changed rows.
   */
  abstract sweep(slice: Slice, now: Date): Promise<number>;
}
