import type { Database } from '../driver/database.js';
import { openDatabase } from '../driver/open-database.js';
import { migrate } from '../migrations/migrate.js';
import { steps } from '../migrations/migrations.js';
import { installNewest } from '../migrations/new-installation.js';
import { type DatabaseKind, makeTestLocation } from './database-fixture.js';
import { migrateAsFormer, runFormerSteps } from './former-release.js';

/** Databases without a table, for the tests of the migrations. */
export function emptyDatabases() {
  const cleanUps: (() => Promise<unknown>)[] = [];

  /** Opens an empty database so many times. */
  async function openEmpty(kind: DatabaseKind, times: number, poolSize: number): Promise<Database[]> {
    const { url, dataDir, remove } = await makeTestLocation(kind);
    cleanUps.unshift(remove);
    const databases = await Promise.all(Array.from({ length: times }, () => openDatabase({ url, dataDir, poolSize })));
    cleanUps.unshift(...databases.map((database) => () => database.close()));
    // As in `openTestDatabase`.
    if (kind === 'sqlite') for (const { writer } of databases) await writer.query('PRAGMA synchronous = OFF');
    return databases;
  }

  async function openOne(kind: DatabaseKind): Promise<Database> {
    const [database] = await openEmpty(kind, 1, 4);
    if (database === undefined) throw new Error('No database was opened');
    return database;
  }

  /** Also after a failed expectation: an open pool would keep the test run from ending. */
  async function close(): Promise<void> {
    for (const cleanUp of cleanUps.splice(0)) await cleanUp();
  }

  return { openEmpty, openOne, close };
}

/** Begins a new installation, and stops after so many statements as a process does that is killed. */
export async function installUntilKilled(database: Database, count: number): Promise<void> {
  const runner = database.writer.createQueryRunner();
  const query = runner.query.bind(runner);
  let left = count;
  runner.query = (sql: string) => (left-- > 0 ? query(sql) : Promise.reject(new Error('killed')));
  await expect(installNewest(database, runner)).rejects.toThrow('killed');
  runner.query = query;
  // The server rolls back what is not committed.
  if (runner.isTransactionActive) await runner.rollbackTransaction();
  await runner.release();
}

/** Migrates, and stops in each of these steps as a process does that is killed before the step is recorded. */
export async function expectMigratedAfterKills(database: Database, killed: ReadonlySet<number>): Promise<void> {
  for (const [position, { sql }] of steps(database.dialect).entries()) {
    if (!killed.has(position)) continue;
    await runFormerSteps(database, ({ index }) => index < position);
    const runner = database.writer.createQueryRunner();
    await runner.startTransaction();
    await runner.query(sql);
    // MariaDB has committed a DDL statement here, as when the process is killed.
    await runner.rollbackTransaction();
    await runner.release();
    await migrateAsFormer(database, ({ index }) => index <= position);
  }
  await migrate(database);
  expect(await migrate(database)).toBe(0);
  await expectNewestSchema(database);
}

/** Expects the tables and columns of the entities, with every step recorded. */
export async function expectNewestSchema(database: Database): Promise<void> {
  const drift = await database.writer.driver.createSchemaBuilder().log();
  expect(drift.upQueries.map(({ query }) => query)).toEqual([]);
  const recorded = await database.read<{ name: string }>('SELECT name FROM migration');
  expect(recorded.map(({ name }) => name).sort()).toEqual(
    steps(database.dialect)
      .map(({ name }) => name)
      .sort(),
  );
}
