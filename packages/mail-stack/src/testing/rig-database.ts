import { createPool, type Pool } from 'mysql2/promise';

export type Row = Record<string, string | number | null>;

/**
 * The database of one rig, for what only its operator does: grants, relays, and looking. Mailstead itself is changed by
 * its API.
 */
export class RigDatabase {
  private readonly pool: Pool;

  constructor(
    /** With all rights, as Mailstead's own `DATABASE_URL`. */
    readonly url: string,
    /** The server's unix socket, the second way for Postfix to reach it. */
    readonly socket: string | null,
  ) {
    this.pool = createPool({ uri: url, multipleStatements: true, connectionLimit: 2, timezone: 'Z' });
  }

  get name(): string {
    return new URL(this.url).pathname.slice(1);
  }

  /** Runs one or several statements; answers the rows of a single one. */
  async query(sql: string, values: (string | number)[] = []): Promise<Row[]> {
    const [rows] = await this.pool.query(sql, values);
    return Array.isArray(rows) ? (rows as Row[]) : [];
  }

  async close(): Promise<void> {
    await this.pool.end();
  }
}
