import { execFile } from 'node:child_process';
import { chmod, mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { openDatabase } from '@mailstead/adapters/database/driver/open-database';
import { migrate } from '@mailstead/adapters/database/migrations/migrate';
import { createConnection } from 'mysql2/promise';
import { makeFolder, startServices } from '../../../scripts/services.mjs';
import { TestAuthority, VALID } from '../../../scripts/test-authority.mjs';
import { examineDatabase } from './doctor/examine-database.js';
import { Reaper } from './reaper.js';
import { renderMailStack } from './render/render-mail-stack.js';
import { writeRendered } from './render/write-rendered.js';
import { type MailStackSettings, parseMailStackSettings } from './settings/mail-stack-settings.js';
import { describeStack } from './testing/describe-stack.js';
import { runProgram, startServer } from './testing/run-program.js';
import { until } from './testing/until.js';

const SECRET = 'a-secret-of-sixteen-or-more';
/** Names of this machine's loopback for every resolver. The certificate is for the first one. */
const [NAME, OTHER_NAME] = ['127.1', '127.0.1'];
const ALICE = 'alice@acme.test';
const ROWS = [
  "INSERT INTO partner (ref, domain_count, last_created_at) VALUES ('acme', 1, 0)",
  `INSERT INTO domain (name, partner_id, created_at, retention_days, retention_days_before, transfer_monthly_mb, suspension_causes, outbound_status, wildcard_mode, inbound, mailbox_count, alias_count)
   SELECT 'acme.test', id, 0, 0, 0, 0, '', 'active', 'none', 'open', 1, 0 FROM partner WHERE ref = 'acme'`,
  `INSERT INTO mailbox (domain_id, partner_id, email, local_part, password_hash, quota_mb, outbound_daily_limit, active, home, created_at)
   SELECT id, partner_id, '${ALICE}', 'alice', 'x', 0, 0, 1, MD5('home'), 0 FROM domain WHERE name = 'acme.test'`,
  `INSERT INTO mta_domain (domain_id, domain, suspended, held, retention_days, transfer_cap_mb)
   SELECT id, name, 0, 0, 0, 0 FROM domain WHERE name = 'acme.test'`,
];

describeStack('a database with TLS', () => {
  let folder: string;
  let authorities: { ours: TestAuthority; other: TestAuthority };
  let encrypted: Awaited<ReturnType<typeof startDatabase>>;
  let plain: Awaited<ReturnType<typeof startDatabase>>;
  let reaper: Reaper;

  beforeAll(async () => {
    folder = await makeFolder();
    reaper = Reaper.watch(folder, [`${folder}/dovecot-run/master.pid`]);
    authorities = {
      ours: await TestAuthority.make(join(folder, 'ours')),
      other: await TestAuthority.make(join(folder, 'other')),
    };
    encrypted = await startDatabase(await authorities.ours.mariadbOptions(NAME));
    // Since 11.4 MariaDB makes a certificate when it has none.
    plain = await startDatabase(['--skip-ssl']);
  });
  afterAll(async () => {
    await encrypted?.stop();
    await plain?.stop();
    await reaper.reap();
    await rm(folder, { recursive: true, force: true });
  });

  it('is read by Postfix, Dovecot and the doctor where only encrypted connections are accepted', async () => {
    const settings = settingsOf(folder, encrypted, NAME, authorities.ours);
    await grant(encrypted, settings, 'SSL');
    expect(await answers(settings)).toEqual({
      postfix: `${ALICE}\n`,
      dovecot: expect.stringMatching(/\/vmail\/[0-9a-f]{2}\/[0-9a-f]{32}$/),
      doctor: ['ok', 'ok'],
    });
  });

  it.each<[string, () => [database: typeof encrypted, name: string, authority: TestAuthority]]>([
    ['whose authority is another one', () => [encrypted, NAME, authorities.other]],
    ['whose certificate has another name', () => [encrypted, OTHER_NAME, authorities.ours]],
    ['that says it has no TLS', () => [plain, NAME, authorities.ours]],
  ])('%s is read by none of them, and no later attempt is in plain text', async (_, from) => {
    const [database, name, authority] = from();
    const settings = settingsOf(folder, database, name, authority);
    await grant(database, settings, 'NONE');
    expect(await answers(settings)).toEqual({
      postfix: expect.stringMatching(/^refused: .*(TLS|SSL)/s),
      dovecot: expect.stringMatching(/^refused: .*(TLS|SSL).*(TLS|SSL)/),
      doctor: ['wrong', 'wrong'],
    });
  });

  it.each([
    ['authority', 'has expired', () => authorities.ours.renew(VALID.expired)],
    ['authority', 'is not yet valid', () => authorities.ours.renew(VALID.later)],
    ['server', 'has expired', () => certify(encrypted, authorities.ours, VALID.expired)],
    ['server', 'is not yet valid', () => certify(encrypted, authorities.ours, VALID.later)],
  ])('the certificate of whose %s %s is read by none of them', async (_, reason, change) => {
    await change();
    const settings = settingsOf(folder, encrypted, NAME, authorities.ours);
    await grant(encrypted, settings, 'NONE');
    const sentence = expect.stringMatching(new RegExp(`^refused: .*certificate ${reason}`, 's'));
    expect(await answers(settings)).toEqual({ postfix: sentence, dovecot: sentence, doctor: ['wrong', 'wrong'] });
    await authorities.ours.renew(VALID.now);
    await certify(encrypted, authorities.ours, VALID.now);
  });
});

/** Gives a running server another certificate. */
async function certify({ mariadbUrl }: { mariadbUrl: string }, authority: TestAuthority, validity: typeof VALID.now) {
  await authority.mariadbOptions(NAME, validity);
  const connection = await createConnection(mariadbUrl);
  await connection.query('FLUSH SSL');
  await connection.end();
}

async function startDatabase(mariadbOptions: string[]) {
  const services = await startServices({ mariadb: true, mariadbOptions });
  const database = await openDatabase({ url: services.mariadbUrl, dataDir: '', poolSize: 2 });
  await migrate(database);
  await database.close();
  const connection = await createConnection(services.mariadbUrl);
  for (const row of ROWS) await connection.query(row);
  await connection.end();
  return services;
}

/** Runs `grants.sql`, and sets what the server requires of both users. */
async function grant({ mariadbUrl }: { mariadbUrl: string }, settings: MailStackSettings, required: 'SSL' | 'NONE') {
  const connection = await createConnection({ uri: mariadbUrl, multipleStatements: true });
  await connection.query(renderMailStack(settings).find(({ path }) => path === 'grants.sql')?.content ?? '');
  for (const { user } of [settings.database.postfix, settings.database.dovecot])
    for (const client of settings.database.clients)
      await connection.query(`ALTER USER '${user}'@'${client}' REQUIRE ${required}`);
  await connection.end();
}

function settingsOf(
  folder: string,
  { mariadbUrl }: { mariadbUrl: string },
  host: string,
  { file }: TestAuthority,
): MailStackSettings {
  const url = new URL(mariadbUrl);
  return parseMailStackSettings({
    hostname: 'mx.rig.test',
    postmaster: 'postmaster@rig.test',
    tls: { certificateFile: `${folder}/ours/server.pem`, keyFile: `${folder}/ours/server.key` },
    mail: { root: `${folder}/vmail` },
    postfix: { configDirectory: `${folder}/postfix`, submission: null, submissions: null },
    dovecot: {
      configDirectory: `${folder}/dovecot`,
      baseDirectory: `${folder}/dovecot-run`,
      stateDirectory: `${folder}/dovecot-state`,
      logFile: `${folder}/dovecot.log`,
      imap: null,
      imaps: null,
      lmtp: `${folder}/lmtp`,
      sasl: `${folder}/sasl`,
      quotaStatus: `${folder}/quota`,
      doveadm: { address: '127.0.0.1:0', apiKey: SECRET },
    },
    database: {
      host,
      port: Number(url.port),
      socket: null,
      name: url.pathname.slice(1),
      tls: { caFile: file },
      postfix: { password: SECRET },
      dovecot: { password: SECRET },
    },
    logins: null,
    milter: null,
    api: { url: 'http://127.0.0.1:9' },
  });
}

/** What each program reads of the database; a failure as its text. */
async function answers(settings: MailStackSettings) {
  const { configDirectory } = settings.postfix;
  const folder = join(configDirectory, '..');
  await writeRendered(renderMailStack(settings), folder);
  const outcome = async (work: Promise<string>) => await work.catch((error: Error) => `refused: ${error.message}`);
  const findings = await examineDatabase(settings);
  return {
    postfix: await outcome(
      runProgram('postmap', ['-c', configDirectory, '-q', ALICE, `mysql:${configDirectory}/sql/mailboxes.cf`]),
    ),
    dovecot: await homeByDovecot(settings, folder),
    doctor: findings.filter(({ sentence }) => /log in|logs in .*TLS/.test(sentence)).map(({ verdict }) => verdict),
  };
}

/** doveadm's exit code for an address that is not in the database, which Dovecot has asked then. */
const NO_SUCH_USER = 67;

/**
 * Dovecot waits for 1 second after the first attempt of a connection, and for longer after the next ones. Each of its
 * processes has several connections.
 */
const LATER_REFUSAL = /Connect failed to database .* waiting for (?!1 )\d+ seconds before retry/;

/** Dovecot 2.4 ends a look-up that it cannot connect for, and its process too: each of its attempts is a first one. */
const LOOK_UPS = 3;

/** @returns the home of the mailbox, or what the first and a later attempt of a connection say */
async function homeByDovecot({ dovecot }: MailStackSettings, folder: string): Promise<string> {
  const config = ['-c', `${dovecot.configDirectory}/dovecot.conf`];
  const log = join(folder, 'dovecot.log');
  await rm(log, { force: true });
  for (const name of ['dovecot-run', 'dovecot-state']) {
    await mkdir(join(folder, name), { recursive: true });
    await chmod(join(folder, name), 0o755);
  }
  await startServer('dovecot', config, join(folder, 'start.log'));
  let home: string | null = null;
  let ended = 0;
  const asking = new AbortController();
  const args = [...config, 'user', '-f', 'home', ALICE];
  const lookUp = () =>
    promisify(execFile)('doveadm', args, { signal: asking.signal, killSignal: 'SIGKILL' }).then(
      ({ stdout }) => {
        home = stdout.trim();
      },
      ({ code }: { code: unknown }) => {
        // What Dovecot also says of a look-up that began before it was connected.
        if (code === NO_SUCH_USER) home = 'no such user';
        else ended += 1;
      },
    );
  let asked = Promise.resolve();
  let isAsking = false;
  let refusals: string[] = [];
  await until('an answer of Dovecot, or a refusal after the first one of a connection', async () => {
    if (!isAsking) {
      isAsking = true;
      asked = lookUp().finally(() => {
        isAsking = false;
      });
    }
    const lines = (await readFile(log, 'utf8').catch(() => '')).split('\n');
    refusals = lines.filter((line) => line.includes('Connect failed to database'));
    return home !== null || ended >= LOOK_UPS || refusals.some((line) => LATER_REFUSAL.test(line));
  });
  // Where nobody connects, Dovecot would keep the look-up, and so its processes, for half a minute.
  asking.abort();
  await asked;
  await runProgram('doveadm', [...config, 'stop']);
  return home ?? `refused: ${refusals.join()}`;
}
