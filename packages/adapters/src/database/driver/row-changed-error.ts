/**
 * Another process changed a row after it was read. The unit of work rolls back and runs again, as after a deadlock.
 */
class RowChangedError extends Error {
  readonly code = 'ROW_CHANGED';
}

/** @throws RowChangedError when an UPDATE that checks the state of its rows affected fewer rows than were read */
export function requireUnchanged(affected: number, read: number): void {
  if (affected !== read)
    throw new RowChangedError(`${read - affected} of ${read} rows were changed by another process`);
}
