import { deadline } from '@mailstead/core/deadlines';
import { AppError } from '@mailstead/core/errors';
import { needs } from '@mailstead/core/needs';
import { UnitOfWork } from '@mailstead/core/unit-of-work';
import { Database, takeLast } from './database.js';
import { withDeadline } from './deadline.js';
import { withRetries } from './retry.js';
import type { Session } from './session.js';

@needs(Database)
export class SqlUnitOfWork extends UnitOfWork {
  constructor(private readonly database: Database) {
    super();
  }

  override async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.database.currentTransaction() !== undefined) return work();
    try {
      return await this.database.turns.run(() => withRetries(() => this.once(work)));
    } catch (error) {
      throw this.database.translated(error);
    }
  }

  override afterCommit(effect: () => void): void {
    const transaction = this.database.currentTransaction();
    if (transaction === undefined) effect();
    else transaction.effects.push(effect);
  }

  private async once<T>(work: () => Promise<T>): Promise<T> {
    const session = await this.begin();
    const transaction = this.database.transactionOf(session);
    let result: T;
    try {
      result = await this.database.inTransaction(transaction, work);
      const last = takeLast(transaction);
      await (last.length === 0 ? session.commit() : session.finish(last));
    } catch (error) {
      // After a failed rollback the state of the connection is unknown.
      await session.rollback().then(
        () => session.release(),
        () => session.discard(),
      );
      throw error;
    }
    session.release();
    // Effects such as the start of jobs go on after the request.
    this.database.turns.of(null, () => {
      for (const effect of transaction.effects) effect();
    });
    return result;
  }

  /**
   * Begins with READ COMMITTED, which is set on every MySQL connection. On SQLite only one transaction runs at a time.
   */
  private async begin(): Promise<Session> {
    const opening = this.database.openSession();
    const begun = opening.then(async (session) => {
      await session.begin();
      return session;
    });
    try {
      return await withDeadline(begun, deadline('databaseRead'));
    } catch (error) {
      opening.then((session) => session.discard()).catch(() => undefined);
      // No connection became free in time. A refused one has a cause.
      const isLate = error instanceof AppError && error.cause === undefined;
      if (isLate && (await this.database.isAlive())) throw new AppError('busy', { cause: error });
      throw error;
    }
  }
}
