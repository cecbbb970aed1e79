import { until } from '@mailstead/core/testing/until';
import type { PoolConnection } from 'mysql2';
import { createConnection, type RowDataPacket } from 'mysql2/promise';
import { PATIENCE_MS } from '../../../../../scripts/test-timeout.mjs';
import { openTestDatabase, type TestDatabase } from '../testing/database-fixture.js';
import { socketOf } from './mysql-driver.js';
import { preparingDriver } from './mysql-pool.js';
import { openDatabase } from './open-database.js';
import { SqlUnitOfWork } from './sql-unit-of-work.js';

describe('a connection whose preparation failed', () => {
  let opened: TestDatabase;

  beforeAll(async () => {
    opened = await openTestDatabase('mariadb');
  });
  afterAll(() => opened.close());

  it.each([
    [
      'has an error',
      'SET SESSION no_such_variable = 1',
      { code: 'database_unavailable', cause: { code: 'ER_UNKNOWN_SYSTEM_VARIABLE' } },
    ],
    [
      'leaves NO_BACKSLASH_ESCAPES',
      "SET SESSION sql_mode = 'NO_BACKSLASH_ESCAPES'",
      { code: 'database_unavailable', cause: new Error('The database keeps NO_BACKSLASH_ESCAPES') },
    ],
  ])('is closed and not given out when it %s', async (_, session, expected) => {
    const url = opened.url ?? '';
    const pool = preparingDriver({ session, url }).createPool({ uri: url, connectionLimit: 1 });
    const taken = new Promise((resolve, reject) => {
      pool.getConnection((error, connection) => (error === null ? resolve(connection) : reject(error)));
    });
    await expect(taken).rejects.toMatchObject(expected);
    // The pool has a place for a new one, and asks alike.
    const asked = new Promise((resolve, reject) => {
      pool.query('SELECT 1', (error, rows) => (error === null ? resolve(rows) : reject(error)));
    });
    await expect(asked).rejects.toMatchObject(expected);
    const admin = await createConnection({ uri: url, connectTimeout: PATIENCE_MS });
    const ownIds = await idsOf(opened);
    const others = async () =>
      (
        await admin.query<RowDataPacket[]>(
          'SELECT id FROM information_schema.processlist WHERE db = DATABASE() AND id <> CONNECTION_ID() AND id NOT IN (?)',
          [ownIds],
        )
      )[0];
    await until('the connections to be closed', async () => (await others()).length === 0);
    await admin.end();
    await new Promise((resolve) => pool.end(resolve));
  });
});

it('a free connection that the server ended and the network broke afterwards does not end the process', async () => {
  const opened = await openTestDatabase('mariadb');
  const url = opened.url ?? '';
  const pool = preparingDriver({ session: 'DO 0', url }).createPool({ uri: url, connectionLimit: 1 });
  const take = () =>
    new Promise<PoolConnection>((resolve, reject) => {
      pool.getConnection((error, connection) => (error === null ? resolve(connection) : reject(error)));
    });
  const connection = await take();
  connection.release();
  const socket = socketOf(connection);
  // As MySQL 8 says goodbye; the driver then closes its half, and waits for the server's.
  socket.emit('data', errorPacket(4031, 'The client was disconnected because of inactivity'));
  expect(() => socket.emit('error', Object.assign(new Error('read ETIMEDOUT'), { code: 'ETIMEDOUT' }))).not.toThrow();
  const next = await take();
  expect(next).not.toBe(connection);
  next.release();
  await new Promise((resolve) => pool.end(resolve));
  socket.destroy();
  await opened.close();
});

it('a connection of a caller that sends one statement at a time takes no second one in a text', async () => {
  const opened = await openTestDatabase('mariadb');
  const database = await openDatabase({ url: opened.url, dataDir: opened.dataDir, poolSize: 1, sendsTogether: false });
  const one = { sql: 'SELECT 1 AS one', parameters: [] };
  expect(await database.readTogether([one])).toEqual([[{ one: 1 }]]);
  await expect(database.readTogether([one, one])).rejects.toMatchObject({ code: 'ER_PARSE_ERROR' });
  await database.close();
  await opened.close();
});

it('a connection is prepared once, so that a statement costs one round trip', async () => {
  const opened = await openTestDatabase('mariadb');
  const database = await openDatabase({ url: opened.url, dataDir: opened.dataDir, poolSize: 1 });
  const sent = async () => {
    const rows = await database.read<{ Value: string }>("SHOW SESSION STATUS LIKE 'Com_set_option'");
    return rows[0]?.Value;
  };
  const before = await sent();
  await database.write("INSERT INTO installation (name, value) VALUES ('once', '1')");
  await new SqlUnitOfWork(database).run(() => database.write("DELETE FROM installation WHERE name = 'once'"));
  expect(await sent()).toBe(before);
  await database.close();
  await opened.close();
});

/** The connections of the database itself, which has at most one while nothing is asked at once. */
async function idsOf({ database }: TestDatabase): Promise<number[]> {
  const rows = await database.read<{ id: number }>('SELECT CONNECTION_ID() AS id');
  return rows.map(({ id }) => id);
}

/** An ERR packet that answers no statement. */
function errorPacket(code: number, message: string): Buffer {
  const body = Buffer.concat([Buffer.from([0xff, code & 0xff, code >> 8]), Buffer.from(`#HY000${message}`)]);
  return Buffer.concat([Buffer.from([body.length, 0, 0, 0]), body]);
}
