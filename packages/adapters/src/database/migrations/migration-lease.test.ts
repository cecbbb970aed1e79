import { until } from '@mailstead/core/testing/until';
import { PATIENCE_MS } from '../../../../../scripts/test-timeout.mjs';
import type { Database } from '../driver/database.js';
import { MYSQL_TIME } from '../driver/mysql-dialect.js';
import { emptyDatabases } from '../testing/empty-databases.js';
import { LeaseLost, MigrationLease } from './migration-lease.js';

const { openEmpty, close } = emptyDatabases();
afterEach(close);

async function open(count: number): Promise<Database[]> {
  return openEmpty('mariadb', count, 2);
}

const expire = (database: Database) => database.write('UPDATE migration_lease SET expires_at = 0');

describe('the lease of the migrations', () => {
  it('has one holder at a time, although all claim it at once on an empty database', async () => {
    const databases = await open(4);
    let holders = 0;
    const claimed = databases.map(async ({ writer }) => {
      const lease = await MigrationLease.claim(writer, PATIENCE_MS);
      holders += 1;
      expect(holders).toBe(1);
      await lease.check();
      holders -= 1;
      await lease.release();
    });
    await Promise.all(claimed);
  });

  it('of a killed holder ends within 15 s, by the clock of the database', async () => {
    const [database] = await open(1);
    if (database === undefined) throw new Error('No database was opened');
    const lease = await MigrationLease.claim(database.writer, PATIENCE_MS);
    const [row] = await database.read(`SELECT expires_at - ${MYSQL_TIME} AS left_ms FROM migration_lease`);
    expect(Number(row?.left_ms)).toBeLessThan(15_000);
    await lease.release();
  });

  it('of a killed holder is free when the clock of the database was set back meanwhile', async () => {
    const [database] = await open(1);
    if (database === undefined) throw new Error('No database was opened');
    await (await MigrationLease.claim(database.writer, PATIENCE_MS)).release();
    await database.write(`UPDATE migration_lease SET expires_at = ${MYSQL_TIME} + 3600000`);
    const next = await MigrationLease.claim(database.writer, PATIENCE_MS);
    await next.check();
    await next.release();
  });

  it('is renewed while it is held', async () => {
    const [database] = await open(1);
    if (database === undefined) throw new Error('No database was opened');
    const lease = await MigrationLease.claim(database.writer, PATIENCE_MS);
    const end = async () => Number((await database.read('SELECT expires_at FROM migration_lease'))[0]?.expires_at);
    const first = await end();
    await until('a renewal', async () => (await end()) > first);
    await lease.release();
  });

  it('lets no statement of a holder pass that lost it, except a rollback', async () => {
    const [former, other] = await open(2);
    if (former === undefined || other === undefined) throw new Error('No database was opened');
    const lost = await MigrationLease.claim(former.writer, PATIENCE_MS);
    const runner = former.writer.createQueryRunner();
    const end = lost.guard(runner);
    await runner.startTransaction();
    await expire(other);
    const taken = await MigrationLease.claim(other.writer, PATIENCE_MS);
    await expect(runner.query('CREATE TABLE late (id INT)')).rejects.toThrow(LeaseLost);
    await runner.rollbackTransaction();
    end();
    await runner.release();
    await lost.release();
    await taken.check();
    await taken.release();
  });

  it('is refused after the given time while another process holds it', async () => {
    const [holder, other] = await open(2);
    if (holder === undefined || other === undefined) throw new Error('No database was opened');
    const lease = await MigrationLease.claim(holder.writer, PATIENCE_MS);
    await expect(MigrationLease.claim(other.writer, 300)).rejects.toMatchObject({ code: 'database_unavailable' });
    await lease.release();
  });
});
