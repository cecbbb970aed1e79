/** The retention that the purge last applied to a domain, and a lower one that it holds back. */
export interface PurgeMark {
  domainId: number;
  /** The days that the last finished purge of the domain applied; 0: it kept all mail. */
  purgedDays: number;
  /** The lower days that wait for the release of the brake; null when none wait. */
  heldDays: number | null;
}

/** Stores the marks of the purge. A domain without a mark has `purgedDays` 0 and `heldDays` null. */
export abstract class PurgeMarks {
  /** @returns the stored marks of these domains, by domain id. */
  abstract ofDomains(domainIds: readonly number[]): Promise<Map<number, PurgeMark>>;
  /** Stores marks in one statement; the mark of a domain that was deleted meanwhile is not stored. */
  abstract save(marks: readonly PurgeMark[]): Promise<void>;
  /** Deletes the marks of the domains whose retention is not limited any more. */
  abstract forgetUnlimited(): Promise<void>;
  /** The number of domains whose lowered retention waits for the release. */
  abstract held(): Promise<number>;
  /**
   * Makes the held values the last applied ones, so that the next purge applies them. @returns the number of domains.
   */
  abstract release(): Promise<number>;
}
