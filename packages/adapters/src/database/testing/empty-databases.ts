import type { Database } from '../driver/database.js';
import { openDatabase } from '../driver/open-database.js';
import { migrate } from '../migrations/migrate.js';
import { type DatabaseKind, makeTestLocation } from './database-fixture.js';

/** Databases without a table, for the tests of the migrations. */
export function emptyDatabases() {
  const cleanUps: (() => Promise<unknown>)[] = [];

  /** Opens an empty database so many times. */
  async function openEmpty(kind: DatabaseKind, times: number, poolSize: number): Promise<Database[]> {
    const { url, dataDir, remove } = await makeTestLocation(kind);
    cleanUps.unshift(remove);
    const databases = await Promise.all(Array.from({ length: times }, () => openDatabase({ url, dataDir, poolSize })));
    cleanUps.unshift(...databases.map((database) => () => database.close()));
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

/** Migrates, and stops in each of these steps as a process does that is killed before the step is recorded. */
export async function expectMigratedAfterKills(database: Database, killed: ReadonlySet<number>): Promise<void> {
  const { writer } = database;
  const all = writer.migrations.toSorted((a, b) => Number(a.name?.slice(-13)) - Number(b.name?.slice(-13)));
  const migrateTo = async (count: number) => {
    Object.assign(writer, { migrations: all.slice(0, count) });
    await migrate(database);
  };
  for (const [index, step] of all.entries()) {
    if (!killed.has(index)) continue;
    await migrateTo(index);
    const runner = writer.createQueryRunner();
    await runner.startTransaction();
    await step.up(runner);
    // MariaDB has committed a DDL statement here, as when the process is killed.
    await runner.rollbackTransaction();
    await runner.release();
    await migrateTo(index + 1);
  }
  await migrateTo(all.length);
  expect(await migrate(database)).toBe(0);
  const drift = await writer.driver.createSchemaBuilder().log();
  expect(drift.upQueries.map(({ query }) => query)).toEqual([]);
}
