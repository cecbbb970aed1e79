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
});

it('several replicas that start at once migrate once', async () => {
  const databases = await openEmpty('mariadb', 4, 2);
  const steps = await Promise.all(databases.map((database) => migrate(database)));
  expect(steps.filter((count) => count > 0)).toHaveLength(1);
});
