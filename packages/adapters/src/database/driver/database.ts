import { AsyncLocalStorage } from 'node:async_hooks';
import { deadline } from '@mailstead/core/deadlines';
import type { DataSource, EntityManager, EntityMetadata } from 'typeorm';
import type { Derived } from '../derived/derived.js';
import { type DerivedRows, keysOf } from '../derived/derived-rows.js';
import type { StaleRows } from '../derived/stale-rows.js';
import { MAX_PARAMETERS } from './chunks.js';
import { refusalOf, translateDatabaseError } from './database-error.js';
import { withDeadline } from './deadline.js';
import type { Dialect } from './dialect.js';
import { entityManager } from './entity-managers.js';
import { isGaleraNode, poolSizeOf, takeConnection } from './mysql-driver.js';
import { MysqlReads } from './mysql-reads.js';
import { MysqlSession } from './mysql-session.js';
import { type Reader, refuseGone, THE_SERVICE } from './reader.js';
import { withRetries } from './retry.js';
import type { Parameter, Session, Statement, Written } from './session.js';
import { SqliteConnection, SqliteSession } from './sqlite-session.js';
import { WriterTurns } from './writer-turns.js';
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
  /** The rows that this transaction has locked, by their entities: the values that `Table.save` compares. */
  locked: WeakMap<object, readonly Parameter[]>;
  stale: StaleRows;
  /** Each creates statements that run after all others, in the round trip of the COMMIT. */
  beforeCommit: (() => Statement[])[];
}

/**
 * Runs all statements of the service. A statement inside a unit of work runs in its transaction, every other statement
 * on a connection of the pool. SQLite has one writing connection, and a second one for reads outside a unit of work.
 */
export class Database {
  /** TypeORM's repositories and query builders. Their statements run through `read` and `write`. */
  readonly manager: EntityManager;
  private readonly transactions = new AsyncLocalStorage<Transaction>();
  private readonly readers = new AsyncLocalStorage<Reader>();
  private readonly mysqlReads: MysqlReads | null;
  readonly turns: WriterTurns;
  private sqlite: SqliteConnection | undefined;
  private refused: Refusal | null = null;

  constructor(
    readonly writer: DataSource,
    readonly reader: DataSource,
    readonly dialect: Dialect,
    /** Checks on a new connection whether the database responds. */
    readonly isAlive: () => Promise<boolean>,
    readonly nodes: WrittenNodes,
    readonly derived: DerivedRows,
  ) {
    this.manager = entityManager(writer, dialect, this);
    this.mysqlReads = dialect.name === 'mysql' ? new MysqlReads(reader, deadline('databaseRead')) : null;
    this.turns = new WriterTurns(dialect.hasOneWriter ? null : poolSizeOf(writer));
  }

  /** The reason of the last refused write; null when no write was refused since the last successful probe. */
  get refusal(): Refusal | null {
    return this.refused;
  }

  /** Translates an error of the driver with `translateDatabaseError`, and stores a refused write in `refusal`. */
  translated(error: unknown): unknown {
    const reason = refusalOf(error);
    if (reason !== null) this.refused = { reason };
    return translateDatabaseError(error);
  }

  /** Clears `refusal` after a successful write, unless a newer refusal was stored meanwhile. */
  forget(refusal: Refusal | null): void {
    if (this.refused === refusal) this.refused = null;
  }

  currentTransaction(): Transaction | undefined {
    return this.transactions.getStore();
  }

  /** Runs the work of a request that only reads. Statements that a `Batcher` shares belong to no reader. */
  readFor<T>(reader: Reader, work: () => Promise<T>): Promise<T> {
    return this.readers.run(reader, work);
  }

  private get caller(): Reader {
    return this.readers.getStore() ?? THE_SERVICE;
  }

  transactionOf(session: Session): Transaction {
    return { session, effects: [], locked: new WeakMap(), stale: this.derived.noneStale(), beforeCommit: [] };
  }

  inTransaction<T>(transaction: Transaction, work: () => Promise<T>): Promise<T> {
    return this.transactions.run(transaction, work);
  }

  metadata(target: object): EntityMetadata {
    return this.writer.getMetadata(target as never);
  }

  async read<R = Row>(sql: string, parameters: Parameter[] = []): Promise<R[]> {
    const session = this.transactions.getStore()?.session;
    requireOne({ sql, parameters });
    try {
      if (session !== undefined) return (await session.read(sql, parameters)) as R[];
      if (this.mysqlReads !== null) return (await this.mysqlReads.run(this.caller, [{ sql, parameters }]))[0] as R[];
      refuseGone(this.caller);
      return (await withDeadline(this.reader.query(sql, parameters), deadline('databaseRead'))) as R[];
    } catch (error) {
      throw this.translated(error);
    }
  }

  /**
   * @param keys those of the written rows, when derived rows depend on these and the text does not tell the keys.
   * None when no derived row changes.
   */
  async write(sql: string, parameters: Parameter[] = [], keys: readonly number[] | null = null): Promise<Written> {
    const transaction = this.transactions.getStore();
    const statement = { sql, parameters };
    requireOne(statement);
    try {
      if (transaction !== undefined) return await this.writeIn(transaction, statement, keys);
      return await this.turns.run(() => withRetries(() => this.writeAlone(statement, keys)));
    } catch (error) {
      throw this.translated(error);
    }
  }

