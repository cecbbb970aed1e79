import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { RowDataPacket } from 'mysql2/promise';
import { makeFolder, startServices } from '../../../scripts/services.mjs';
import { TestAuthority } from '../../../scripts/test-authority.mjs';
import { connectTo } from './database.js';
import { seed } from './seed.js';
import { endAll, startSelectingFloor, startService } from './service.js';

describe('a database that only accepts TLS', () => {
  let folder: string;
  let other: TestAuthority;
  let database: Awaited<ReturnType<typeof startServices>>;
  let url: string;

  beforeAll(async () => {
    folder = await makeFolder();
    const ours = await TestAuthority.make(join(folder, 'ours'));
    other = await TestAuthority.make(join(folder, 'other'));
    const options = await ours.mariadbOptions('localhost');
    database = await startServices({ mariadb: true, mariadbOptions: [...options, '--require-secure-transport=ON'] });
    url = `${String(database.mariadbUrl).replace('127.0.0.1', 'localhost')}?ssl-mode=VERIFY_IDENTITY&ssl-ca=`;
    process.env.MAILSTEAD_TEST_MARIADB_URL = url + ours.file;
  });
  afterAll(async () => {
    await endAll();
    await database?.stop();
    await rm(folder, { recursive: true });
  });

  it('is filled, served and read by the benches as its URL says', async () => {
    const service = await startService('mariadb');
    const databaseUrl = service.databaseUrl ?? '';
    await service.stop();
    await seed(databaseUrl, { domains: 10, mailboxesPerDomain: 1 });
    const connection = await connectTo(databaseUrl);
    const [rows] = await connection.query<RowDataPacket[]>('SELECT COUNT(*) AS mailboxes FROM mailbox');
    const [[status]] = await connection.query<RowDataPacket[]>("SHOW STATUS LIKE 'Ssl_cipher'");
    await connection.end();
    expect({ rows, cipher: status?.Value }).toEqual({
      rows: [{ mailboxes: 10 }],
      cipher: expect.stringMatching(/^TLS_/),
    });
    const floor = await startSelectingFloor({ is: 'read' }, databaseUrl, 'SELECT 1');
    const answer = await fetch(`${floor.url}/domains/`);
    expect([answer.status, await answer.json()]).toEqual([200, { is: 'read' }]);
    await floor.stop();
  });

  it('is not reached by a bench with another authority', async () => {
    await expect(connectTo(url + other.file)).rejects.toThrow(/certificate/);
  });
});
