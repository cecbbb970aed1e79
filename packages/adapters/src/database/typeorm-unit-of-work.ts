import { UnitOfWork } from '@mailstead/core/unit-of-work';
import type { QueryRunner } from 'typeorm';
import { ANSWER_WITHIN_MS, type Database, type Transaction } from './database.js';
import { isRetriedError, translateDatabaseError } from './database-error.js';
import { withDeadline } from './deadline.js';

const MAX_ATTEMPTS = 8;

export class TypeormUnitOfWork extends UnitOfWork {
  /** The end of the queue of writers on SQLite, where a second transaction would become a savepoint of the first. */
  private lastWriter: Promise<unknown> = Promise.resolve();

  constructor(private readonly database: Database) {
    super();
  }

  override async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.database.currentTransaction() !== undefined) return work();
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await (this.database.dialect === 'sqlite' ? this.inTurn(() => this.once(work)) : this.once(work));
      } catch (error) {
        if (!isRetriedError(error) || attempt === MAX_ATTEMPTS) throw translateDatabaseError(error);
        await jitter(attempt);
      }
    }
  }

  override afterCommit(effect: () => void): void {
    const transaction = this.database.currentTransaction();
    if (transaction === undefined) effect();
    else transaction.effects.push(effect);
  }

  private inTurn<T>(job: () => Promise<T>): Promise<T> {
    const turn = this.lastWriter.then(job);
    this.lastWriter = turn.catch(() => undefined);
    return turn;
  }

  private async once<T>(work: () => Promise<T>): Promise<T> {
    const runner = this.database.writer.createQueryRunner();
    const transaction: Transaction = { runner, effects: [] };
    let result: T;
    try {
      await withDeadline(this.begin(runner), ANSWER_WITHIN_MS);
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

  private begin(runner: QueryRunner): Promise<void> {
    return this.database.dialect === 'mysql' ? runner.startTransaction('READ COMMITTED') : runner.startTransaction();
  }
}

function jitter(attempt: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, Math.random() * 10 * 2 ** attempt));
}
