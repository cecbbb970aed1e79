import { randomBytes } from 'node:crypto';
import { scaleDeadlines } from '@mailstead/core/deadlines';
import { until } from '@mailstead/core/testing/until';
import { type BehindFront, hasConnection, openBehindFront } from '../testing/behind-front.js';
import { openTestDatabase, type TestDatabase } from '../testing/database-fixture.js';
import type { Database } from './database.js';
import { SqlUnitOfWork } from './sql-unit-of-work.js';

const POOL_SIZE = 8;

describe('a firewall that forgets the open connections without a word', () => {
  let direct: TestDatabase;
  let front: BehindFront['front'];
  let database: BehindFront['database'];
  let close: BehindFront['close'];

  beforeAll(async () => {
    scaleDeadlines(1);
    direct = await openTestDatabase('mariadb');
  });
  afterAll(() => direct.close());

  beforeEach(async () => {
    ({ front, database, close } = await openBehindFront(direct, POOL_SIZE));
  });
  afterEach(() => close());

  const read = () => database.read<{ one: number }>('SELECT 1 AS one');
  const idOf = async (opened: Database) =>
    (await opened.read<{ id: number }>('SELECT CONNECTION_ID() AS id'))[0]?.id ?? 0;
  const isOnServer = (id: number) => hasConnection(direct, id);
  /** Opens all connections of the pool. */
  const fillPool = () =>
    Promise.all(
      Array.from({ length: POOL_SIZE }, () =>
        database.read<{ id: number }>('SELECT CONNECTION_ID() AS id, SLEEP(0.2)'),
      ),
    );
  const count = async (name: string) =>
    (await direct.database.read<{ value: string }>('SELECT value FROM installation WHERE name = ?', [name]))[0]?.value;
  const newCount = async () => {
    const name = randomBytes(6).toString('hex');
    await direct.database.write('INSERT INTO installation (name, value) VALUES (?, 0)', [name]);
    return name;
  };

  it('delays one caller, and the next ones use new connections', async () => {
    await fillPool();
    expect(front.hush()).toBe(POOL_SIZE);
    // The first to ask waits until its answer is given up, or takes a connection that was asked first.
    await read().catch((error: unknown) => expect(error).toMatchObject({ code: 'database_unavailable' }));
    const limits = Array.from({ length: 3 * POOL_SIZE }, () => read());
    expect(await Promise.all(limits)).toEqual(limits.map(() => [{ one: 1 }]));
  });

  it('leaves nothing of the connections on the server', async () => {
    const ids = (await fillPool()).map(([row]) => row?.id ?? 0);
    front.hush();
    await read().catch(() => undefined);
    await Promise.all(ids.map(() => read()));
    await until('the server to have closed them', async () => {
      const open = await Promise.all(ids.map(isOnServer));
      return !open.includes(true);
    });
  });

  it('in the middle of a change has it run again, once, and frees the row for the next one', async () => {
    const name = await newCount();
    let runs = 0;
    await new SqlUnitOfWork(database).run(async () => {
      runs += 1;
      await database.write('UPDATE installation SET value = value + 1 WHERE name = ?', [name]);
      if (runs === 1) front.hush();
      await database.read('SELECT value FROM installation WHERE name = ?', [name]);
    });
    expect(runs).toBe(2);
    expect(await count(name)).toBe('1');
    await direct.database.write('UPDATE installation SET value = value + 1 WHERE name = ?', [name]);
    expect(await count(name)).toBe('2');
  });

  it('at the COMMIT is 503 and does not run the change again', async () => {
    const name = await newCount();
    let runs = 0;
    const change = new SqlUnitOfWork(database).run(async () => {
      runs += 1;
      await database.write('UPDATE installation SET value = value + 1 WHERE name = ?', [name]);
      front.hush();
    });
    await expect(change).rejects.toMatchObject({ code: 'database_unavailable' });
    expect(runs).toBe(1);
    // The COMMIT did not arrive; the server has ended the transaction with its connection.
    await direct.database.write('UPDATE installation SET value = value + 1 WHERE name = ?', [name]);
    expect(await count(name)).toBe('1');
  });

  it('is told from a statement that waits for a lock, which goes on', async () => {
    const name = await newCount();
    const holder = direct.database.writer.createQueryRunner();
    await holder.query('START TRANSACTION');
    await holder.query('UPDATE installation SET value = 5 WHERE name = ?', [name]);
    let isDone = false;
    let id = 0;
    const change = new SqlUnitOfWork(database).run(async () => {
      id = await idOf(database);
      await database.write('UPDATE installation SET value = value + 1 WHERE name = ?', [name]);
      isDone = true;
    });
    // A statement is asked after 2.5 s; the server says how long it has worked.
    await until('the statement to be asked', async () => {
      const [row] = await direct.database.read<{ time: string }>(
        'SELECT time_ms AS time FROM information_schema.processlist WHERE id = ? AND info LIKE ?',
        [id, 'UPDATE%'],
      );
      return Number(row?.time ?? 0) > 4_000;
    });
    expect(isDone).toBe(false);
    await holder.query('COMMIT');
    await holder.release();
    await change;
    expect(await count(name)).toBe('6');
  });
});
