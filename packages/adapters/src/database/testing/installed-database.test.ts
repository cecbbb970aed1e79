import { migrate } from '../migrations/migrate.js';
import { onEachDatabase, openTestDatabase } from './database-fixture.js';
import { describeSchema } from './described-schema.js';
import { emptyDatabases } from './empty-databases.js';

const { openOne, close } = emptyDatabases();
afterEach(close);

onEachDatabase((kind) => {
  it('the databases of tests are what migrate makes of an empty one', async () => {
    const migrated = await openOne(kind);
    await migrate(migrated);
    for (const time of ['first', 'copied']) {
      const opened = await openTestDatabase(kind);
      expect([time, await describeSchema(opened.database)]).toEqual([time, await describeSchema(migrated)]);
      await opened.close();
    }
  });
});
