import { AppError } from '@mailstead/core/errors';
import { type MysqlConnection, query } from './mysql-driver.js';
import type { Parameter, Session, Written } from './session.js';

/** Longer than the database itself waits for a lock (`innodb_lock_wait_timeout`, 50 s), so that only silence reaches it. */
const STATEMENT_WITHIN_MS = 60_000;

/** A connection of the pool. Its isolation level was set when it was made. */
export class MysqlSession implements Session {
  private readonly silence: NodeJS.Timeout;
  private giveUp: (error: AppError) => void = () => undefined;

  constructor(
    private readonly connection: MysqlConnection,
    statementWithinMs = STATEMENT_WITHIN_MS,
  ) {
    this.silence = setTimeout(() => {
      this.discard();
      this.giveUp(new AppError('database_unavailable'));
    }, statementWithinMs);
  }

  read(sql: string, parameters: Parameter[] = []): Promise<unknown> {
    this.silence.refresh();
    return new Promise((resolve, reject) => {
      this.giveUp = reject;
      query(this.connection, sql, parameters).then(resolve, reject);
    });
  }

  async write(sql: string, parameters: Parameter[]): Promise<Written> {
    const { affectedRows, insertId } = (await this.read(sql, parameters)) as { affectedRows: number; insertId: number };
    return { affected: affectedRows, insertId };
  }

  begin(): Promise<unknown> {
    return this.read('BEGIN');
  }

  commit(): Promise<unknown> {
    return this.read('COMMIT');
  }

  rollback(): Promise<unknown> {
    return this.read('ROLLBACK');
  }

  release(): void {
    clearTimeout(this.silence);
    this.connection.release();
  }

  discard(): void {
    clearTimeout(this.silence);
    this.connection.destroy();
  }
}
