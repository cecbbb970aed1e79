import { readFileSync } from 'node:fs';
import type { QueryRunner } from 'typeorm';
import type { Database } from '../driver/database.js';
import type { DialectName } from '../driver/dialect.js';

/** The only row of `migration` while a new installation is unfinished. No step has this name. */
const UNFINISHED = 'NewInstallation';

const TABLES: Record<DialectName, string> = {
  mysql: 'SELECT table_name AS name FROM information_schema.tables WHERE table_schema = DATABASE()',
  sqlite: 'SELECT name FROM sqlite_master',
};

/**
 * Gives a new installation the schema of the newest release at once, and records all of its steps.
 *
 * SQLite does this in one transaction. MariaDB commits each table, so a row in `migration` says that the installation
 * is unfinished; a start that finds it drops what is there and begins again. A database with tables of ours and without
 * that row is left to the steps.
 *
 * @returns the number of recorded steps; 0 for an installation that exists
 */
export async function installNewest({ dialect, writer }: Database, runner: QueryRunner): Promise<number> {
  const { lastStep, statements } = readSchema(dialect.name);
  const names = writer.migrations.map(({ name }) => String(name));
  const recorded = names.slice(0, names.indexOf(lastStep) + 1);
  const state = await stateOf(runner, dialect.name, statements);
  if (recorded.length === 0 || state === 'existing') return 0;
  if (dialect.name === 'sqlite') await runner.startTransaction();
  else await begin(runner, state, statements);
  for (const sql of statements) await runner.query(sql);
  if (dialect.name === 'mysql') await runner.startTransaction();
  await runner.query('DELETE FROM migration');
  const rows = recorded.map((name, index) => `(${index + 1}, ${name.slice(-13)}, '${name}')`);
  await runner.query(`INSERT INTO migration (id, timestamp, name) VALUES ${rows.join(', ')}`);
  await runner.commitTransaction();
  return recorded.length;
}

/** Reads a file that `npm run schema` writes. Its first statement creates `migration`. */
export function readSchema(dialect: DialectName): { lastStep: string; statements: string[] } {
  const [head = '', ...statements] = readFileSync(schemaFile(dialect), 'utf8').split(';\n');
  const [comment = '', first = ''] = head.split('\n\n');
  const lastStep = /up to the step (\w+)/.exec(comment)?.[1] ?? '';
  return { lastStep, statements: [first, ...statements.slice(0, -1)].map((sql) => sql.trim()) };
}

export function schemaFile(dialect: DialectName): URL {
  return new URL(`../../../schema/${dialect}.sql`, import.meta.url);
}

async function stateOf(
  runner: QueryRunner,
  dialect: DialectName,
  statements: readonly string[],
): Promise<'new' | 'unfinished' | 'existing'> {
  const tables = namesIn(await runner.query(TABLES[dialect]));
  const steps = tables.has('migration') ? namesIn(await runner.query('SELECT name FROM migration')) : new Set();
  if (steps.size > 0) return steps.size === 1 && steps.has(UNFINISHED) ? 'unfinished' : 'existing';
  return tablesOf(statements).some((table) => tables.has(table)) ? 'existing' : 'new';
}

function namesIn(rows: unknown): ReadonlySet<string> {
  return new Set((rows as { name: string }[]).map(({ name }) => name));
}

/** The tables that the statements create, without `migration`. */
function tablesOf(statements: readonly string[]): string[] {
  return statements.flatMap((sql) => /^CREATE TABLE [`"](\w+)/.exec(sql)?.[1] ?? []);
}

/** The tables are in alphabetical order, so their foreign keys may name tables that are not there yet. */
async function begin(runner: QueryRunner, state: 'new' | 'unfinished', statements: readonly string[]): Promise<void> {
  const [migrationTable = ''] = statements;
  await runner.query('SET FOREIGN_KEY_CHECKS = 0');
  await runner.query(migrationTable);
  if (state === 'unfinished') await runner.query(`DROP TABLE IF EXISTS ${tablesOf(statements).join(', ')}`);
  else await runner.query(`INSERT INTO migration (timestamp, name) VALUES (0, '${UNFINISHED}')`);
}
