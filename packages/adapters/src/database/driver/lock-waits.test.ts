import { scaleDeadlines } from '@mailstead/core/deadlines';
import { openTestDatabase, type TestDatabase } from '../testing/database-fixture.js';
import type { Database } from './database.js';
import { openDatabase } from './open-database.js';
import { SqlUnitOfWork } from './sql-unit-of-work.js';

describe('a unit of work on MariaDB', () => {
  let opened: TestDatabase;
  /** Another process, with one connection. */
  let replica: Database;
  let letGo: () => void;
  let held: Promise<unknown>;

  /** A database that does not say in time that it is alive is unavailable. */
  const refusal = { code: expect.stringMatching(/^(busy|database_unavailable)$/) };
  const lock = "SELECT value FROM installation WHERE name = 'x' FOR UPDATE";

  beforeAll(async () => {
    // A lock is waited for for 3 s instead of 10. Nothing here must be answered in time.
    scaleDeadlines(0.3);
    opened = await openTestDatabase('mariadb');
    replica = await openDatabase({ url: opened.url, dataDir: opened.dataDir, poolSize: 1 });
    await opened.database.write("INSERT INTO installation (name, value) VALUES ('x', '0')");
  });
  afterAll(async () => {
    await replica.close();
    await opened.close();
  });

  beforeEach(async () => {
    let hasLock: () => void = () => undefined;
    const locked = new Promise<void>((resolve) => {
      hasLock = resolve;
    });
    const released = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    held = new SqlUnitOfWork(replica).run(async () => {
      await replica.read(lock);
      hasLock();
      await released;
    });
    await locked;
  });
  afterEach(async () => {
    letGo();
    await held;
  });

  it('is refused while another process holds its lock, and keeps nothing', async () => {
    const work = new SqlUnitOfWork(opened.database).run(async () => {
      await opened.database.write("INSERT INTO installation (name, value) VALUES ('y', '0')");
      await opened.database.read(lock);
    });
    await expect(work).rejects.toMatchObject(refusal);
    expect(await opened.database.read("SELECT name FROM installation WHERE name = 'y'")).toEqual([]);
  });

  it('is refused while no connection is free, and not begun later', async () => {
    let runs = 0;
    const work = new SqlUnitOfWork(replica).run(async () => {
      runs += 1;
    });
    await expect(work).rejects.toMatchObject(refusal);
    letGo();
    await held;
    await replica.write("UPDATE installation SET value = '1' WHERE name = 'x'");
    expect(runs).toBe(0);
  });
});
