import type { Page } from '../page.js';

/** The home of a deleted mailbox whose mail is still stored. */
export interface DeletedHome {
  id: number;
  email: string;
  home: string;
}

/** The rows that deletions keep for a limited time. Each call is one transaction over a bounded number of rows. */
export abstract class DeletedRows {
  /**
   * Erases the password hashes and the aliases of deletions whose grace has ended. They are closed before: a
   * restoration locks the deletion too, so it ends before, or finds it closed.
   * @returns the number of deletions that this call erased; 0 when there are no more, or another process erased them.
   */
  abstract erase(now: Date): Promise<number>;
  /** Erases one deletion, whatever its grace is. It must be closed, so that it is not restored meanwhile. */
  abstract eraseOne(tombstoneId: number, now: Date): Promise<void>;
  /** Erased deletions whose grace has ended and whose mail may still be stored, in keyset pages. */
  abstract withMail(now: Date, page: Page): Promise<{ id: number }[]>;
  abstract homes(tombstoneId: number, page: Page): Promise<DeletedHome[]>;
  abstract forgetHome(tombstoneId: number, id: number): Promise<void>;
  /** Stores that the deletion has no home left. */
  abstract noteMailRemoved(tombstoneId: number, at: Date): Promise<void>;
  /**
   * Deletes the rows of erased deletions up to `deletedUntil`, with the outbound counters, and of younger deletions
   * whose mail is removed and whose history is not needed. A home whose mail is still stored keeps its row.
   * @param withHomes also deletes the rows of such homes, because this installation has no mail store that could remove
   * the mail.
   * @returns the number of deletions that this call deleted; 0 when there are no more, or another process deleted them.
   */
  abstract forget(deletedUntil: Date, withHomes: boolean): Promise<number>;
}
