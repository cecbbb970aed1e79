import { AsyncLocalStorage } from 'node:async_hooks';
import type { DataSource, EntityMetadata, QueryRunner } from 'typeorm';
import type { QueryResult } from 'typeorm/query-runner/QueryResult.js';
import { translateDatabaseError } from './database-error.js';
import { withDeadline } from './deadline.js';
import type { Dialect } from './dialect.js';
import { withRetries } from './retry.js';

export type Parameter = string | number | boolean | null | Parameter[];
export type Row = Record<string, unknown>;

export interface Transaction {
  runner: QueryRunner;
  effects: (() => void)[];
}

/** How long a point read, or the begin of a transaction, may take before the database counts as down. */
export const ANSWER_WITHIN_MS = 4_000;

/**
 * The one door to the database. Statements of a unit of work go to its transaction, all others to the pool; on SQLite, which
 * has one writer, reads outside a unit of work have a connection of their own.
 */
export class Database {
  private readonly transactions = new AsyncLocalStorage<Transaction>();
  /** The end of the queue of writers on SQLite. */
  private lastWriter: Promise<unknown> = Promise.resolve();

  constructor(
    readonly writer: DataSource,
    readonly reader: DataSource,
    readonly dialect: Dialect,
  ) {}

  currentTransaction(): Transaction | undefined {
    return this.transactions.getStore();
  }

  inTransaction<T>(transaction: Transaction, work: () => Promise<T>): Promise<T> {
    return this.transactions.run(transaction, work);
  }

  /**
   * Waits for its turn as the one writer of SQLite, whose connection would make a second transaction a part of the
   * first; on MySQL there is nothing to wait for.
   */
  asWriter<T>(job: () => Promise<T>): Promise<T> {
    if (this.dialect === 'mysql') return job();
    const turn = this.lastWriter.then(job);
    this.lastWriter = turn.catch(() => undefined);
    return turn;
  }

  metadata(target: object): EntityMetadata {
    return this.writer.getMetadata(target as never);
  }

  /** Reads rows. On MySQL an array parameter becomes a list; use `list` for both. */
  async read<R = Row>(sql: string, parameters: Parameter[] = []): Promise<R[]> {
    const runner = this.transactions.getStore()?.runner;
    try {
      if (runner !== undefined) return (await runner.query(sql, parameters)) as R[];
      return await withDeadline(this.reader.query(sql, parameters), ANSWER_WITHIN_MS);
    } catch (error) {
      throw translateDatabaseError(error);
    }
  }

  /** Writes. `insertId` is the first generated id of an insert. */
  async write(sql: string, parameters: Parameter[] = []): Promise<{ affected: number; insertId: number }> {
    const runner = this.transactions.getStore()?.runner;
    try {
      if (runner !== undefined) return written(await runner.query(sql, parameters, true));
      return await withRetries(() => this.asWriter(() => this.writeAlone(sql, parameters)));
    } catch (error) {
      throw translateDatabaseError(error);
    }
  }

  private async writeAlone(sql: string, parameters: Parameter[]): Promise<{ affected: number; insertId: number }> {
    const runner = this.writer.createQueryRunner();
    try {
      return written(await runner.query(sql, parameters, true));
    } finally {
      await runner.release();
    }
  }

  /** The clause that locks the read rows: SQLite's transactions lock everything from their begin. */
  get forUpdate(): string {
    return this.dialect === 'mysql' ? ' FOR UPDATE' : '';
  }

  async close(): Promise<void> {
    await this.writer.destroy();
    if (this.reader !== this.writer) await this.reader.destroy();
  }
}

function written(result: QueryResult): { affected: number; insertId: number } {
  const raw: unknown = result.raw;
  const insertId = typeof raw === 'object' && raw !== null && 'insertId' in raw ? raw.insertId : raw;
  return { affected: result.affected ?? 0, insertId: Number(insertId) };
}

/** `?, ?, ?` for an IN list. */
export function placeholders(values: readonly unknown[]): string {
  return values.map(() => '?').join(', ');
}

/** A text column that may be null. */
export function textOrNull(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}
