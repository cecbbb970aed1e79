import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server } from 'node:net';
import { refuseLimitedDump } from '../recovery/dump-limits.js';
import { makeTestLocation, type TestLocation } from '../testing/database-fixture.js';
import { mysqlProbe } from './mysql-probe.js';
import { parseMysqlUrl } from './mysql-url.js';
import { openDatabase } from './open-database.js';

describe('a database at an IPv6 address', () => {
  let location: TestLocation;
  let passage: Server;
  let url: string;

  beforeAll(async () => {
    location = await makeTestLocation('mariadb');
    const { host, port } = parseMysqlUrl(location.url ?? '');
    passage = createServer((client) => {
      const server = connect(port, host);
      client.on('error', () => server.destroy()).pipe(server);
      server.on('error', () => client.destroy()).pipe(client);
    }).listen(0, '::1');
    await once(passage, 'listening');
    const changed = new URL(location.url ?? '');
    changed.host = `[::1]:${(passage.address() as AddressInfo).port}`;
    url = changed.href;
  });
  afterAll(async () => {
    await new Promise((resolve) => passage.close(resolve));
    await location.remove();
  });

  it('is reached by the pool, by the probe and before a backup', async () => {
    const database = await openDatabase({ url, dataDir: '', poolSize: 2 });
    expect(await database.read('SELECT 1 AS one')).toEqual([{ one: 1 }]);
    await database.close();
    expect(await mysqlProbe(url)()).toBe(true);
    expect(await refuseLimitedDump(url)).toBeUndefined();
  });
});
