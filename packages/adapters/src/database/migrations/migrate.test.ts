import { openDatabase } from '../driver/open-database.js';
import { makeTestLocation, onEachDatabase } from '../testing/database-fixture.js';
import { migrate } from './migrate.js';

onEachDatabase((kind) => {
  it('the migrations create exactly the schema of the entities', async () => {
    const { url, dataDir, remove } = await makeTestLocation(kind);
    const database = await openDatabase({ url, dataDir, poolSize: 4 });
    expect(await migrate(database)).toBeGreaterThan(0);
    const drift = await database.writer.driver.createSchemaBuilder().log();
    expect(drift.upQueries.map(({ query }) => query)).toEqual([]);
    expect(await migrate(database)).toBe(0);
    await database.close();
    await remove();
  });

  it('a failed migration is named in the error, keeps the earlier steps, and is repeated at the next start', async () => {
    const { url, dataDir, remove } = await makeTestLocation(kind);
    const database = await openDatabase({ url, dataDir, poolSize: 4 });
    // Makes one of the steps fail.
    await database.writer.query('CREATE TABLE outbound_tier (wrong INTEGER)');
    await expect(migrate(database)).rejects.toThrow(/CreateOutboundTier\d+ failed/);
    await database.writer.query('DROP TABLE outbound_tier');
    expect(await migrate(database)).toBeGreaterThan(0);
    expect(await database.read('SELECT tier FROM outbound_tier')).toHaveLength(4);
    await database.close();
    await remove();
  });
});

it('several replicas that start at once migrate once', async () => {
  const { url, dataDir, remove } = await makeTestLocation('mariadb');
  const databases = await Promise.all(Array.from({ length: 4 }, () => openDatabase({ url, dataDir, poolSize: 2 })));
  const steps = await Promise.all(databases.map((database) => migrate(database)));
  expect(steps.filter((count) => count > 0)).toHaveLength(1);
  for (const database of databases) await database.close();
  await remove();
});
