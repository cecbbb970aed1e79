import { type RunningMariadb, type Stoppable, startServices } from '../../../../../scripts/services.mjs';
import { migrate } from '../migrations/migrate.js';
import type { Database } from './database.js';
import { openDatabase } from './open-database.js';
import { SqlUnitOfWork } from './sql-unit-of-work.js';

const NAMES = ["O'Brien", '\\', "\\'; DELETE FROM installation; -- ", 'a\n"b"', "'", '😀'];

describe('a server whose sql_mode has NO_BACKSLASH_ESCAPES', () => {
  let services: RunningMariadb & Stoppable;
  let database: Database;

  beforeAll(async () => {
    services = await startServices({ mariadb: true, mariadbOptions: ['--sql-mode=NO_BACKSLASH_ESCAPES,ANSI_QUOTES'] });
    database = await openDatabase({ url: services.mariadbUrl, dataDir: '', poolSize: 4 });
    await migrate(database);
  });
  afterAll(async () => {
    await database.close();
    await services.stop();
  });

  it('stores and finds every text as it is given, alone and in a unit of work', async () => {
    for (const [index, text] of NAMES.entries()) {
      await database.write('INSERT INTO installation (name, value) VALUES (?, ?)', [`a:${index}`, text]);
      await new SqlUnitOfWork(database).run(async () => {
        await database.together([
          { sql: 'INSERT INTO installation (name, value) VALUES (?, ?)', parameters: [`b:${index}`, text] },
          { sql: 'SELECT value FROM installation WHERE value = ?', parameters: [text] },
        ]);
      });
      const found = await database.read('SELECT value FROM installation WHERE value = ?', [text]);
      expect(found).toEqual([{ value: text }, { value: text }]);
    }
  });

  it('is not used with a connection on which the mode came back', async () => {
    const connectionId = async () => {
      const rows = await database.read<{ id: number }>('SELECT CONNECTION_ID() AS id');
      return Number(rows[0]?.id);
    };
    const before = await connectionId();
    await database.write("SET SESSION sql_mode = 'NO_BACKSLASH_ESCAPES'").catch(() => undefined);
    expect(await connectionId()).not.toBe(before);
    expect(await database.read("SELECT @@sql_mode LIKE '%NO_BACKSLASH%' AS is_on")).toEqual([{ is_on: 0 }]);
  });
});
