import { UnitOfWork } from '@mailstead/core/unit-of-work';
import { ANSWER_WITHIN_MS, type Database, type Transaction } from './database.js';
import { translateDatabaseError } from './database-error.js';
import { withDeadline } from './deadline.js';
import { withRetries } from './retry.js';

export class TypeormUnitOfWork extends UnitOfWork {
  constructor(private readonly database: Database) {
    super();
  }

  override async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.database.currentTransaction() !== undefined) return work();
    try {
      return await withRetries(() => this.database.asWriter(() => this.once(work)));
    } catch (error) {
      throw translateDatabaseError(error);
    }
  }

  override afterCommit(effect: () => void): void {
    const transaction = this.database.currentTransaction();
    if (transaction === undefined) effect();
    else transaction.effects.push(effect);
  }

  private async once<T>(work: () => Promise<T>): Promise<T> {
    const runner = this.database.writer.createQueryRunner();
    const transaction: Transaction = { runner, effects: [] };
    let result: T;
    try {
      // READ COMMITTED, which every connection was set to; SQLite has one writer.
      await withDeadline(runner.startTransaction(), ANSWER_WITHIN_MS);
      result = await this.database.inTransaction(transaction, work);
      await runner.commitTransaction();
    } catch (error) {
      if (runner.isTransactionActive) await runner.rollbackTransaction().catch(() => undefined);
      throw error;
    } finally {
      void runner.release().catch(() => undefined);
    }
    for (const effect of transaction.effects) effect();
    return result;
  }
}
