import { AsyncLocalStorage } from 'node:async_hooks';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Mutex } from '@mailstead/core/mutex';
import type { DataSource, EntityManager, EntityMetadata } from 'typeorm';
import { MAX_PARAMETERS } from './chunks.js';
import { refusalOf, translateDatabaseError } from './database-error.js';
import { withDeadline } from './deadline.js';
import type { Dialect } from './dialect.js';
import { entityManager } from './entity-managers.js';
import { leadsToGalera, poolOf, query, takeConnection } from './mysql-driver.js';
import { MysqlSession } from './mysql-session.js';
import { withRetries } from './retry.js';
import type { Parameter, Session, Statement, Written } from './session.js';
import { SqliteConnection, SqliteSession } from './sqlite-session.js';
import type { WrittenNodes } from './written-nodes.js';

export type { Parameter, Statement } from './session.js';
export type Row = Record<string, unknown>;

/** A write that was refused. */
export interface Refusal {
  reason: string;
}

export interface Transaction {
  session: Session;
  effects: (() => void)[];
}

/** How long a point read, or the begin of a transaction, may take before the database counts as down. */
export const ANSWER_WITHIN_MS = 3_000;

/**
 * The one door to the database. Statements of a unit of work go to its transaction, all others to the pool; on SQLite, which
 * has one writer, reads outside a unit of work have a connection of their own.
 */
export class Database {
  /** TypeORM's repositories and query builders; their statements go the way of `read` and `write`. */
  readonly manager: EntityManager;
  private readonly transactions = new AsyncLocalStorage<Transaction>();
  /** Of the one writer of SQLite. */
  private readonly writing = new Mutex();
  private sqlite: SqliteConnection | undefined;
  private refused: Refusal | null = null;

  constructor(
    readonly writer: DataSource,
    readonly reader: DataSource,
    readonly dialect: Dialect,
    /** Whether the database answers at all, asked on a connection of its own. */
    private readonly isAlive: () => Promise<boolean>,
    readonly nodes: WrittenNodes,
  ) {
    this.manager = entityManager(writer, dialect, this);
  }

  /** Why the database refused the newest write that it refused; null when none was refused since a probe was written. */
  get refusal(): Refusal | null {
    return this.refused;
  }

  /** Turns an error of the driver into one of the caller's, and remembers a refused write. */
  translated(error: unknown): unknown {
    const reason = refusalOf(error);
    if (reason !== null) this.refused = { reason };
    return translateDatabaseError(error);
  }

  /** Forgets a refused write, because one was written since; a newer refusal stays. */
  forget(refusal: Refusal | null): void {
    if (this.refused === refusal) this.refused = null;
  }

  currentTransaction(): Transaction | undefined {
    return this.transactions.getStore();
  }

  inTransaction<T>(transaction: Transaction, work: () => Promise<T>): Promise<T> {
    return this.transactions.run(transaction, work);
  }

  /**
   * Waits for its turn as the one writer of SQLite, whose connection would make a second transaction a part of the
   * first; on MySQL there is nothing to wait for. Each turn begins in a turn of the event loop of its own: SQLite answers
   * without I/O, so a job that writes chunk after chunk would otherwise let no request in until it ended.
   */
  asWriter<T>(job: () => Promise<T>): Promise<T> {
    return this.dialect.hasOneWriter ? this.writing.run(() => nextTurn().then(job)) : job();
  }

  metadata(target: object): EntityMetadata {
    return this.writer.getMetadata(target as never);
  }

  /** Reads rows. */
  async read<R = Row>(sql: string, parameters: Parameter[] = []): Promise<R[]> {
    const session = this.transactions.getStore()?.session;
    requireOne({ sql, parameters });
    try {
      if (session !== undefined) return (await session.read(sql, parameters)) as R[];
      // Another Galera node's change may abort a read outside a unit of work too.
      const rows =
        this.dialect.name === 'mysql'
          ? withRetries(() => query(poolOf(this.reader), sql, parameters))
          : this.reader.query(sql, parameters);
      return (await withDeadline(rows, ANSWER_WITHIN_MS)) as R[];
    } catch (error) {
      throw this.translated(error);
    }
  }

  /** Writes. `insertId` is the first generated id of an insert. */
  async write(sql: string, parameters: Parameter[] = []): Promise<Written> {
    const session = this.transactions.getStore()?.session;
    requireOne({ sql, parameters });
    try {
      if (session !== undefined) return await session.write(sql, parameters);
      return await withRetries(() => this.asWriter(() => this.writeAlone(sql, parameters)));
    } catch (error) {
      throw this.translated(error);
    }
  }

  /**
   * Runs statements of a unit of work in order and in one round trip: on a busy service the round trips cost more than
   * the statements. Null stands for a statement that is not needed. @returns the rows of each, none for null.
   */
  async together(statements: readonly (Statement | null)[]): Promise<Row[][]> {
    const needed = this.needed(statements);
    if (needed.length === 0) return statements.map(() => []);
    try {
      const results = (await this.session().together(needed)).values();
      return statements.map((statement) => (statement === null ? [] : (results.next().value as Row[])));
    } catch (error) {
      throw this.translated(error);
    }
  }

  /** The same with the last statements of a unit of work, and with its commit: nothing can be read or written in it after this. */
  async finish(statements: readonly (Statement | null)[]): Promise<void> {
    try {
      await this.session().finish(this.needed(statements));
    } catch (error) {
      throw this.translated(error);
    }
  }

  private needed(statements: readonly (Statement | null)[]): Statement[] {
    const needed = statements.filter((statement) => statement !== null);
    for (const statement of needed) requireOne(statement);
    return needed;
  }

  private session(): Session {
    const session = this.transactions.getStore()?.session;
    if (session === undefined) throw new Error('Statements run together inside a unit of work');
    return session;
  }

  private async writeAlone(sql: string, parameters: Parameter[]): Promise<Written> {
    const session = await this.openSession();
    try {
      return await session.write(sql, parameters);
    } finally {
      session.release();
    }
  }

  /** A connection for one transaction or one lone write. */
  async openSession(): Promise<Session> {
    if (this.dialect.name === 'mysql') return this.openMysqlSession();
    this.sqlite ??= SqliteConnection.of(this.writer);
    return new SqliteSession(this.sqlite);
  }

  private async openMysqlSession(): Promise<Session> {
    const connection = await takeConnection(this.writer);
    try {
      return new MysqlSession(connection, this.isAlive, (await leadsToGalera(connection)) ? this.nodes : null);
    } catch (error) {
      connection.destroy();
      throw error;
    }
  }

  async close(): Promise<void> {
    await this.writer.destroy();
    if (this.reader !== this.writer) await this.reader.destroy();
  }
}

/**
 * The connections take several statements at once; so that a text never smuggles in a second one, `;` is refused in each.
 * A list that may be long is cut by `chunksOf`.
 */
function requireOne({ sql, parameters }: Statement): void {
  if (sql.includes(';')) throw new Error('One statement at a time');
  if (parameters.length > MAX_PARAMETERS) {
    throw new Error(`A statement takes at most ${MAX_PARAMETERS} parameters, not ${parameters.length}`);
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
