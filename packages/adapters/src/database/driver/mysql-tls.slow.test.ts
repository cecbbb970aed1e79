import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { scaleDeadlines } from '@mailstead/core/deadlines';
import { TcpBalancer } from '@mailstead/core/testing/tcp-balancer';
import { createConnection } from 'mysql2/promise';
import { makeFolder, startServices } from '../../../../../scripts/services.mjs';
import { TestAuthority, VALID } from '../../../../../scripts/test-authority.mjs';
import { startMariadb } from '../../recovery/mariadb-programs.js';
import { BackupWorld } from '../../recovery/testing/backup-world.js';
import { migrate } from '../migrations/migrate.js';
import { refuseLimitedDump } from '../recovery/dump-limits.js';
import { mysqlProbe } from './mysql-probe.js';
import { openDatabase } from './open-database.js';

const CIPHER = "SHOW STATUS LIKE 'Ssl_cipher'";
/** What the server is reached at, and a name that it is not reached at. */
const [NAME, OTHER_NAME] = ['localhost', 'db.example'];

/** Of MariaDB 10.11 and of 11.8. */
const OTHER_NAME_REFUSED = /^refused: .*(Validation of SSL server certificate|Hostname verification) failed/;

describe('a database that is reached with TLS', () => {
  let folder: string;
  let ours: TestAuthority;
  let other: TestAuthority;
  let encrypted: Awaited<ReturnType<typeof startWith>>;
  let plain: Awaited<ReturnType<typeof startWith>>;
  const world = new BackupWorld('mariadb');

  beforeAll(async () => {
    folder = await makeFolder();
    ours = await TestAuthority.make(join(folder, 'ours'));
    other = await TestAuthority.make(join(folder, 'other'));
    const options = await ours.mariadbOptions(NAME);
    encrypted = await startWith([...options, '--require-secure-transport=ON']);
    // Since 11.4 MariaDB makes a certificate when it has none.
    plain = await startWith(['--skip-ssl']);
    await world.open();
  });
  afterEach(async () => {
    await ours.renew(VALID.now);
    await certify({});
  });
  afterAll(async () => {
    await world.close();
    await encrypted?.stop();
    await plain?.stop();
    await rm(folder, { recursive: true });
  });

  /** @returns what each kind of connection says of its encryption; an error as its text */
  async function answers(url: string) {
    const outcome = (work: Promise<unknown>) => work.catch((error: Error) => `refused: ${error.message}`);
    return {
      pool: await outcome(cipherOfPool(url)),
      probe: await mysqlProbe(url)(),
      beforeBackup: await outcome(refuseLimitedDump(url)),
      program: await outcome(cipherOfProgram(url)),
    };
  }

  it.each([
    ['REQUIRED', NAME],
    ['REQUIRED', OTHER_NAME],
    ['VERIFY_CA', NAME],
    ['VERIFY_IDENTITY', NAME],
  ])(
    'with ssl-mode=%s and a certificate for %s is encrypted for the pool, the probe, before a backup and for the programs',
    async (mode, name) => {
      await certify({ name });
      expect(await answers(urlOf(encrypted, mode, ours))).toEqual({
        pool: expect.stringMatching(/^TLS_/),
        probe: true,
        beforeBackup: undefined,
        program: expect.stringMatching(/^Ssl_cipher\tTLS_/),
      });
    },
  );

  it('a connection with TLS that a firewall forgot is lost, and the next one is answered', async () => {
    scaleDeadlines(1);
    const url = urlOf(encrypted, 'VERIFY_IDENTITY', ours);
    const front = await TcpBalancer.start([Number(new URL(url).port)], 'backup');
    const database = await openDatabase({ url: front.urlOf(url), dataDir: folder, poolSize: 1 });
    const runner = database.writer.createQueryRunner();
    expect(await runner.query("SELECT SLEEP(4), REPEAT('x', 1000000) = '' AS short")).toHaveLength(1);
    front.hush();
    await expect(runner.query('DO 1')).rejects.toMatchObject({ code: 'PROTOCOL_CONNECTION_LOST' });
    await runner.release();
    expect(await database.read('SELECT 1 AS one')).toEqual([{ one: 1 }]);
    await front.stop();
    await database.close();
  });

  it.each(['VERIFY_CA', 'VERIFY_IDENTITY'])(
    'with ssl-mode=%s and another authority is reached by nobody',
    async (mode) => {
      expect(await answers(urlOf(encrypted, mode, other))).toEqual({
        pool: expect.stringMatching(/^refused: .*certificate/),
        probe: false,
        beforeBackup: expect.stringMatching(/^refused: .*certificate/),
        program: expect.stringMatching(/^refused: .*TLS\/SSL error/),
      });
    },
  );

  it.each([
    ['authority', 'has expired', () => ours.renew(VALID.expired)],
    ['authority', 'is not yet valid', () => ours.renew(VALID.later)],
    ['server', 'has expired', () => certify({ validity: VALID.expired })],
    ['server', 'is not yet valid', () => certify({ validity: VALID.later })],
  ])('is reached by nobody when the certificate of the %s %s', async (_, reason, change) => {
    await change();
    const sentence = expect.stringMatching(new RegExp(`^refused: .*certificate ${reason}`));
    for (const mode of ['VERIFY_CA', 'VERIFY_IDENTITY']) {
      expect(await answers(urlOf(encrypted, mode, ours))).toEqual({
        pool: sentence,
        probe: false,
        beforeBackup: sentence,
        program: sentence,
      });
    }
  });

  it('with ssl-mode=VERIFY_IDENTITY and another name is reached by nobody', async () => {
    await certify({ name: OTHER_NAME });
    expect(await answers(urlOf(encrypted, 'VERIFY_IDENTITY', ours))).toEqual({
      pool: expect.stringMatching(/^refused: .*does not match certificate/),
      probe: false,
      beforeBackup: expect.stringMatching(/^refused: .*does not match certificate/),
      program: expect.stringMatching(OTHER_NAME_REFUSED),
    });
  });

  it('with ssl-mode=VERIFY_CA and another name is reached by the service, and by no program, which cannot verify the authority alone', async () => {
    await certify({ name: OTHER_NAME });
    expect(await answers(urlOf(encrypted, 'VERIFY_CA', ours))).toEqual({
      pool: expect.stringMatching(/^TLS_/),
      probe: true,
      beforeBackup: undefined,
      program: expect.stringMatching(OTHER_NAME_REFUSED),
    });
  });

  it.each(['REQUIRED', 'VERIFY_CA', 'VERIFY_IDENTITY'])(
    'with ssl-mode=%s is not reached in plain text',
    async (mode) => {
      const url = urlOf(plain, mode, ours);
      expect(await answers(url)).toMatchObject({
        pool: expect.stringMatching(/^refused: .*does not support secure connection/),
        probe: false,
        beforeBackup: expect.stringMatching(/^refused: .*does not support secure connection/),
        ...(mode === 'REQUIRED' ? {} : { program: expect.stringMatching(/^refused: .*SSL is required/) }),
      });
    },
  );

  it.each(['REQUIRED', 'VERIFY_CA', 'VERIFY_IDENTITY'])('with ssl-mode=%s is backed up and restored', async (mode) => {
    const [from, to] = [await emptyDatabase(`from_${mode}`, mode), await emptyDatabase(`to_${mode}`, mode)];
    const database = await openDatabase({ ...from, poolSize: 2 });
    await migrate(database);
    await database.write("INSERT INTO installation (name, value) VALUES ('note', 'encrypted')");
    await database.close();
    await world.backup(from, mode);
    await world.restore(to, mode);
    const restored = await openDatabase({ ...to, poolSize: 2 });
    expect(await restored.read("SELECT value FROM installation WHERE name = 'note'")).toEqual([{ value: 'encrypted' }]);
    await restored.close();
  });

  /** Gives the running server another certificate. */
  async function certify({ name = NAME, validity = VALID.now }) {
    await ours.mariadbOptions(name, validity);
    const connection = await createConnection({ socketPath: encrypted.mariadbSocket, ...accountOf(encrypted) });
    await connection.query('FLUSH SSL');
    await connection.end();
  }

  async function emptyDatabase(name: string, mode: string) {
    const database = await openDatabase({ url: urlOf(encrypted, mode, ours), dataDir: '', poolSize: 2 });
    await database.write(`CREATE DATABASE ${name}`);
    await database.close();
    const url = urlOf(encrypted, mode, ours).replace('/mailstead_test?', `/${name}?`);
    return { url, dataDir: join(folder, name), remove: () => Promise.resolve() };
  }
});

function accountOf({ mariadbUrl }: { mariadbUrl: string }) {
  const { username: user, password } = new URL(mariadbUrl);
  return { user, password };
}

function startWith(mariadbOptions: string[]) {
  return startServices({ mariadb: true, mariadbOptions });
}

function urlOf({ mariadbUrl }: { mariadbUrl: string }, mode: string, { file }: TestAuthority): string {
  const ca = mode === 'REQUIRED' ? '' : `&ssl-ca=${encodeURIComponent(file)}`;
  return `${mariadbUrl.replace('@127.0.0.1:', `@${NAME}:`)}?ssl-mode=${mode}${ca}`;
}

async function cipherOfPool(url: string): Promise<unknown> {
  const database = await openDatabase({ url, dataDir: '', poolSize: 2 });
  const [row] = await database.read<{ Value: string }>(CIPHER);
  await database.close();
  return row?.Value;
}

async function cipherOfProgram(url: string): Promise<string> {
  const { child, ended } = startMariadb('mariadb', url, ['--skip-column-names', '--batch', `--execute=${CIPHER}`]);
  child.stdin?.end();
  let text = '';
  child.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
  });
  await ended;
  return text;
}
