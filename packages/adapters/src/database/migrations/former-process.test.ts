import { compareVersions } from '@mailstead/core/software-version';
import { formerRelease } from '@mailstead/core/testing/former-releases';
import type { Database } from '../driver/database.js';
import { SERVED_FROM } from '../installation/served-from.js';
import { type DatabaseKind, onEachDatabase } from '../testing/database-fixture.js';
import { emptyDatabases } from '../testing/empty-databases.js';
import { installFormer } from '../testing/former-release.js';
import { refusedChanges, tablesOf, unpreparable } from '../testing/schema-changes.js';
import { migrate } from './migrate.js';

const { openOne, close } = emptyDatabases();
afterEach(close);

const FORMER = formerRelease();

/** A database with the schema that the former release gives to a new installation. */
async function openFormer(kind: DatabaseKind): Promise<{ database: Database; lastStep: string }> {
  const database = await openOne(kind);
  return { database, lastStep: await installFormer(database) };
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

  it('each change that would refuse writes of the former release is found, and no other one', async () => {
    const { database } = await openFormer(kind);
    const former = await tablesOf(database);
    const { writer } = database;
    const faults = async () => refusedChanges(former, await tablesOf(database), statements).join('\n');
    const referring = 'domain_id bigint NOT NULL, FOREIGN KEY (domain_id) REFERENCES domain (id)';
    await writer.query(`CREATE TABLE gone_with (${referring} ON DELETE CASCADE)`);
    expect(await faults()).toBe('');
    await writer.query('ALTER TABLE mailbox ADD COLUMN must_have varchar(9) NOT NULL').catch(async () => {
      // SQLite adds no such column to a table; it can create one anew.
      await writer.query('DROP TABLE mailbox');
      await writer.query('CREATE TABLE mailbox (id integer PRIMARY KEY, must_have varchar(9) NOT NULL)');
    });
    expect(await faults()).toMatch(/must_have is new and has no default/);
    await writer.query('CREATE UNIQUE INDEX only_one ON alias (domain_id)');
    expect(await faults()).toMatch(/alias has a new unique index/);
    await writer.query('ALTER TABLE domain DROP COLUMN billing_ref');
    expect(await faults()).toMatch(/the column domain\.billing_ref is gone/);
    expect((await unpreparable(database, statements)).join('\n')).toMatch(/billing_ref/);
    await writer.query('DROP TABLE outbound_history');
    expect(await faults()).toMatch(/the table outbound_history is gone/);
    await writer.query(`CREATE TABLE kept (${referring})`);
    expect(await faults()).toMatch(/a row of kept refuses the deletion of one of domain/);
    if (kind === 'sqlite') return;
    await writer.query('ALTER TABLE partner MODIFY name varchar(255) CHARACTER SET ascii');
    await writer.query('ALTER TABLE mailbox MODIFY quota_mb bigint unsigned');
    expect(await faults()).toMatch(/partner\.name was .* and is varchar\(255\) ascii/);
    expect(await faults()).toMatch(/mailbox\.quota_mb was .* unsigned/);
  });
});
