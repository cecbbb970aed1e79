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
   * Adds domains that are not verified for `UNVERIFIED_HOURS`, and removes what has passed from a slice of the list.
   * @returns the number of changed rows.
   */
  abstract sweep(slice: Slice, now: Date): Promise<number>;
}
