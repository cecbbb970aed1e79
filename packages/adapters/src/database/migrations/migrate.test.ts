import type { Database } from '../driver/database.js';
import { openDatabase } from '../driver/open-database.js';
import { type DatabaseKind, makeTestLocation, onEachDatabase } from '../testing/database-fixture.js';
import { migrate } from './migrate.js';

/** Also after a failed expectation: an open pool would keep the test run from ending. */
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

afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0)) await cleanUp();
});

onEachDatabase((kind) => {
  it('the migrations create exactly the schema of the entities', async () => {
    const database = await openOne(kind);
    expect(await migrate(database)).toBeGreaterThan(0);
    const drift = await database.writer.driver.createSchemaBuilder().log();
    expect(drift.upQueries.map(({ query }) => query)).toEqual([]);
    expect(await migrate(database)).toBe(0);
  });

  it('a failed migration is named in the error, keeps the earlier steps, and is repeated at the next start', async () => {
    const database = await openOne(kind);
    // Makes one of the steps fail.
    await database.writer.query('CREATE TABLE outbound_tier (wrong INTEGER)');
    await expect(migrate(database)).rejects.toThrow(/CreateOutboundTier\d+ failed/);
    await database.writer.query('DROP TABLE outbound_tier');
    expect(await migrate(database)).toBeGreaterThan(0);
    expect(await database.read('SELECT tier FROM outbound_tier')).toHaveLength(4);
  });

  it('a process that is killed in any step, before the step is recorded, leaves a database that the next start migrates', async () => {
    const database = await openOne(kind);
    const { writer } = database;
    const { migrations } = writer;
    const oldestFirst = migrations.toSorted((a, b) => Number(a.name?.slice(-13)) - Number(b.name?.slice(-13)));
    for (const [index, step] of oldestFirst.entries()) {
      const runner = writer.createQueryRunner();
      await runner.startTransaction();
      await step.up(runner);
      // MariaDB has committed a DDL statement here, as when the process is killed.
      await runner.rollbackTransaction();
      await runner.release();
      Object.assign(writer, { migrations: oldestFirst.slice(0, index + 1) });
      await migrate(database);
    }
    expect(await migrate(database)).toBe(0);
    const drift = await writer.driver.createSchemaBuilder().log();
    expect(drift.upQueries.map(({ query }) => query)).toEqual([]);
  }, 60_000);
});

it('several replicas that start at once migrate once', async () => {
  const databases = await openEmpty('mariadb', 4, 2);
  const steps = await Promise.all(databases.map((database) => migrate(database)));
  expect(steps.filter((count) => count > 0)).toHaveLength(1);
});

it('a migration that waits for a long transaction lets the writes of other processes pass', async () => {
  const [migrating, other] = await openEmpty('mariadb', 2, 4);
  if (migrating === undefined || other === undefined) throw new Error('No database was opened');
  const { writer } = migrating;
  const { migrations } = writer;
  Object.assign(writer, { migrations: migrations.filter(({ name }) => !name?.startsWith('AddAuditLogRequestUid')) });
  await migrate(migrating);
  Object.assign(writer, { migrations });
  const backup = other.writer.createQueryRunner();
  await backup.startTransaction();
  await backup.query('SELECT * FROM audit_log');
  const migrated = migrate(migrating, 10);
  const waiting = `SELECT id FROM information_schema.processlist WHERE state LIKE '%metadata lock%' AND info LIKE 'ALTER%' AND db = DATABASE()`;
  while ((await other.read(waiting)).length === 0) await new Promise((resolve) => setImmediate(resolve));
  await other.write(
    "INSERT INTO audit_log (changed_at, actor_kind, actor, action, subject) VALUES (1, 'master', 'master', 'a', 's')",
  );
  await backup.commitTransaction();
  await backup.release();
  expect(await migrated).toBe(1);
});
