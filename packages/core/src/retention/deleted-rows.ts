import type { Page } from '../page.js';

/** A home of a deleted mailbox whose mail is still stored. */
export interface DeletedHome {
  id: number;
  email: string;
  home: string;
}

/** The rows that deletions moved aside, as their time runs out. Each call is a transaction of a bounded number of rows. */
export abstract class DeletedRows {
  /**
   * Erases the password hashes and the aliases of deletions whose grace is over: none of them can be restored any more.
   * @returns how many deletions this call erased; 0 when none is left, or another process was faster.
   */
  abstract erase(now: Date): Promise<number>;
  /** Deletions whose grace is over and whose mail may still be stored, in keyset pages. */
  abstract withMail(now: Date, page: Page): Promise<{ id: number }[]>;
  abstract homes(tombstoneId: number, page: Page): Promise<DeletedHome[]>;
  abstract forgetHome(tombstoneId: number, id: number): Promise<void>;
  /** Notes that no home of the deletion is left. */
  abstract noteMailRemoved(tombstoneId: number, at: Date): Promise<void>;
  /**
   * Forgets erased deletions of that time or earlier with everything kept of them, the outbound counters too, and at any
   * time those whose mail is removed and of which no history is needed. A home that was not removed yet stays known.
   * @param withHomes forgets these homes too: nobody is there to remove them.
   * @returns how many deletions this call forgot; 0 when none is left, or another process was faster.
   */
  abstract forget(deletedUntil: Date, withHomes: boolean): Promise<number>;
}
