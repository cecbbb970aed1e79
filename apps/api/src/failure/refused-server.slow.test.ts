import { connect, createServer, type Server } from 'node:net';
import { until } from '@mailstead/core/testing/until';
import { createConnection } from 'mysql2/promise';
import { freePort } from '../../../../scripts/free-port.mjs';
import { startServices } from '../../../../scripts/services.mjs';
import { PATIENCE_MS } from '../../../../scripts/test-timeout.mjs';
import { ChildService } from '../testing/child-service.js';
import { ChildServices } from '../testing/child-services.js';

it('the start on a MariaDB with a binary log of statements ends with a sentence that says what to set', async () => {
  const services = await startServices({
    mariadb: true,
    mariadbOptions: ['--log-bin=binlog', '--server-id=1', '--binlog-format=STATEMENT'],
  });
  try {
    const start = ChildService.start({ DATABASE_URL: services.mariadbUrl });
    await expect(start).rejects.toThrow(
      'binlog_format is STATEMENT, with which every change fails: set binlog_format=ROW',
    );
  } finally {
    await services.stop();
  }
});

it('the start with an address that no network leads to ends and names DATABASE_URL', async () => {
  const api = await ChildService.spawn('api', { DATABASE_URL: 'mysql://limited:secret@224.0.0.1:3306/mail' });
  expect(await api.exit()).toBe(1);
  expect(api.output).toContain('ENETUNREACH');
  expect(api.output).toContain('DATABASE_URL');
});

it.each([
  ['locks the account', "ALTER USER 'limited'@'%' ACCOUNT LOCK", /this account is locked/],
  ['takes the right on the database away', "REVOKE ALL ON mail.* FROM 'limited'@'%'", /Access denied for user/],
])(
  'the start on a MariaDB that %s ends, names DATABASE_URL and tells the sentence of the server',
  async (_, change, sentence) => {
    const services = await startServices({ mariadb: true });
    try {
      const admin = await createConnection({ uri: services.mariadbUrl, connectTimeout: PATIENCE_MS });
      await admin.query('CREATE DATABASE mail');
      await admin.query("CREATE USER 'limited'@'%' IDENTIFIED BY 'secret'");
      await admin.query("GRANT ALL ON mail.* TO 'limited'@'%'");
      await admin.query(change);
      await admin.end();
      const url = new URL(services.mariadbUrl);
      Object.assign(url, { username: 'limited', password: 'secret', pathname: '/mail' });
      const api = await ChildService.spawn('api', { DATABASE_URL: url.toString() });
      expect(await api.exit()).toBe(1);
      expect(api.output).toContain('DATABASE_URL');
      expect(api.output).toMatch(sentence);
      expect(api.output).not.toContain('secret');
    } finally {
      await services.stop();
    }
  },
);

/** The server sees another address than that of this machine's loopback, whose errors it does not count. */
const CLIENT = '127.0.0.2';

describe('a MariaDB that refuses all new connections of a running API', () => {
  const services = new ChildServices();
  let server: Awaited<ReturnType<typeof startServices>>;
  let relay: Server;
  let environment: Record<string, string>;
  let serverPort: number;

  beforeAll(async () => {
    server = await startServices({
      mariadb: true,
      mariadbOptions: ['--skip-name-resolve=0', '--max-connect-errors=1', '--max-user-connections=500'],
      mariadbStatements: [
        'CREATE DATABASE IF NOT EXISTS mail',
        "CREATE USER IF NOT EXISTS 'limited'@'%' IDENTIFIED BY 'secret'",
        "GRANT ALL ON mail.* TO 'limited'@'%'",
      ],
    });
    const url = new URL(server.mariadbUrl ?? '');
    serverPort = Number(url.port);
    const port = await freePort();
    relay = createServer((client) => {
      const behind = connect({ port: serverPort, host: '127.0.0.1', localAddress: CLIENT });
      client.on('error', () => behind.destroy()).pipe(behind);
      behind.on('error', () => client.destroy()).pipe(client);
    }).listen(port, '127.0.0.1');
    Object.assign(url, { username: 'limited', password: 'secret', pathname: '/mail', port: String(port) });
    environment = { ...(await services.environment('sqlite')), DATABASE_URL: url.toString() };
  });
  afterAll(async () => {
    await services.end();
    relay.close();
    await server.stop();
  });

  async function asAdmin(sql: string): Promise<void> {
    const admin = await createConnection({ uri: server.mariadbUrl, connectTimeout: PATIENCE_MS });
    await admin.query(sql);
    await admin.end();
  }

  /**
   * An answer to the greeting that is none counts as an error of the host. The server closes the connection, which is a
   * reset when it has not read the whole answer.
   */
  function makeConnectionErrors(): Promise<void> {
    return new Promise((resolve, reject) => {
      const socket = connect({ port: serverPort, host: '127.0.0.1', localAddress: CLIENT });
      socket.once('data', () => socket.end(Buffer.alloc(64, 'z')));
      socket.once('close', () => resolve());
      socket.once('error', (error: NodeJS.ErrnoException) => {
        if (error.code !== 'ECONNRESET') reject(error);
      });
    });
  }

  it.each([
    [
      'counts too many of the account (1203)',
      () => asAdmin('SET GLOBAL max_user_connections = 1'),
      () => asAdmin('SET GLOBAL max_user_connections = 500'),
      /more than 'max_user_connections' active connections/,
    ],
    [
      'blocks the host after errors (1129)',
      async () => {
        for (let count = 0; count < 3; count += 1) await makeConnectionErrors();
      },
      () => asAdmin('FLUSH HOSTS'),
      /is blocked because of many connection errors/,
    ],
  ])(
    'because it %s is 503 with its sentence in the log once, until it accepts them',
    async (_, refuse, accept, sentence) => {
      // A process tells one sentence a minute.
      const api = await services.start(environment);
      expect(await api.readyAnew()).toBe(200);
      await refuse();
      // For 1203 one connection is left, to whoever asks first.
      await asAdmin('KILL USER limited');
      const asked = Array.from({ length: 8 }, (__, index) => [
        api.call('GET', '/domains/'),
        api.call('POST', '/domains/', { name: `d${index}.example` }),
      ]).flat();
      const refused = (await Promise.all(asked)).filter(({ status }) => status >= 500);
      expect(refused.length).toBeGreaterThan(0);
      for (const { status, body } of refused) expect([status, body.code]).toEqual([503, 'database_unavailable']);
      expect(api.output.match(new RegExp(sentence, 'g'))).toHaveLength(1);
      await accept();
      await until('readiness', async () => (await api.readyAnew()) === 200);
      expect((await api.call('GET', '/domains/')).status).toBe(200);
      await api.end('SIGTERM');
    },
  );
});
