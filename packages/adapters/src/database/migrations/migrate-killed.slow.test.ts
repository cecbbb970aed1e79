import { onEachDatabase } from '../testing/database-fixture.js';
import { describeSchema } from '../testing/described-schema.js';
import { emptyDatabases, expectMigratedAfterKills, installUntilKilled } from '../testing/empty-databases.js';
import { migrate } from './migrate.js';
import { readSchema } from './new-installation.js';

const { openOne, close } = emptyDatabases();
afterEach(close);

onEachDatabase((kind) => {
  it('a process that is killed in any step, before the step is recorded, leaves a database that the next start migrates', async () => {
    const database = await openOne(kind);
    await expectMigratedAfterKills(database, new Set(database.writer.migrations.keys()));
  });

  it('a process that is killed after any statement of a new installation leaves a database that the next start installs', async () => {
    const whole = await openOne(kind);
    await migrate(whole);
    const database = await openOne(kind);
    const { length } = readSchema(database.dialect.name).statements;
    // The first two find out that the installation is new, and the last ones record its steps.
    for (let count = 2; count <= length + 4; count += 1) await installUntilKilled(database, count);
    await migrate(database);
    expect(await describeSchema(database)).toEqual(await describeSchema(whole));
  });
});
