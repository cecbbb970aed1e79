import { onEachDatabase } from '../testing/database-fixture.js';
import { emptyDatabases, expectMigratedAfterKills } from '../testing/empty-databases.js';

const { openOne, close } = emptyDatabases();
afterEach(close);

onEachDatabase((kind) => {
  it('a process that is killed in any step, before the step is recorded, leaves a database that the next start migrates', async () => {
    const database = await openOne(kind);
    await expectMigratedAfterKills(database, new Set(database.writer.migrations.keys()));
  });
});
