import { MINUTE_MS } from '@mailstead/core/clock';
import { FixedClock } from '@mailstead/core/testing/fixed-clock';
import { jobStoreContract } from '@mailstead/core/testing/job-store-contract';
import type { Database, Parameter } from '../driver/database.js';
import { SqlUnitOfWork } from '../driver/sql-unit-of-work.js';
import { onEachDatabase, openTestDatabase, type TestDatabase } from '../testing/database-fixture.js';
import { openAgain } from '../testing/open-again.js';
import { SqlJobStore } from './job-store.js';

const storeOf = (database: Database) => new SqlJobStore(database, new SqlUnitOfWork(database));

/**
 * The same database, but reads take no locks, as on another node of a Galera cluster.
 *
 * @param afterRead called after each read of due jobs
 */
function withoutLocks(database: Database, afterRead = async () => {}): Database {
  return Object.assign(Object.create(database) as Database, {
    read: async (sql: string, parameters: Parameter[] = []) => {
      const rows = await database.read(sql.replace(' FOR UPDATE SKIP LOCKED', ''), parameters);
      if (sql.includes('SKIP LOCKED')) await afterRead();
      return rows;
    },
  });
}

onEachDatabase((kind) => {
  describe.each([
    ['locks of the reader', (database: Database) => database],
    ['no locks of the reader', withoutLocks],
  ])('with %s', (_, as) => {
    let opened: TestDatabase;
    let other: Database;
    afterAll(async () => {
      if (other !== opened.database) await other.close();
      await opened.close();
    });

    jobStoreContract(async () => {
      opened = await openTestDatabase(kind);
      other = await openAgain(opened);
      return {
        stores: [storeOf(as(opened.database)), storeOf(as(other))],
        clear: async () => void (await opened.database.write('DELETE FROM job')),
      };
    });

    it('does not claim a job with an unknown name', async () => {
      await opened.database.write('DELETE FROM job');
      await opened.database.write(
        "INSERT INTO job (name, payload, state, run_at, attempts, created_at) VALUES ('future.job', '{}', 'waiting', 0, 0, 0)",
      );
      const store = storeOf(as(opened.database));
      expect(await store.dueQueues(new Date())).toEqual([]);
      expect(await store.claim('verification', 10, 'o', new Date(), MINUTE_MS)).toEqual([]);
    });
  });
});

/** Only on MariaDB, because SQLite has one writer. */
it('a claim skips jobs that another one claimed after its read, and continues with the next ones', async () => {
  const opened = await openTestDatabase('mariadb');
  const other = await openAgain(opened);
  try {
    const clock = new FixedClock();
    const claim = (by: SqlJobStore, limit: number, owner: string) =>
      by.claim('verification', limit, owner, clock.now(), MINUTE_MS);
    const rival = storeOf(other);
    const rivals: number[] = [];
    const store = storeOf(
      withoutLocks(opened.database, async () => {
        if (rivals.length === 0) rivals.push(...(await claim(rival, 2, 'rival')).map(({ id }) => id));
      }),
    );
    for (let domainId = 1; domainId <= 3; domainId += 1)
      await rival.add('domain.verify', { domainId }, {}, clock.now());
    const jobs = await claim(store, 2, 'first');
    expect(rivals).toHaveLength(2);
    expect(jobs.map(({ payload }) => payload)).toEqual([{ domainId: 3 }]);
  } finally {
    await other.close();
    await opened.close();
  }
});
