import type { QueryRunner } from 'typeorm';
import type { Parameter, Session, Statement, Written } from './session.js';

/** The one writing connection of SQLite; who has it waited for its turn (`Database.asWriter`). */
export class SqliteSession implements Session {
  constructor(private readonly runner: QueryRunner) {}

  read(sql: string, parameters: Parameter[]): Promise<unknown> {
    return this.runner.query(sql, parameters);
  }

  async write(sql: string, parameters: Parameter[]): Promise<Written> {
    const { affected, raw } = await this.runner.query(sql, parameters, true);
    return { affected: affected ?? 0, insertId: Number(raw) };
  }

  async together(statements: readonly Statement[]): Promise<unknown[]> {
    const results: unknown[] = [];
    for (const { sql, parameters } of statements) results.push(await this.read(sql, parameters));
    return results;
  }

  begin(): Promise<void> {
    return this.runner.startTransaction();
  }

  async finish(statements: readonly Statement[]): Promise<void> {
    await this.together(statements);
    await this.commit();
  }

  async commit(): Promise<void> {
    if (this.runner.isTransactionActive) await this.runner.commitTransaction();
  }

  async rollback(): Promise<void> {
    if (this.runner.isTransactionActive) await this.runner.rollbackTransaction();
  }

  release(): void {
    void this.runner.release().catch(() => undefined);
  }

  discard(): void {
    this.release();
  }
}
