/**
 * One transaction, READ COMMITTED. Nested runs join the outer one; a throw rolls everything back.
 *
 * Deadlocks, lock time-outs, changed rows and `ChangedBeforeLock` are retried inside, with the whole work run again: `work`
 * must therefore have no effect outside the database, and no network. Lock first (partner, then domain, then counters by
 * id), then read, or a count may be older than the lock.
 */
export abstract class UnitOfWork {
  /**
   * @throws AppError `database_unavailable` when the database cannot be reached, does not answer in time, or every attempt
   * met one of the above.
   */
  abstract run<T>(work: () => Promise<T>): Promise<T>;

  /** Calls `effect` once after the outermost commit, never after a rollback. Its failure is ignored. */
  abstract afterCommit(effect: () => void): void;
}

/** A row changed between the read that chose what to lock and the lock. Thrown inside `UnitOfWork.run`, which runs again. */
export class ChangedBeforeLock extends Error {
  override readonly name = 'ChangedBeforeLock';
}
