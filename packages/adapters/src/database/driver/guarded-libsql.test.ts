import { openTestDatabase, type TestDatabase } from '../testing/database-fixture.js';
import { GuardedLibsql } from './guarded-libsql.js';
import { SqliteConnection, SqliteSession } from './sqlite-session.js';

describe('the guarded SQLite driver', () => {
  let opened: TestDatabase;

  beforeAll(async () => {
    opened = await openTestDatabase('sqlite');
    await opened.database.write('CREATE TABLE probe (value)');
  });
  afterAll(() => opened.close());

  const insert = (value: unknown) => opened.database.writer.query('INSERT INTO probe (value) VALUES (?)', [value]);

  it.each([
    ['an object', { a: 1 }],
    ['a date', new Date(0)],
    ['an array', [1]],
    ['NUL in a text', 'a\0b'],
    ['infinity', Number.POSITIVE_INFINITY],
    ['an integer above 2^53', 2 ** 53],
    ['a function', () => 1],
  ])('throws for %s instead of aborting the process', async (_, value) => {
    await expect(insert(value)).rejects.toThrow(/parameter/);
  });

  it.each([[[]], [[1, 2]]])('throws for the parameters %j of one placeholder', async (parameters) => {
    await expect(opened.database.writer.query('INSERT INTO probe (value) VALUES (?)', parameters)).rejects.toThrow(
      /takes 1 parameters/,
    );
  });

  it('throws when its connection was closed, in a transaction and outside one, instead of aborting the process', async () => {
    const libsql = new GuardedLibsql(':memory:');
    const connection = new SqliteConnection(libsql);
    const session = new SqliteSession(connection);
    await session.begin();
    libsql.close();
    await expect(session.read('SELECT 1', [])).rejects.toThrow('The transaction has ended');
    await session.rollback();
    await expect(new SqliteSession(connection).read('SELECT 2', [])).rejects.toThrow(/not open/);
  });

  it.each([['text'], [1.5], [7], [null]])('stores %j unchanged', async (value) => {
    await opened.database.write('DELETE FROM probe');
    await insert(value);
    expect(await opened.database.read("SELECT value FROM probe WHERE value IS ? OR '?' = ''", [value])).toEqual([
      expect.objectContaining({ value }),
    ]);
  });
});
