/** What was restored, and when. What happened between the two times is not in the database. */
export interface RestoredBackup {
  takenAt: Date;
  restoredAt: Date;
}

/** The kinds of things of which the restored rows may be older than what people did since. */
const RESTORED_KINDS = ['keys', 'passwords', 'links', 'suspensions', 'blocks', 'deleted'] as const;
export type RestoredKind = (typeof RESTORED_KINDS)[number];

/** The restored database while it waits for the operator. */
export abstract class RestoredInstallation {
  /** Null when nothing waits to be accepted. */
  abstract waiting(): Promise<RestoredBackup | null>;
  /** The restored rows of each kind. May take minutes. */
  abstract counts(now: Date): Promise<Record<RestoredKind, number>>;
  /**
   * Removes the mark. Part of the running unit of work.
   *
   * @returns false when another process has removed it
   */
  abstract open(): Promise<boolean>;
  /**
   * Adds a job for each verified domain that compares it with the relay provider. Part of the running unit of work.
   *
   * @returns the number of domains
   */
  abstract checkVerified(now: Date): Promise<number>;
}
