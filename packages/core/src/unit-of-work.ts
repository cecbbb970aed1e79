/**
 * One transaction, READ COMMITTED. Nested runs join the outer one; a throw rolls everything back.
 *
 * Deadlocks, lock time-outs and changed rows are retried inside, with the whole work run again: `work`
 * must therefore have no effect outside the database, and no network. Lock first (partner, then domain,
 * then counters by id), then read, or a count may be older than the lock.
 */
export abstract class UnitOfWork {
  /** @throws AppError `database_unavailable` when the database cannot be reached or does not answer in time. */
  abstract run<T>(work: () => Promise<T>): Promise<T>;

  /** Calls `effect` once after the outermost commit, never after a roll-back. Its failure is swallowed: a hint, not a promise. */
  abstract afterCommit(effect: () => void): void;
}
