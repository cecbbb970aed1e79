import { compareVersions } from '@mailstead/core/software-version';
import { formerRelease } from '@mailstead/core/testing/former-releases';
import type { Database } from '../driver/database.js';
import { SERVED_FROM } from '../installation/served-from.js';
import { type DatabaseKind, onEachDatabase } from '../testing/database-fixture.js';
import { emptyDatabases } from '../testing/empty-databases.js';
import { refusedChanges, tablesOf, unpreparable } from '../testing/schema-changes.js';
import { migrate } from './migrate.js';

const { openOne, close } = emptyDatabases();
afterEach(close);

const FORMER = formerRelease();

/** A database with the schema that the former release gives to a new installation. */
async function openFormer(kind: DatabaseKind): Promise<{ database: Database; lastStep: string }> {
  const database = await openOne(kind);
  const file = FORMER.file(`${database.dialect.name}.sql`).toString();
  const [head = '', ...statements] = file.split(';\n');
  const [comment = '', first = ''] = head.split('\n\n');
  const lastStep = /up to the step (\w+)/.exec(comment)?.[1] ?? '';
  const runner = database.writer.createQueryRunner();
  if (kind === 'mariadb') await runner.query('SET FOREIGN_KEY_CHECKS = 0');
  for (const sql of [first, ...statements.slice(0, -1)]) await runner.query(sql.trim());
  const names = database.writer.migrations.map(({ name }) => String(name));
  for (const name of names.slice(0, names.indexOf(lastStep) + 1))
    await runner.query(`INSERT INTO migration (timestamp, name) VALUES (${name.slice(-13)}, '${name}')`);
  if (kind === 'mariadb') await runner.query('SET FOREIGN_KEY_CHECKS = 1');
  await runner.release();
  return { database, lastStep };
}

/** What the rendered files of Postfix read beside the views (`sql-contract.md`), also after an update. */
const READ_BY_POSTFIX = [
  'SELECT domain_id, domain, suspended, held, sends_until, transfer_cap_mb FROM mta_domain',
  'SELECT domain, relayhost FROM mta_relay_host',
  'SELECT email, domain_id, active FROM mailbox',
  'SELECT address FROM alias',
];

onEachDatabase((kind) => {
  const statements = JSON.parse(FORMER.file(`statements-${kind}.json`).toString()) as string[];

  it(`the schema after the update serves processes of release ${FORMER.version}: each of its statements finds its tables and columns, and none of its writes is refused`, async () => {
    const { database, lastStep } = await openFormer(kind);
    expect(database.writer.migrations.map(({ name }) => name)).toContain(lastStep);
    const former = await tablesOf(database);
    expect(await unpreparable(database, statements)).toEqual([]);
    await migrate(database);
    expect(await unpreparable(database, statements)).toEqual([]);
    expect(refusedChanges(former, await tablesOf(database), statements)).toEqual([]);
    const [row] = await database.read('SELECT value FROM installation WHERE name = ?', [SERVED_FROM]);
    expect(compareVersions(String(row?.value), FORMER.version)).toBeLessThanOrEqual(0);
  });

  if (kind === 'mariadb')
    it('the schema before and after the update has what Postfix reads by the files of either release', async () => {
      const { database } = await openFormer(kind);
      expect(await unpreparable(database, READ_BY_POSTFIX)).toEqual([]);
      await migrate(database);
      expect(await unpreparable(database, READ_BY_POSTFIX)).toEqual([]);
    });

  it.each([
    [
      'a column without a default',
      'ALTER TABLE mailbox ADD COLUMN must_have varchar(9) NOT NULL',
      /must_have is new and has no default/,
    ],
    ['a unique index', 'CREATE UNIQUE INDEX only_one ON mailbox (domain_id)', /mailbox has a new unique index/],
    ['a column that is gone', 'ALTER TABLE mailbox DROP COLUMN name', /the column mailbox\.name is gone/],
    ['a table that is gone', 'DROP TABLE outbound_history', /the table outbound_history is gone/],
    [
      'a new table whose rows keep the rows of another one',
      'CREATE TABLE kept (domain_id bigint NOT NULL, FOREIGN KEY (domain_id) REFERENCES domain (id))',
      /a row of kept refuses the deletion of one of domain/,
    ],
  ])('%s would refuse writes of the former release, and is found', async (_, change, expected) => {
    const { database } = await openFormer(kind);
    const former = await tablesOf(database);
    await database.writer.query(change).catch(async () => {
      // SQLite adds no such column to a table; it can create one anew.
      await database.writer.query('DROP TABLE mailbox');
      await database.writer.query('CREATE TABLE mailbox (id integer PRIMARY KEY, must_have varchar(9) NOT NULL)');
    });
    const faults = refusedChanges(former, await tablesOf(database), statements);
    expect(faults.join('\n')).toMatch(expected);
  });

  it('a new table whose rows go with those of another one refuses nothing', async () => {
    const { database } = await openFormer(kind);
    const former = await tablesOf(database);
    await database.writer.query(
      'CREATE TABLE kept (domain_id bigint NOT NULL, FOREIGN KEY (domain_id) REFERENCES domain (id) ON DELETE CASCADE)',
    );
    expect(refusedChanges(former, await tablesOf(database), statements)).toEqual([]);
  });

  if (kind === 'mariadb')
    it('a column that takes fewer characters, or no numbers below 0, is found', async () => {
      const { database } = await openFormer(kind);
      const former = await tablesOf(database);
      await database.writer.query('ALTER TABLE mailbox MODIFY name varchar(255) CHARACTER SET ascii');
      await database.writer.query('ALTER TABLE mailbox MODIFY quota_mb bigint unsigned');
      const faults = refusedChanges(former, await tablesOf(database), statements).join('\n');
      expect(faults).toMatch(/mailbox\.name was .* and is varchar\(255\) ascii/);
      expect(faults).toMatch(/mailbox\.quota_mb was .* unsigned/);
    });

  it('a statement that names a column which is gone is found', async () => {
    const { database } = await openFormer(kind);
    await database.writer.query('ALTER TABLE domain DROP COLUMN billing_ref');
    expect((await unpreparable(database, statements)).join('\n')).toMatch(/billing_ref/);
  });
});
