import type { Database } from '../driver/database.js';

type Prepare = (sql: string) => unknown;
type Query = (sql: string | { sql: string }, ...rest: unknown[]) => unknown;
interface MysqlPool {
  query: Query;
  getConnection: (done: (error: Error | null, connection?: { query: Query }) => void) => void;
}

/** What a connection says besides the statements of the service. */
const OF_CONNECTIONS = /^(BEGIN|COMMIT|ROLLBACK|SET |START |SHOW |PRAGMA |SAVEPOINT|RELEASE)/i;

/** The tables of days on SQLite, which no migration makes (`trail-day-tables.ts`). */
const OF_DAYS = /\btrail_day_\d/;

/**
 * Reads along what a process says to its database from now on.
 *
 * @returns a function that returns the texts of the statements, each once, with short lists of values
 */
export function recordStatements(database: Database): () => string[] {
  const texts = new Set<string>();
  const note = (text: string) => {
    for (const sql of statementsIn(text)) texts.add(sql);
  };
  for (const { driver } of [database.writer, database.reader]) {
    if (database.dialect.name === 'mysql') watchPool((driver as unknown as { pool: MysqlPool }).pool, note);
    else watchEmbedded((driver as unknown as { databaseConnection: { prepare: Prepare } }).databaseConnection, note);
  }
  return () => [...texts].sort();
}

/** The statements of one text, as any number of values has them. */
function statementsIn(text: string): string[] {
  return text
    .split(/;\s+/)
    .map((sql) =>
      sql
        .replace(/^\/\*M! SET STATEMENT [^*]*\*\/\s*/, '')
        .replaceAll(/\s+/g, ' ')
        .replaceAll(/\bIN \(\?(?:, ?\?)+\)/g, 'IN (?)')
        .replaceAll(/(\([^()]*\?[^()]*\))(?:, ?\1)+/g, '$1')
        .replaceAll(/( UNION ALL SELECT [?, ]+)\1+/g, '$1')
        .trim(),
    )
    .filter((sql) => sql !== '' && !OF_CONNECTIONS.test(sql) && !OF_DAYS.test(sql));
}

function watchEmbedded(connection: { prepare: Prepare }, note: (text: string) => void): void {
  const prepare = connection.prepare.bind(connection);
  connection.prepare = (sql) => {
    note(sql);
    return prepare(sql);
  };
}

/** The texts of each connection that the pool gives, once. */
function watchPool(pool: MysqlPool, note: (text: string) => void): void {
  const watched = new WeakSet();
  const watch = (connection: { query: Query }) => {
    if (watched.has(connection)) return;
    watched.add(connection);
    const query = connection.query.bind(connection);
    connection.query = (sql, ...rest) => {
      note(typeof sql === 'string' ? sql : sql.sql);
      return query(sql, ...rest);
    };
  };
  const getConnection = pool.getConnection.bind(pool);
  pool.getConnection = (done) =>
    getConnection((error, connection) => {
      if (connection !== undefined) watch(connection);
      done(error, connection);
    });
}
