import type { Page } from '../page.js';

/** A home of a deleted mailbox whose mail is still stored. */
export interface DeletedHome {
  id: number;
  email: string;
  home: string;
}

/** The rows that deletions keep for a time. Each call is one transaction over a bounded number of rows. */
export abstract class DeletedRows {
  /**
   * Erases the password hashes and the aliases of deletions whose grace has ended: they can no longer be restored.
   * @returns how many deletions this call erased; 0 when none is left, or another process was faster.
   */
  abstract erase(now: Date): Promise<number>;
  /** Deletions whose grace has ended and whose mail may still be stored, in keyset pages. */
  abstract withMail(now: Date, page: Page): Promise<{ id: number }[]>;
  abstract homes(tombstoneId: number, page: Page): Promise<DeletedHome[]>;
  abstract forgetHome(tombstoneId: number, id: number): Promise<void>;
  /** Notes that no home of the deletion remains. */
  abstract noteMailRemoved(tombstoneId: number, at: Date): Promise<void>;
  /**
   * Deletes erased deletions of that time or earlier with everything that was kept of them, also the outbound counters; and,
   * whatever their age, those whose mail is removed and whose history is not needed. A home that is still stored keeps its row.
   * @param withHomes deletes the rows of such homes too, because this installation has no mail store that could remove them.
   * @returns how many deletions this call forgot; 0 when none is left, or another process was faster.
   */
  abstract forget(deletedUntil: Date, withHomes: boolean): Promise<number>;
}
