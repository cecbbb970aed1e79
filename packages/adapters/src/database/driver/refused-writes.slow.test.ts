import { createConnection } from 'mysql2/promise';
import { startServices } from '../../../../../scripts/services.mjs';
import { PATIENCE_MS } from '../../../../../scripts/test-timeout.mjs';
import { WriteProbe } from '../health/write-probe.js';
import { migrate } from '../migrations/migrate.js';
import { openDatabase } from './open-database.js';
import { SqlUnitOfWork } from './sql-unit-of-work.js';

it('a MariaDB with read_only refuses writes as unavailable, and the probe reports it until it is off', async () => {
  const services = await startServices({ mariadb: true });
  try {
    const admin = await createConnection({ uri: services.mariadbUrl, connectTimeout: PATIENCE_MS });
    await admin.query("CREATE USER service@'127.0.0.1' IDENTIFIED BY 'secret'");
    await admin.query("GRANT ALL ON mailstead_test.* TO service@'127.0.0.1'");
    const url = new URL(services.mariadbUrl);
    url.username = 'service';
    url.password = 'secret';
    const database = await openDatabase({ url: url.toString(), dataDir: '', poolSize: 4 });
    await migrate(database);
    const unitOfWork = new SqlUnitOfWork(database);
    const probe = () => new WriteProbe(database, unitOfWork).problem();
    const set = (name: string) =>
      unitOfWork.run(() => database.write("INSERT INTO installation (name, value) VALUES (?, '1')", [name]));
    expect(await probe()).toBeNull();
    await admin.query('SET GLOBAL read_only = ON');
    await expect(set('refused')).rejects.toMatchObject({ code: 'database_unavailable' });
    expect(await probe()).toContain('does not write');
    expect(await database.read("SELECT name FROM installation WHERE name = 'refused'")).toEqual([]);
    await admin.query('SET GLOBAL read_only = OFF');
    expect(await probe()).toBeNull();
    await set('kept');
    expect(await database.read("SELECT name FROM installation WHERE name IN ('refused', 'kept')")).toMatchObject([
      { name: 'kept' },
    ]);
    await database.close();
    await admin.end();
  } finally {
    await services.stop();
  }
});
