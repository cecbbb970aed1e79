/** A domain whose row the caller has locked. */
export interface LockedUsage {
  readonly id: number;
  /** See `Domain.usageDay`. */
  usageDay: string | null;
}

/** A domain whose stored mail is measured. */
export interface MeasuredDomain {
  readonly id: number;
  readonly name: string;
  readonly partnerId: number;
}

/** The result of closing the days of some domains. */
export interface SnapshotChunk {
  /** The id of the last domain that was looked at; null when there is none after `after`. */
  last: number | null;
  /** The domains with days that were not closed, and these days. */
  domains: number;
  days: number;
}

/**
 * Writes what domains used on ended days. Deletions and moves close the day of the domain themselves
 * (`TombstoneRepository`), so that what it used is kept for its partner.
 */
export abstract class UsageLedger {
  /**
   * Call it in a unit of work before a locked domain is changed: closes the days that have ended since its last change,
   * with the partner, the plan and the mailboxes that it had then. Reads and writes nothing when today is open already.
   */
  abstract openDay(domain: LockedUsage, now: Date): Promise<void>;
  /**
   * Closes the ended days of the next domains by id, in a transaction of its own. Several processes may run it at once,
   * and it may be repeated: a day that is closed is not written again.
   */
  abstract closeEndedDays(after: number, limit: number, now: Date): Promise<SnapshotChunk>;
  /** The next domains by id. */
  abstract domainsAfter(after: number, limit: number): Promise<MeasuredDomain[]>;
  /**
   * Writes the stored mail of domains, MB, on their rows of a day `YYYY-MM-DD` that counts for their present partner.
   */
  abstract storeStorage(day: string, storageMb: ReadonlyMap<MeasuredDomain, number>): Promise<void>;
  /** Deletes up to `limit` rows of months before `month`, `YYYY-MM`. @returns the number of deleted rows. */
  abstract deleteBefore(month: string, limit: number): Promise<number>;
  /** The oldest `YYYY-MM` that has rows of days; null when none has. */
  abstract oldestMonthOfDays(): Promise<string | null>;
  /**
   * Replaces the rows of days of the next names of a month, at most `names` of them, by the rows that the report of the
   * month has, in a transaction of its own. The month must never change again. Several processes may run it at once,
   * and it may be repeated.
   *
   * @returns the number of replaced rows; 0 when the month has no names left, or must wait for a later run
   */
  abstract sumDays(month: string, names: number, now: Date): Promise<number>;
}
