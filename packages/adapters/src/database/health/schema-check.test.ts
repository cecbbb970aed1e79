import { SilentMeters } from '@mailstead/core/meters';
import { ClockGate } from '../../jobs/clock-gate.js';
import { SilentJobLog } from '../../jobs/testing/silent-job-log.js';
import { SystemClock } from '../../system-clock.js';
import { SERVED_FROM } from '../installation/served-from.js';
import { migrate } from '../migrations/migrate.js';
import { refuseOldSchema } from '../migrations/oldest-schema.js';
import { onEachDatabase } from '../testing/database-fixture.js';
import { describeSchema } from '../testing/described-schema.js';
import { emptyDatabases } from '../testing/empty-databases.js';
import { installFormer, migrateAsFormer } from '../testing/former-release.js';
import { SchemaCheck } from './schema-check.js';

const { openOne, close } = emptyDatabases();
afterEach(close);

/** The last step of release 5.1. */
const LAST_OF_5_1 = 1772323345002;

onEachDatabase((kind) => {
  it('a process is not ready before a schema that a later release made too new for it, and claims no jobs; the release that the row names is', async () => {
    const database = await openOne(kind);
    await migrate(database);
    const check = new SchemaCheck(database);
    const clock = { examine: async () => ({ at: new SystemClock().now(), wrong: null }) };
    const gate = new ClockGate(clock, check, new SilentJobLog(), new SilentMeters());
    const setServedFrom = (release: string) =>
      database.write('UPDATE installation SET value = ? WHERE name = ?', [release, SERVED_FROM]);
    expect([await check.problem(), await gate.enter()]).toEqual([null, expect.any(Date)]);
    await setServedFrom('99.0.0');
    expect(await check.problem()).toMatch(
      /^The schema of the database is for release 99\.0\.0 or later, and this is \d/,
    );
    expect(await gate.enter()).toBeNull();
    await setServedFrom('5.2.0');
    expect([await check.problem(), await gate.enter()]).toEqual([null, expect.any(Date)]);
  });

  it('the start refuses an installation of a release before 5.1 and leaves it as it is; 5.1 and an empty database are taken', async () => {
    const database = await openOne(kind);
    await refuseOldSchema(database);
    // As 5.1 before its last step.
    const last = await installFormer(database);
    await database.writer.query(`DROP INDEX ix_api_key_name${kind === 'sqlite' ? '' : ' ON api_key'}`);
    await database.write('DELETE FROM migration WHERE name = ?', [last]);
    const before = await describeSchema(database);
    await expect(refuseOldSchema(database)).rejects.toThrow(/release before 5\.1\. Update to release 5\.1 first/);
    expect(await describeSchema(database)).toEqual(before);
    expect(await migrateAsFormer(database, ({ number }) => number <= LAST_OF_5_1)).toBe(1);
    await refuseOldSchema(database);
    await migrate(database);
    await refuseOldSchema(database);
  });
});
