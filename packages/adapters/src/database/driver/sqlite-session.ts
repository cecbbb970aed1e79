import { setImmediate as nextTurn } from 'node:timers/promises';
import type { DataSource } from 'typeorm';
import type { GuardedLibsql, GuardedStatement } from './guarded-libsql.js';
import type { Parameter, Session, Statement, Written } from './session.js';

/** As many as the service has different texts, and some that are made for one call. */
const MAX_STATEMENTS = 500;

/** SQLite answers without I/O: after so many statements of one transaction whoever else waits for the event loop has a turn. */
const STATEMENTS_PER_TURN = 50;

/**
 * The writing connection of SQLite with its prepared statements. A statement runs synchronously: between a look at
 * `inTransaction` and the statement nothing else happens on the connection.
 */
export class SqliteConnection {
  private readonly statements = new Map<string, GuardedStatement>();

  constructor(private readonly database: GuardedLibsql) {}

  /** TypeORM's own connection; its query runner, which keeps a state of its own, is for migrations alone. */
  static of(dataSource: DataSource): SqliteConnection {
    return new SqliteConnection(
      (dataSource.driver as unknown as { databaseConnection: GuardedLibsql }).databaseConnection,
    );
  }

  /** SQLite's own word. SQLITE_FULL, SQLITE_IOERR and others end a transaction by themselves, some of the time. */
  get inTransaction(): boolean {
    return this.database.inTransaction;
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

/** The one writing connection of SQLite; who has it waited for its turn (`Database.asWriter`). */
export class SqliteSession implements Session {
  private state: 'lone' | 'open' | 'ended' = 'lone';
  private statements = 0;
  private pause: Promise<void> | null = null;
  /** Why the last statement failed. */
  private failure: unknown = new Error('The transaction has ended');

  constructor(private readonly connection: SqliteConnection) {}

  async read(sql: string, parameters: Parameter[]): Promise<unknown> {
    await this.letOthersIn();
    return this.run(() => this.connection.read(sql, parameters));
  }

  async write(sql: string, parameters: Parameter[]): Promise<Written> {
    await this.letOthersIn();
    return this.run(() => this.connection.write(sql, parameters));
  }

  async together(statements: readonly Statement[]): Promise<unknown[]> {
    await this.letOthersIn();
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

  /** The connection is the only one: who has it next rolls back what is left of this transaction. */
  discard(): void {
    this.state = 'ended';
  }

  /** Only within a transaction: no other one begins before it ends (`Database.asWriter`). */
  private async letOthersIn(): Promise<void> {
    if (this.state !== 'open') return;
    this.statements += 1;
    if (this.statements % STATEMENTS_PER_TURN === 0) {
      this.pause = nextTurn().then(() => {
        this.pause = null;
      });
    }
    // Also those that were begun together with the one that makes the pause: statements keep their order.
    if (this.pause !== null) await this.pause;
  }

  /**
   * In a transaction that SQLite has ended by itself every further statement fails as the one that ended it: alone it would
   * be committed at once.
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

  /** In a transaction that is left over the next write would be answered and never committed. */
  private endLeftover(): void {
    if (this.connection.inTransaction) this.connection.write('ROLLBACK', []);
  }
}
