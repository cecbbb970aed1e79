import { createPool, type Pool } from 'mysql2/promise';
import { PATIENCE_MS } from '../../../../scripts/test-timeout.mjs';
import type { MailStackSettings } from '../settings/mail-stack-settings.js';

export type Row = Record<string, string | number | null>;

/**
 * The database of one rig, for changes by an operator (grants, relays) and for queries. All other changes go through
 * the API.
 */
export class RigDatabase {
  private readonly pool: Pool;

  constructor(
    /** The URL with all rights, which Mailstead uses as `DATABASE_URL`. */
    readonly url: string,
    /** The server's unix socket, a second connection for Postfix. */
    readonly socket: string | null,
  ) {
    this.pool = createPool({
      uri: url,
      multipleStatements: true,
      connectionLimit: 2,
      timezone: 'Z',
      connectTimeout: PATIENCE_MS,
    });
  }

  get name(): string {
    return new URL(this.url).pathname.slice(1);
  }

  /** Runs one or several statements. @returns the rows of a single statement. */
  async query(sql: string, values: (string | number)[] = []): Promise<Row[]> {
    const [rows] = await this.pool.query(sql, values);
    return Array.isArray(rows) ? (rows as Row[]) : [];
  }

  async close(): Promise<void> {
    await this.pool.end();
  }
}

/** Returns the users that the mail servers have in the database, as SQL names them. */
export function databaseUsers({ database }: MailStackSettings): string[] {
  return [database.postfix, database.dovecot].flatMap(({ user }) =>
    database.clients.map((client) => `'${user}'@'${client}'`),
  );
}
