import { until } from '@mailstead/core/testing/until';
import { openTestDatabase, type TestDatabase } from '../testing/database-fixture.js';
import { SqlUnitOfWork } from './sql-unit-of-work.js';

describe('a unit of work that the server interrupts', () => {
  let opened: TestDatabase;

  beforeAll(async () => {
    opened = await openTestDatabase('mariadb');
    await opened.database.write("INSERT INTO installation (name, value) VALUES ('x', '0')");
  });
  afterAll(() => opened.close());

  const lock = { sql: "SELECT value FROM installation WHERE name = 'x' FOR UPDATE", parameters: [] };
  const set = { sql: "UPDATE installation SET value = '1' WHERE name = 'x'", parameters: [] };
  const connectionId = async () =>
    (await opened.database.read<{ id: number }>('SELECT CONNECTION_ID() AS id'))[0]?.id ?? 0;

  const isGone = async (id: number) =>
    (await opened.database.writer.query('SELECT 1 FROM information_schema.processlist WHERE id = ?', [id])).length ===
    0;

  it('runs again when its connection is lost before the COMMIT is sent, and keeps its writes once', async () => {
    let runs = 0;
    await new SqlUnitOfWork(opened.database).run(async () => {
      runs += 1;
      await opened.database.write("UPDATE installation SET value = value + 1 WHERE name = 'x'");
      if (runs > 1) return;
      const id = await connectionId();
      await opened.database.writer.query(`KILL CONNECTION ${id}`);
      await until('the connection to be gone', () => isGone(id));
      await opened.database.read(lock.sql);
    });
    expect(runs).toBe(2);
    expect(await opened.database.read(lock.sql)).toEqual([{ value: '1' }]);
    await opened.database.write("UPDATE installation SET value = '0' WHERE name = 'x'");
  });

  it.each(['commit', 'finish'])('runs again when the server ended it in silence before its %s', async (end) => {
    let runs = 0;
    await new SqlUnitOfWork(opened.database).run(async () => {
      runs += 1;
      await opened.database.read('SET SESSION idle_transaction_timeout = 1');
      await opened.database.write("UPDATE installation SET value = value + 1 WHERE name = 'x'");
      const id = await connectionId();
      if (runs === 1) await until('the connection to be gone', () => isGone(id));
      else await opened.database.read('SET SESSION idle_transaction_timeout = 0');
      if (end === 'finish') await opened.database.finish([lock]);
    });
    expect(runs).toBe(2);
    expect(await opened.database.read(lock.sql)).toEqual([{ value: '1' }]);
    await opened.database.write("UPDATE installation SET value = '0' WHERE name = 'x'");
  });

  it('is 503 when its connection is lost in each attempt', async () => {
    const work = new SqlUnitOfWork(opened.database).run(async () => {
      await opened.database.write(set.sql);
      await opened.database.writer.query(`KILL CONNECTION ${await connectionId()}`);
      await opened.database.read(lock.sql);
    });
    await expect(work).rejects.toMatchObject({ code: 'database_unavailable' });
    expect(await opened.database.read(lock.sql)).toEqual([{ value: '0' }]);
  });

  it('is 503, runs once and keeps nothing when its connection is killed before the commit is acknowledged', async () => {
    let runs = 0;
    const work = new SqlUnitOfWork(opened.database).run(async () => {
      runs += 1;
      await opened.database.together([set]);
      await opened.database.writer.query(`KILL CONNECTION ${await connectionId()}`);
      await opened.database.finish([lock]);
    });
    await expect(work).rejects.toMatchObject({ code: 'database_unavailable' });
    expect(runs).toBe(1);
    expect(await opened.database.read(lock.sql)).toEqual([{ value: '0' }]);
  });

  it('is 503 and runs once when its statement is interrupted', async () => {
    const holder = opened.database.writer.createQueryRunner();
    await holder.query('START TRANSACTION');
    await holder.query(lock.sql);
    let runs = 0;
    let id = 0;
    const work = new SqlUnitOfWork(opened.database).run(async () => {
      runs += 1;
      id = await connectionId();
      await opened.database.read(lock.sql);
    });
    const outcome = work.catch((error: unknown) => error);
    const waits = async () =>
      (
        await opened.database.read(
          "SELECT 1 FROM information_schema.processlist WHERE id = ? AND info LIKE '%FOR UPDATE'",
          [id],
        )
      ).length === 1;
    await until('the statement to wait for the lock', waits);
    await opened.database.writer.query(`KILL QUERY ${id}`);
    expect(await outcome).toMatchObject({ code: 'database_unavailable', cause: { errno: 1317 } });
    expect(runs).toBe(1);
    await holder.query('ROLLBACK');
    await holder.release();
  });
});
