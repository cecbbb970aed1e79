import { until } from '@mailstead/core/testing/until';
import { startHostileServer } from '../../../../../scripts/hostile-servers.mjs';
import { migrate } from '../migrations/migrate.js';
import { refuseLimitedDump } from '../recovery/dump-limits.js';
import { makeTestLocation, openTestDatabase, type TestDatabase } from '../testing/database-fixture.js';
import { migrateAsFormer } from '../testing/former-release.js';
import type { Database } from './database.js';
import { isAlreadyDoneError } from './database-error.js';
import { giveUp, query, takeConnection } from './mysql-driver.js';
import { MysqlServerSide, placeOf } from './mysql-server-side.js';
import { openDatabase } from './open-database.js';
import { SqlUnitOfWork } from './sql-unit-of-work.js';

const TEXTS = ["O'Brien", '\\', "\\'; DELETE FROM installation; -- ", 'a\n"b"', "'", '😀', ''];

/** The contracts of all ports run on such a server too: `npm run test:slow -- database-settings`. */
describe('on a server whose every setting is another one', () => {
  let server: Awaited<ReturnType<typeof startHostileServer>>;
  const given = process.env.MAILSTEAD_TEST_MARIADB_URL;
  let opened: TestDatabase;
  let database: Database;

  beforeAll(async () => {
    server = await startHostileServer('settings');
    process.env.MAILSTEAD_TEST_MARIADB_URL = server.url;
    opened = await openTestDatabase('mariadb');
    ({ database } = opened);
  });
  afterAll(async () => {
    await opened.close();
    process.env.MAILSTEAD_TEST_MARIADB_URL = given;
    await server.stop();
  });

  const insert = (name: string, value: string) => ({
    sql: 'INSERT INTO installation (name, value) VALUES (?, ?)',
    parameters: [name, value],
  });

  it('every text is stored and found as it is given, alone and in a unit of work', async () => {
    for (const [index, text] of TEXTS.entries()) {
      const [alone, inUnit] = [insert(`a:${index}`, text), insert(`b:${index}`, text)];
      await database.write(alone.sql, alone.parameters);
      await new SqlUnitOfWork(database).run(async () => void (await database.together([inUnit])));
      const found = await database.read('SELECT value FROM installation WHERE value = ? AND name LIKE ?', [
        text,
        `_:${index}`,
      ]);
      expect(found).toEqual([{ value: text }, { value: text }]);
    }
  });

  it('a connection on which NO_BACKSLASH_ESCAPES came back is not used again', async () => {
    const connectionId = async () => {
      const rows = await database.read<{ id: number }>('SELECT CONNECTION_ID() AS id');
      return rows[0]?.id;
    };
    const before = await connectionId();
    await database.write("SET SESSION sql_mode = 'NO_BACKSLASH_ESCAPES'");
    expect(await connectionId()).not.toBe(before);
    expect(await database.read("SELECT @@sql_mode LIKE '%NO_BACKSLASH%' AS is_on")).toEqual([{ is_on: 0 }]);
  });

  it('a write alone is committed, and no transaction stays open', async () => {
    const alone = insert('alone', '1');
    await database.write(alone.sql, alone.parameters);
    const other = await openDatabase({ url: opened.url, dataDir: '', poolSize: 1 });
    expect(await other.read("SELECT value FROM installation WHERE name = 'alone'")).toEqual([{ value: '1' }]);
    expect(await database.read('SELECT @@in_transaction AS open')).toEqual([{ open: 0 }]);
    await other.write("UPDATE installation SET value = '2' WHERE value = '1'");
    await other.close();
  });

  it('the server tells what it does for a silent statement, and ends it', async () => {
    const side = new MysqlServerSide(opened.url ?? '');
    const connection = await takeConnection(database.writer);
    const place = await placeOf(connection);
    if (place === null) throw new Error('The connection is not in the list');
    const ended = query(connection, 'SELECT SLEEP(60)', []).catch((error: unknown) => error);
    await until('the statement', async () => {
      const rows = await database.read('SELECT 1 FROM information_schema.processlist WHERE info LIKE ?', [
        'SELECT SLEEP(60%',
      ]);
      return rows.length === 1;
    });
    expect(await side.doingOf(place)).toBe('working');
    await side.end(place);
    expect(await ended).toMatchObject({ code: expect.stringMatching(/PROTOCOL_CONNECTION_LOST|KILLED/) });
    giveUp(connection);
  });

  it('an error is known by its text, whose language is not that of the server', async () => {
    const again =
      'ALTER TABLE `mta_domain` ADD CONSTRAINT `fk_mta_domain_domain` FOREIGN KEY (`domain_id`) REFERENCES `domain`(`id`)';
    const error: unknown = await database.writer.query(again).catch((reason: unknown) => reason);
    expect(isAlreadyDoneError(error)).toBe(true);
  });

  it('a backup is refused that would leave out rows', async () => {
    await expect(refuseLimitedDump(opened.url ?? '')).rejects.toThrow('take sql_select_limit, max_join_size');
  });

  it('an installation of the oldest release is migrated', async () => {
    const { remove, ...location } = await makeTestLocation('mariadb');
    const former = await openDatabase({ ...location, poolSize: 4 });
    await migrateAsFormer(former, ({ index }) => index < 20);
    await migrate(former);
    expect(await former.read('SELECT COUNT(*) > 20 AS all_steps FROM migration')).toEqual([{ all_steps: 1 }]);
    await former.close();
    await remove();
  });
});
