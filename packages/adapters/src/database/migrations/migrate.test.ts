import { until } from '@mailstead/core/testing/until';
import fc from '../../../../../scripts/fast-check.mjs';
import { onEachDatabase } from '../testing/database-fixture.js';
import { emptyDatabases, expectMigratedAfterKills, expectNewestSchema } from '../testing/empty-databases.js';
import { migrateAsFormer, runFormerSteps } from '../testing/former-release.js';
import { migrate } from './migrate.js';
import { steps } from './migrations.js';

const { openEmpty, openOne, close } = emptyDatabases();
afterEach(close);

/** Every step is tried in `migrate-killed.slow.test.ts`. */
const KILLED_STEPS = 6;
const AUDIT_REQUEST_UID = 1772323216000;

onEachDatabase((kind) => {
  it('an installation of a build that had a later number before an earlier one gets the steps that it lacks', async () => {
    const database = await openOne(kind);
    const added = [1772323240, 1772323243, 1772323245];
    await runFormerSteps(
      database,
      ({ number }) => number < 1772323248000 && !added.includes(Math.floor(number / 1_000)),
    );
    expect(await database.read("SELECT 1 FROM migration WHERE name LIKE 'CreateBounce%'")).toHaveLength(1);
    expect(await database.read("SELECT 1 FROM migration WHERE name LIKE 'CreateDomainSuffix%'")).toHaveLength(0);
    await migrate(database);
    await expectNewestSchema(database);
  });

  it('a failed migration is named in the error, keeps the earlier steps, and is repeated at the next start', async () => {
    const database = await openOne(kind);
    // Makes one of the steps fail.
    await database.writer.query('CREATE TABLE outbound_tier (wrong INTEGER)');
    await expect(migrate(database)).rejects.toThrow(/CreateOutboundTier\d+ failed/);
    await database.writer.query('DROP TABLE outbound_tier');
    const seeded = steps(database.dialect).findIndex(({ sql }) => sql.startsWith('INSERT INTO outbound_tier'));
    expect(await migrateAsFormer(database, ({ index }) => index <= seeded)).toBeGreaterThan(0);
    expect(await database.read('SELECT tier FROM outbound_tier')).toHaveLength(4);
  });

  it('a process that is killed in one of some steps, before it is recorded, leaves a database that the next start migrates to exactly the schema of the entities', async () => {
    const database = await openOne(kind);
    const count = database.writer.migrations.length;
    const steps = fc.sample(fc.nat(count - 1), KILLED_STEPS);
    await expectMigratedAfterKills(database, new Set(steps));
  });
});

it('several replicas that start at once migrate once', async () => {
  const databases = await openEmpty('mariadb', 4, 2);
  const steps = await Promise.all(databases.map((database) => migrate(database)));
  expect(steps.filter((count) => count > 0)).toHaveLength(1);
});

it('a migration that waits for a long transaction lets the writes of other processes pass', async () => {
  const [migrating, other] = await openEmpty('mariadb', 2, 4);
  if (migrating === undefined || other === undefined) throw new Error('No database was opened');
  await runFormerSteps(migrating, ({ number }) => number < AUDIT_REQUEST_UID);
  const backup = other.writer.createQueryRunner();
  await backup.startTransaction();
  await backup.query('SELECT * FROM audit_log');
  const migrated = migrateAsFormer(migrating, ({ number }) => number <= AUDIT_REQUEST_UID, 10);
  const waiting = `SELECT id FROM information_schema.processlist WHERE state LIKE '%metadata lock%' AND info LIKE 'ALTER%' AND db = DATABASE()`;
  await until('the migration to wait', async () => (await other.read(waiting)).length > 0);
  await other.write(
    "INSERT INTO audit_log (changed_at, actor_kind, actor, action, subject) VALUES (1, 'master', 'master', 'a', 's')",
  );
  await backup.commitTransaction();
  await backup.release();
  expect(await migrated).toBe(1);
});
