import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Connection, createConnection, type RowDataPacket } from 'mysql2/promise';
import { startServices } from '../../../../scripts/services.mjs';
import { until } from '../testing/until.js';
import { examineReplica } from './examine-replica.js';

const SECOND_MS = 1000;

describe('the doctor of a mail server that reads a replica', () => {
  let api: Server;
  let primary: Connection;
  let replica: Connection;
  let stop: () => Promise<unknown>;

  beforeAll(async () => {
    const [one, two] = await Promise.all(
      ['1', '2'].map(async (id) =>
        startServices({ mariadb: true, mariadbOptions: ['--log-bin', '--binlog-format=ROW', `--server-id=${id}`] }),
      ),
    );
    if (one === undefined || two === undefined) throw new Error('Two servers were wanted.');
    stop = async () => await Promise.all([one.stop(), two.stop()]);
    primary = await createConnection(one.mariadbUrl);
    replica = await createConnection(two.mariadbUrl);
    const [[master]] = await primary.query<RowDataPacket[]>('SHOW MASTER STATUS');
    const { hostname, port, username, password } = new URL(one.mariadbUrl);
    await replica.query(
      `CHANGE MASTER TO MASTER_HOST = ?, MASTER_PORT = ${port}, MASTER_USER = ?, MASTER_PASSWORD = ?,
       MASTER_LOG_FILE = ?, MASTER_LOG_POS = ${master?.Position}, MASTER_SSL_VERIFY_SERVER_CERT = 0`,
      [hostname, username, password, master?.File],
    );
    await replica.query('START SLAVE');
    await primary.query('CREATE TABLE mta_forwarding (id INT PRIMARY KEY, changed_at BIGINT) ENGINE=InnoDB');
    await primary.query('INSERT INTO mta_forwarding VALUES (1, 0)');
    await until('the replica to have the table', async () => {
      const [tables] = await replica.query<RowDataPacket[]>("SHOW TABLES LIKE 'mta_forwarding'");
      return tables.length > 0;
    });
    api = createServer((_request, response) => response.end('{}'));
    await once(api.listen(0, '127.0.0.1'), 'listening');
  });

  afterAll(async () => {
    await Promise.all([primary?.end(), replica?.end()]);
    await new Promise((resolve) => api.close(resolve));
    await stop?.();
  });

  const write = async (agoMs: number): Promise<number> => {
    const at = Date.now() - agoMs;
    await primary.query('UPDATE mta_forwarding SET changed_at = ?', [at]);
    return at;
  };
  const arrival = async (at: number): Promise<unknown> =>
    await until('the replica to have it', async () => {
      const [[row]] = await replica.query<RowDataPacket[]>('SELECT changed_at FROM mta_forwarding');
      return Number(row?.changed_at) === at;
    });
  const examine = async (url = `http://127.0.0.1:${(api.address() as AddressInfo).port}`) =>
    await examineReplica(replica, { database: { host: 'replica', port: 3306 }, api: { url } });

  it('finds nothing while the replica follows', async () => {
    await arrival(await write(0));
    expect(await examine()).toEqual({
      verdict: 'ok',
      sentence: 'The database at replica:3306 has what Mailstead writes.',
    });
  });

  it('waits for the next heartbeat before it complains about an old one', async () => {
    await arrival(await write(12 * SECOND_MS));
    const [finding] = await Promise.all([examine(), write(0)]);
    expect(finding).toMatchObject({ verdict: 'ok' });
  });

  it('warns about a lag above 10 s, and finds a replication that stopped, until it runs again', async () => {
    await arrival(await write(40 * SECOND_MS));
    await replica.query('STOP SLAVE');
    await write(0);
    expect(await examine()).toMatchObject({
      verdict: 'warning',
      sentence: expect.stringMatching(/^The database at replica:3306 is 4\d s behind what Mailstead writes/),
    });
    await replica.query('UPDATE mta_forwarding SET changed_at = changed_at - 300000');
    expect(await examine()).toMatchObject({
      verdict: 'wrong',
      sentence: expect.stringMatching(
        /does not get what Mailstead writes: nothing for 3\d\d s\. It is a replica that stopped/,
      ),
    });
    expect(await examine('http://127.0.0.1:9')).toMatchObject({
      verdict: 'warning',
      sentence: expect.stringContaining('cannot tell whether replication stopped'),
    });
    await replica.query('START SLAVE');
    await arrival(await write(0));
    expect(await examine()).toMatchObject({ verdict: 'ok' });
  });
});
