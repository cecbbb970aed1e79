import type { Database } from '../driver/database.js';
import { MYSQL } from '../driver/mysql-dialect.js';
import { steps } from '../migrations/migrations.js';

/** One connection. */
export type Runner = ReturnType<Database['writer']['createQueryRunner']>;

export interface MysqlTables {
  tables: string[];
  views: string[];
}

/** The tables and views of a MariaDB database. */
export async function readTables({ writer }: Pick<Database, 'writer'>): Promise<MysqlTables> {
  const rows = (await writer.query(
    'SELECT table_name AS name, table_type AS type FROM information_schema.tables WHERE table_schema = DATABASE() ORDER BY table_name',
  )) as { name: string; type: string }[];
  const named = (isView: boolean) => rows.filter(({ type }) => (type === 'VIEW') === isView).map(({ name }) => name);
  return { tables: named(false), views: named(true) };
}

/** Drops all tables and views but `kept`. */
export async function dropTables(database: Database, runner: Runner, kept: string): Promise<void> {
  const { tables, views } = await readTables(database);
  const quoted = (names: string[]) => names.map((name) => `\`${name}\``).join(', ');
  const dropped = tables.filter((name) => name !== kept);
  await runner.query('SET SESSION FOREIGN_KEY_CHECKS = 0');
  if (views.length > 0) await runner.query(`DROP VIEW IF EXISTS ${quoted(views)}`);
  if (dropped.length > 0) await runner.query(`DROP TABLE IF EXISTS ${quoted(dropped)}`);
  await runner.query('SET SESSION FOREIGN_KEY_CHECKS = 1');
}

const CREATES = /^\s*CREATE\s+OR\s+REPLACE\s+.*?\bVIEW\s+`?(\w+)`?/is;
const DROPS = /^\s*DROP\s+VIEW\s+(?:IF\s+EXISTS\s+)?`?(\w+)`?/i;

/**
 * Creates the views that a database with these migrations has, from their own statements: a dump has none, because
 * their definer is an account of another server.
 */
export async function createViews(database: Database, recorded: readonly string[]): Promise<void> {
  const known = new Set(recorded);
  const views = new Map<string, string>();
  for (const { name, sql } of steps(MYSQL)) {
    if (!known.has(name)) continue;
    const created = CREATES.exec(sql)?.[1];
    const dropped = DROPS.exec(sql)?.[1];
    // Deleted first, so that a view is created after those that it reads.
    if (created !== undefined) {
      views.delete(created);
      views.set(created, sql);
    }
    if (dropped !== undefined) views.delete(dropped);
  }
  for (const sql of views.values()) await database.writer.query(sql);
}
