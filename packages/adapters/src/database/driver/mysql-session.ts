import { isLostConnection, LostBeforeCommit } from './database-error.js';
import { giveBack, giveUp, type MysqlConnection, query } from './mysql-driver.js';
import type { Parameter, Session, Statement, Written } from './session.js';
import type { GaleraNodeName, WrittenNodes } from './written-nodes.js';

/** After this silence the server may have ended a transaction (`idle_transaction_timeout`). */
const MAY_BE_ENDED_MS = 500;

/**
 * Begins a transaction and reads the name of its node. The SELECT takes no lock, so that no other node can abort it.
 */
const BEGIN_ON_NODE = "BEGIN; SELECT @@wsrep_node_name AS name, COALESCE(@@wsrep_node_address, '') AS address";

/** A session on a connection of the pool. It was prepared when the connection was opened. */
export class MysqlSession implements Session {
  private state: 'idle' | 'begun' | 'open' | 'ended' = 'idle';
  private isCommitting = false;
  private answeredAt = performance.now();

  /** @param nodes null when the server is not a Galera node */
  constructor(
    private readonly connection: MysqlConnection,
    private readonly nodes: WrittenNodes | null,
  ) {}

  async read(sql: string, parameters: Parameter[]): Promise<unknown> {
    if (this.state !== 'begun') return this.send(sql, parameters);
    return (await this.together([{ sql, parameters }]))[0];
  }

  async write(sql: string, parameters: Parameter[]): Promise<Written> {
    const { affectedRows, insertId } = (await this.read(sql, parameters)) as { affectedRows: number; insertId: number };
    return { affected: affectedRows, insertId };
  }

  async together(statements: readonly Statement[]): Promise<unknown[]> {
    if (this.nodes !== null) return this.oneByOne(statements, this.nodes);
    const begins = this.state === 'begun';
    const sql = statements.map((statement) => statement.sql).join('; ');
    const parameters = statements.flatMap((statement) => statement.parameters);
    if (!begins && statements.length === 1) return [await this.send(sql, parameters)];
    this.state = begins ? 'open' : this.state;
    const results = (await this.send(begins ? `BEGIN; ${sql}` : sql, parameters)) as unknown[];
    return begins ? results.slice(1) : results;
  }

  /** Sends nothing: the BEGIN is sent with the first statement. */
  begin(): void {
    this.state = 'begun';
  }

  async finish(statements: readonly Statement[]): Promise<void> {
    await this.proveOpen();
    if (this.nodes === null && statements.length > 0) {
      // After an error the server runs no later statement of the text, so it does not commit a part of the work.
      this.isCommitting = true;
      await this.together([...statements, { sql: 'COMMIT', parameters: [] }]);
      this.state = 'ended';
    } else {
      if (statements.length > 0) await this.together(statements);
      await this.commit();
    }
  }

  async commit(): Promise<void> {
    await this.proveOpen();
    this.isCommitting = true;
    if (this.state === 'open') await this.send('COMMIT', []);
    this.state = 'ended';
  }

  /** Finds out before the COMMIT is sent that the server ended a silent transaction: afterwards nobody could tell. */
  private async proveOpen(): Promise<void> {
    const isSilent = performance.now() - this.answeredAt > MAY_BE_ENDED_MS;
    if (this.state === 'open' && isSilent) await this.send('DO 0', []);
  }

  async rollback(): Promise<void> {
    if (this.state === 'open') await this.send('ROLLBACK', []);
    this.state = 'ended';
  }

  release(): void {
    giveBack(this.connection);
  }

  discard(): void {
    giveUp(this.connection);
  }

  /**
   * Sends each statement separately on Galera. When a node aborts the transaction between two statements of one text,
   * it reports no error: it runs the rest of the text without a transaction, and returns OK for the COMMIT. When it
   * aborts between two texts, it reports error 1213.
   */
  private async oneByOne(statements: readonly Statement[], nodes: WrittenNodes): Promise<unknown[]> {
    if (this.state === 'begun') {
      this.state = 'open';
      const [, [row]] = (await this.send(BEGIN_ON_NODE, [])) as [unknown, GaleraNodeName[]];
      if (row !== undefined) nodes.saw(row);
    }
    const results: unknown[] = [];
    for (const { sql, parameters } of statements) results.push(await this.send(sql, parameters));
    return results;
  }

  private async send(sql: string, parameters: Parameter[]): Promise<unknown> {
    if (this.state === 'ended') throw new Error('The unit of work has ended');
    const mayBeCommitted = this.isCommitting || this.state !== 'open';
    try {
      return await query(this.connection, sql, parameters);
    } catch (error) {
      throw !mayBeCommitted && isLostConnection(error) ? new LostBeforeCommit(error) : error;
    } finally {
      this.answeredAt = performance.now();
    }
  }
}
