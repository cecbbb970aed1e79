/**
 * One transaction, READ COMMITTED. A nested run joins the outer one; an exception rolls everything back.
 *
 * After a deadlock, a lock time-out, a changed row or `ChangedBeforeLock`, the whole `work` runs again. It must
 * therefore have no effect outside the database and use no network. Lock first (partner, then domain, then counters by
 * id), then read: a count that was read before its lock may be out of date.
 */
export abstract class UnitOfWork {
  /**
   * @throws AppError `database_unavailable` when the database cannot be reached or does not respond in time; `busy`
   * when every attempt failed for one of these reasons, or when the work waited too long for its turn.
   */
  abstract run<T>(work: () => Promise<T>): Promise<T>;

  /** Calls `effect` once after the outermost commit, never after a rollback. An error of `effect` is ignored. */
  abstract afterCommit(effect: () => void): void;
}

/**
 * A row changed between the read that determined what to lock and the lock. Thrown inside `UnitOfWork.run`, which then
 * runs again.
 */
export class ChangedBeforeLock extends Error {
  override readonly name = 'ChangedBeforeLock';
}
