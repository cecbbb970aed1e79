import { setImmediate as nextTurn } from 'node:timers/promises';
import type { DataSource } from 'typeorm';
import type { GuardedLibsql, GuardedStatement } from './guarded-libsql.js';
import type { Parameter, Session, Statement, Written } from './session.js';

/** The most cached prepared statements: enough for all fixed SQL texts of the service, and some that vary. */
const MAX_STATEMENTS = 500;

/** After this many statements of a transaction, other work of the event loop runs: SQLite returns without I/O. */
const STATEMENTS_PER_TURN = 50;

/**
 * The writing connection of SQLite, with its prepared statements. Statements run synchronously, so `inTransaction`
 * cannot change between its check and a statement.
 */
export class SqliteConnection {
  private readonly statements = new Map<string, GuardedStatement>();

  constructor(private readonly database: GuardedLibsql) {}

  /** Uses TypeORM's connection. TypeORM's query runner has its own transaction state, so only migrations may use it. */
  static of(dataSource: DataSource): SqliteConnection {
    return new SqliteConnection(
      (dataSource.driver as unknown as { databaseConnection: GuardedLibsql }).databaseConnection,
    );
  }

  /** The transaction state of SQLite itself: SQLITE_FULL, SQLITE_IOERR and other errors sometimes end a transaction. */
  get inTransaction(): boolean {
    // The driver aborts the process when a closed connection is asked.
    return this.database.open && this.database.inTransaction;
  }

  read(sql: string, parameters: Parameter[]): unknown {
    const statement = this.prepared(sql);
    return statement.reader ? statement.all(...parameters) : statement.run(...parameters).lastInsertRowid;
  }

  write(sql: string, parameters: Parameter[]): Written {
    const statement = this.prepared(sql);
    if (statement.reader) return { affected: statement.all(...parameters).length, insertId: 0 };
    const { changes, lastInsertRowid } = statement.run(...parameters);
    return { affected: changes, insertId: lastInsertRowid };
  }

  private prepared(sql: string): GuardedStatement {
    const known = this.statements.get(sql);
    if (known !== undefined) return known;
    const statement = this.database.prepare(sql);
    const oldest = this.statements.keys().next();
    if (this.statements.size >= MAX_STATEMENTS && oldest.done === false) this.statements.delete(oldest.value);
    this.statements.set(sql, statement);
    return statement;
  }
}

/** A session on the writing connection of SQLite. Only one is open at a time (`WriterTurns`). */
export class SqliteSession implements Session {
  private state: 'lone' | 'open' | 'ended' = 'lone';
  private statements = 0;
  private pause: Promise<void> | null = null;
  /** The error of the last failed statement. */
  private failure: unknown = new Error('The transaction has ended');

  constructor(private readonly connection: SqliteConnection) {}

  async read(sql: string, parameters: Parameter[]): Promise<unknown> {
    await this.yieldToOthers();
    return this.run(() => this.connection.read(sql, parameters));
  }

  async write(sql: string, parameters: Parameter[]): Promise<Written> {
    await this.yieldToOthers();
    return this.run(() => this.connection.write(sql, parameters));
  }

  async together(statements: readonly Statement[]): Promise<unknown[]> {
    await this.yieldToOthers();
    return statements.map(({ sql, parameters }) => this.run(() => this.connection.read(sql, parameters)));
  }

  async begin(): Promise<void> {
    this.endLeftover();
    this.connection.write('BEGIN IMMEDIATE', []);
    this.state = 'open';
  }

  async finish(statements: readonly Statement[]): Promise<void> {
    await this.together(statements);
    await this.commit();
  }

  async commit(): Promise<void> {
    if (this.state !== 'open') return;
    this.run(() => this.connection.write('COMMIT', []));
    this.state = 'ended';
  }

  async rollback(): Promise<void> {
    this.state = 'ended';
    this.endLeftover();
  }

  release(): void {}

  /** Does not close the connection, because it is the only one. The next session rolls back an open transaction. */
  discard(): void {
    this.state = 'ended';
  }

  /**
   * Lets other work of the event loop run, only in a transaction: no other one can begin meanwhile
   * (`WriterTurns`).
   */
  private async yieldToOthers(): Promise<void> {
    if (this.state !== 'open') return;
    this.statements += 1;
    if (this.statements % STATEMENTS_PER_TURN === 0) {
      this.pause = nextTurn().then(() => {
        this.pause = null;
      });
    }
    // Statements that started together with the pausing one wait too, so that all run in order.
    if (this.pause !== null) await this.pause;
  }

  /**
   * When an error has made SQLite end the transaction, every further statement throws the same error. Outside the
   * transaction it would be committed at once.
   */
  private run<T>(statement: () => T): T {
    if (this.state === 'ended') throw new Error('The unit of work has ended');
    if (this.state === 'lone') this.endLeftover();
    else if (!this.connection.inTransaction) throw this.failure;
    try {
      return statement();
    } catch (error) {
      this.failure = error;
      throw error;
    }
  }

  /** Rolls back a transaction of a former session. In it, the next write would succeed but never be committed. */
  private endLeftover(): void {
    if (this.connection.inTransaction) this.connection.write('ROLLBACK', []);
  }
}