  /** Notes what the statement makes stale. */
  private async writeIn(
    { session, stale }: Pick<Transaction, 'session' | 'stale'>,
    statement: Statement,
    keys: readonly number[] | null,
  ): Promise<Written> {
    const change = this.derived.changeOf(statement.sql);
    // Before the statement runs, so that one without known keys does not.
    if (change !== null) keysOf(change, statement, 0, keys);
    const written = await session.write(statement.sql, statement.parameters);
    if (change !== null) stale.add(change, keysOf(change, statement, written.insertId, keys));
    return written;
  }

  /**
   * Runs statements of a unit of work in order and in one round trip. Under load the round trips cost more than the
   * statements.
   *
   * @param statements null for a statement that is not needed
   * @returns the rows of each statement; no rows for null
   */
  together(statements: readonly (Statement | null)[]): Promise<Row[][]> {
    return this.eachOf(statements, async (needed) => this.noting(needed).session.together(needed));
  }

  /**
   * Like `together`, for statements that only read and do not lock; also outside a unit of work. There it saves the
   * BEGIN and the COMMIT. As in a unit of work with READ COMMITTED, each statement reads what is committed when it
   * runs.
   */
  readTogether(statements: readonly (Statement | null)[]): Promise<Row[][]> {
    const session = this.transactions.getStore()?.session;
    return this.eachOf(statements, (needed) =>
      session === undefined ? this.readAlone(needed) : session.together(needed),
    );
  }

  private async eachOf(
    statements: readonly (Statement | null)[],
    run: (needed: Statement[]) => Promise<unknown[]>,
  ): Promise<Row[][]> {
    const needed = this.needed(statements);
    if (needed.length === 0) return statements.map(() => []);
    try {
      const results = (await run(needed)).values();
      return statements.map((statement) => (statement === null ? [] : (results.next().value as Row[])));
    } catch (error) {
      throw this.translated(error);
    }
  }

  /**
   * One text, also on a Galera node: outside a transaction an abort loses no earlier statement, and the rest of the
   * text does not run. SQLite runs the statements in one turn of the event loop, with the prepared statements of the
   * writing connection.
   */
  private readAlone(statements: Statement[]): Promise<unknown[]> {
    if (this.mysqlReads !== null) return this.mysqlReads.run(this.caller, statements);
    return this.turns.run(async () => {
      const session = await this.openSession();
      try {
        return await session.together(statements);
      } finally {
        session.release();
      }
    });
  }

  /**
   * Runs the last statements of a unit of work like `together`, and commits. Later statements in the unit of work
   * throw.
   */
  async finish(statements: readonly (Statement | null)[]): Promise<void> {
    try {
      const needed = this.needed(statements);
      const transaction = this.noting(needed);
      await transaction.session.finish([...needed, ...takeLast(transaction)]);
    } catch (error) {
      throw this.translated(error);
    }
  }

  private needed(statements: readonly (Statement | null)[]): Statement[] {
    const needed = statements.filter((statement) => statement !== null);
    for (const statement of needed) requireOne(statement);
    return needed;
  }

  /** Notes what statements that run together make stale. @returns the transaction */
  private noting(statements: readonly Statement[]): Transaction {
    const transaction = this.transactions.getStore();
    if (transaction === undefined) throw new Error('Statements can only run together inside a unit of work');
    for (const statement of statements) {
      const change = this.derived.changeOf(statement.sql);
      if (change !== null) transaction.stale.add(change, keysOf(change, statement, null, null));
    }
    return transaction;
  }

  /** In a transaction when derived rows depend on what is written. */
  private async writeAlone(statement: Statement, keys: readonly number[] | null): Promise<Written> {
    const session = await this.openSession();
    const stale = this.derived.noneStale();
    try {
      if (this.derived.changeOf(statement.sql) === null)
        return await session.write(statement.sql, statement.parameters);
      await session.begin();
      const written = await this.writeIn({ session, stale }, statement, keys);
      await session.finish(stale.take());
      return written;
    } finally {
      // Nothing after `finish`.
      await session.rollback().then(
        () => session.release(),
        () => session.discard(),
      );
    }
  }

  /** Computes derived rows again, with the last statements of the unit of work. */
  refresh(derived: Derived, ids: readonly number[]): void {
    this.transactions.getStore()?.stale.addWrong(derived, ids);
  }

  /** Opens a session for one transaction, or for one write outside a transaction. */
  async openSession(): Promise<Session> {
    if (this.dialect.name === 'mysql') return this.openMysqlSession();
    this.sqlite ??= SqliteConnection.of(this.writer);
    return new SqliteSession(this.sqlite);
  }

  private async openMysqlSession(): Promise<Session> {
    const connection = await takeConnection(this.writer);
    return new MysqlSession(connection, isGaleraNode(connection) ? this.nodes : null);
  }

  async close(): Promise<void> {
    await this.writer.destroy();
    if (this.reader !== this.writer) await this.reader.destroy();
    // Node keeps a store in use for ever, and with it what it can reach.
    this.transactions.disable();
    this.readers.disable();
    this.turns.close();
  }
}

/** @returns the statements that must run before the COMMIT, once */
export function takeLast({ stale, beforeCommit }: Transaction): Statement[] {
  // The derived rows are first, because they lock domains; the days of partners are locked last.
  return [...stale.take(), ...beforeCommit.splice(0).flatMap((create) => create())];
}

/**
 * The connections accept several statements in one text. A `;` is refused, so that no input can add a second statement.
 * Long lists must be split with `chunksOf`.
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

/** Reads a nullable text column. */
export function textOrNull(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}
