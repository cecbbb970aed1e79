import { AppError } from '../errors.js';
import { needs } from '../needs.js';

/**
 * Closed while the database was restored from a backup and the operator has not accepted that yet. Until then nothing
 * that the service does reaches another system, and only operators are answered (decision 0032). Each process sets it
 * from the row in the database.
 */
@needs()
export class RestoreGate {
  private closed = false;
  private readonly listeners: (() => void)[] = [];

  get isClosed(): boolean {
    return this.closed;
  }

  /** Calls `listener` whenever the gate was closed and opens. */
  onOpened(listener: () => void): void {
    this.listeners.push(listener);
  }

  set(isClosed: boolean): void {
    const opens = this.closed && !isClosed;
    this.closed = isClosed;
    if (opens) for (const listener of this.listeners) listener();
  }

  /** @throws AppError restore_not_accepted while it is closed */
  refuse(): void {
    if (this.closed) throw new AppError('restore_not_accepted');
  }
}
