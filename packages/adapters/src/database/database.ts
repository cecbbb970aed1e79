import { AsyncLocalStorage } from 'node:async_hooks';
import type { DataSource, EntityMetadata, QueryRunner } from 'typeorm';
import { translateDatabaseError } from './database-error.js';
import { withDeadline } from './deadline.js';
import type { Dialect } from './dialect.js';
import { connectionOf, poolOf, query } from './mysql-driver.js';
import { withRetries } from './retry.js';

export type Parameter = string | number | boolean | null | Parameter[];
export type Row = Record<string, unknown>;

/** What a write did. */
export interface Written {
  affected: number;
  insertId: number;
}

export interface Transaction {
  runner: QueryRunner;
  effects: (() => void)[];
}

/** How long a point read, or the begin of a transaction, may take before the database counts as down. */
export const ANSWER_WITHIN_MS = 3_000;

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

  /** Reads rows. */
  async read<R = Row>(sql: string, parameters: Parameter[] = []): Promise<R[]> {
    const runner = this.transactions.getStore()?.runner;
    try {
      if (runner !== undefined) return (await this.send(runner, sql, parameters)) as R[];
      const rows =
        this.dialect === 'mysql' ? query(poolOf(this.reader), sql, parameters) : this.reader.query(sql, parameters);
      return (await withDeadline(rows, ANSWER_WITHIN_MS)) as R[];
    } catch (error) {
      throw translateDatabaseError(error);
    }
  }

  /** Writes. `insertId` is the first generated id of an insert. */
  async write(sql: string, parameters: Parameter[] = []): Promise<Written> {
    const runner = this.transactions.getStore()?.runner;
    try {
      if (runner !== undefined) return await this.sendWrite(runner, sql, parameters);
      return await withRetries(() => this.asWriter(() => this.writeAlone(sql, parameters)));
    } catch (error) {
      throw translateDatabaseError(error);
    }
  }

  private async writeAlone(sql: string, parameters: Parameter[]): Promise<Written> {
    const runner = this.writer.createQueryRunner();
    try {
      return await this.sendWrite(runner, sql, parameters);
    } finally {
      await runner.release();
    }
  }

  private async send(runner: QueryRunner, sql: string, parameters: Parameter[]): Promise<unknown> {
    if (this.dialect === 'sqlite') return runner.query(sql, parameters);
    return query(await connectionOf(runner), sql, parameters);
  }

  private async sendWrite(runner: QueryRunner, sql: string, parameters: Parameter[]): Promise<Written> {
    if (this.dialect === 'sqlite') {
      const { affected, raw } = await runner.query(sql, parameters, true);
      return { affected: affected ?? 0, insertId: Number(raw) };
    }
    const { affectedRows, insertId } = (await query(await connectionOf(runner), sql, parameters)) as {
      affectedRows: number;
      insertId: number;
    };
    return { affected: affectedRows, insertId };
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

/** `?, ?, ?` for an IN list. */
export function placeholders(values: readonly unknown[]): string {
  return values.map(() => '?').join(', ');
}

/** A text column that may be null. */
export function textOrNull(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}
