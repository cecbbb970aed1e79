import { randomBytes } from 'node:crypto';
import { readdir, readFile, readlink } from 'node:fs/promises';
import { scaleDeadlines } from '@mailstead/core/deadlines';
import { TcpBalancer } from '@mailstead/core/testing/tcp-balancer';
import { until } from '@mailstead/core/testing/until';
import { untilAvailable } from '@mailstead/core/testing/until-available';
import type { PoolConnection } from 'mysql2';
import { type BehindFront, hasConnection, openBehindFront } from '../testing/behind-front.js';
import { openTestDatabase, type TestDatabase } from '../testing/database-fixture.js';
import { takeConnection } from './mysql-driver.js';
import { openDatabase } from './open-database.js';
import { SqlUnitOfWork } from './sql-unit-of-work.js';

const POOL_SIZE = 4;

describe('connections that a firewall forgot', () => {
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

  const isOnServer = (id: number) => hasConnection(direct, id);
  const fillPool = () => Promise.all(Array.from({ length: POOL_SIZE }, () => database.read('SELECT SLEEP(0.2)')));

  describe('under the statements of a migration', () => {
    it('end them as lost, and free what they hold on the server', async () => {
      const runner = database.writer.createQueryRunner();
      const [row] = (await runner.query("SELECT CONNECTION_ID() AS id, GET_LOCK('of_a_step', 0)")) as { id: number }[];
      front.hush();
      await expect(runner.query('DO 1')).rejects.toMatchObject({ code: 'PROTOCOL_CONNECTION_LOST' });
      await runner.release();
      await until('the server to have ended it', async () => !(await isOnServer(row?.id ?? 0)));
      expect(await database.writer.query("SELECT GET_LOCK('of_a_step', 0) AS taken")).toEqual([{ taken: 1 }]);
    });

    it('are told from those that the server works on, however long', async () => {
      const runner = database.writer.createQueryRunner();
      // Longer than the silence after which the server is asked, and the second look.
      expect(await runner.query('SELECT SLEEP(5) AS ended')).toEqual([{ ended: 0 }]);
      await runner.release();
    });

    it('end them as lost when the server works no more, and cannot get rid of the answer', async () => {
      const runner = database.writer.createQueryRunner();
      // The server itself would give up after a minute.
      await runner.query('SET SESSION net_write_timeout = 600');
      // More than the buffers of all sockets on the way hold.
      const large = runner.query("SELECT IF(seq = 1, SLEEP(1), 0), REPEAT('x', 10000000) FROM seq_1_to_20");
      const outcome = large.catch((error: unknown) => error);
      await until('the server to have the statement', async () => {
        const rows = await direct.database.read(
          "SELECT 1 FROM information_schema.processlist WHERE info LIKE 'SELECT IF(seq%'",
        );
        return rows.length === 1;
      });
      front.hush();
      expect(await outcome).toMatchObject({ code: 'PROTOCOL_CONNECTION_LOST' });
      await runner.release();
    });
  });

  it('keep no socket of this process when the pool closes them, because nobody uses them', async () => {
    const connection = (await takeConnection(database.writer)) as unknown as PoolConnection;
    const before = await socketsTo(front.port);
    front.hush();
    connection.end();
    expect(before.size).toBe(1);
    await until('the socket to be closed', async () => (await socketsTo(front.port)).size === 0);
  });

  it('keep no socket of this process once they are given up', async () => {
    await fillPool();
    const before = await socketsTo(front.port);
    front.hush();
    await database.read('SELECT 1').catch(() => undefined);
    await new SqlUnitOfWork(database).run(() => database.read('SELECT 1'));
    await fillPool();
    expect(before.size).toBeGreaterThanOrEqual(POOL_SIZE);
    await until('the old sockets to be closed', async () => {
      const now = await socketsTo(front.port);
      return [...before].every((socket) => !now.has(socket));
    });
  });
});

it('a statement of which no server tells anything for a minute is lost, because nothing else would end it', async () => {
  const opened = await openTestDatabase('mariadb');
  const own = new URL(opened.url ?? '');
  own.username = `u_${randomBytes(4).toString('hex')}`;
  own.password = randomBytes(12).toString('hex');
  const account = `'${own.username}'@'%'`;
  // The forgotten connection is the last one that the account may have, so that no new one can ask about it.
  const create = `CREATE USER ${account} IDENTIFIED BY '${own.password}' WITH MAX_USER_CONNECTIONS 1`;
  await opened.database.writer.query(create);
  await opened.database.writer.query(`GRANT ALL ON \`${own.pathname.slice(1)}\`.* TO ${account}`);
  const front = await TcpBalancer.start([Number(own.port)], 'backup');
  // The minute is six seconds. The first connection may be slower than a tenth of its deadlines.
  scaleDeadlines(0.1);
  const database = await untilAvailable(() =>
    openDatabase({ url: front.urlOf(own.toString()), dataDir: opened.dataDir, poolSize: 1 }),
  );
  const runner = database.writer.createQueryRunner();
  await runner.query('DO 1');
  front.hush();
  await expect(runner.query('DO 1')).rejects.toMatchObject({ code: 'PROTOCOL_CONNECTION_LOST' });
  scaleDeadlines(1);
  await runner.release();
  await front.stop();
  await database.close();
  await opened.database.writer.query(`DROP USER ${account}`);
  await opened.close();
});

it('the server ends a connection of the service that nobody used for three minutes, also when its client is gone', async () => {
  const opened = await openTestDatabase('mariadb');
  const service = await openDatabase({
    url: opened.url,
    dataDir: opened.dataDir,
    poolSize: 1,
    endsSilentTransactions: true,
  });
  // The pool closes its connections after a minute without use, so it never meets one that the server ended.
  expect(await service.read('SELECT @@wait_timeout AS seconds')).toEqual([{ seconds: 180 }]);
  await service.close();
  await opened.close();
});

/** The sockets of this process that are connected to a port; none without /proc. */
async function socketsTo(port: number): Promise<Set<string>> {
  const table = await readFile('/proc/net/tcp', 'utf8').catch(() => '');
  const remote = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  const fields = table.split('\n').map((line) => line.trim().split(/ +/));
  const inodes = new Set(fields.filter(([, , to]) => to?.endsWith(remote)).map((line) => line[9]));
  const names = await readdir('/proc/self/fd').catch(() => []);
  const targets = await Promise.all(names.map((name) => readlink(`/proc/self/fd/${name}`).catch(() => '')));
  return new Set(targets.filter((target) => inodes.has(/^socket:\[(\d+)\]$/.exec(target)?.[1] ?? '')));
}
