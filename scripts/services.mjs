// @ts-check
// A private MariaDB and Redis on free loopback ports, in a temporary folder.
//   import { startServices } from './services.mjs'
//   node scripts/services.mjs -- command args…      runs the command with MAILSTEAD_TEST_* set
import { randomBytes } from 'node:crypto';
import { closeSync, openSync } from 'node:fs';
import { chmod, chown, mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { createConnection } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { main, messageOf, Stop } from './main.mjs';
import { ended, exitCode, guardFolder, killGroup, onParentGone, onStopSignal, spawnGroup } from './processes.mjs';
import { endOfFile, Server, startOnFreePort } from './server.mjs';
import { findServicePrograms, serviceAccount } from './service-programs.mjs';

const USER = 'mailstead';

/**
 * The time that one attempt to reach a server may take, after which comes the next one: a connection that a server
 * accepts before it is ready may stay without an answer.
 */
const ATTEMPT_MS = 5_000;
const DATABASE = 'mailstead_test';

/**
 * A server whose port, data (except Redis) and URL stay the same after a restart.
 * @typedef {Server & { readonly url: string }} ServiceHandle
 */

/** @typedef {ServiceHandle & { readonly socket: string }} MariadbHandle */

/**
 * @typedef {object} ServiceOptions
 * @property {string[]} [mariadbOptions] Further command line options of mariadbd, as `--max-connections=50`.
 * @property {string[]} [mariadbStatements] Run at each start of mariadbd, by a user who may do everything.
 * @property {Record<string, string>} [mariadbEnv] Added to the environment of mariadbd.
 * @property {string[]} [redisOptions] Further command line options of redis-server, as `'--maxmemory', '8mb'`.
 * @property {string} [parentFolder] The folder for the data folder, at most 60 characters long; the folder for
 * temporary files by default.
 */

/** @typedef {object} Stoppable @property {() => Promise<void>} stop Kills the servers and removes their folder. */

/**
 * @typedef {object} RunningMariadb
 * @property {string} mariadbUrl `mysql://user:password@127.0.0.1:port/mailstead_test`; the user may do everything and
 *   GRANT it.
 * @property {string} mariadbSocket
 * @property {MariadbHandle} mariadb
 */

/** @typedef {{ redisUrl: string, redis: ServiceHandle }} RunningRedis */

/** @typedef {RunningMariadb & RunningRedis & Stoppable} Services */

/**
 * Starts private servers on loopback and waits until they respond. They are killed when this process ends, also after
 * SIGKILL.
 * @overload
 * @param {ServiceOptions & { mariadb: true, redis: true }} wanted
 * @returns {Promise<Services>}
 */
/**
 * @overload
 * @param {ServiceOptions & { mariadb: true, redis?: false }} wanted
 * @returns {Promise<RunningMariadb & Stoppable>}
 */
/**
 * @overload
 * @param {ServiceOptions & { mariadb?: false, redis: true }} wanted
 * @returns {Promise<RunningRedis & Stoppable>}
 */
/**
 * @overload
 * @param {ServiceOptions & { mariadb: boolean, redis: boolean }} wanted
 * @returns {Promise<Partial<RunningMariadb & RunningRedis> & Stoppable>}
 */
/**
 * @param {ServiceOptions & { mariadb?: boolean, redis?: boolean }} wanted
 * @returns {Promise<Partial<RunningMariadb & RunningRedis> & Stoppable>}
 */
export async function startServices({
  mariadb = false,
  redis = false,
  mariadbOptions = [],
  mariadbEnv = {},
  mariadbStatements = [],
  redisOptions = [],
  parentFolder = tmpdir(),
}) {
  const programs = await findServicePrograms([
    ...(mariadb ? /** @type {const} */ (['mariadb']) : []),
    ...(redis ? /** @type {const} */ (['redis']) : []),
  ]);
  const folder = await makeFolder(parentFolder);
  /** @type {{ mariadb?: MariadbHandle, redis?: ServiceHandle }} */
  const started = {};
  const stop = async () => {
    await Promise.all(Object.values(started).map((server) => server.kill()));
    await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
  };
  try {
    const results = await Promise.allSettled([
      mariadb &&
        startMariadb(folder, programs.mariadb, mariadbOptions, mariadbEnv, mariadbStatements).then((server) => {
          started.mariadb = server;
        }),
      redis &&
        startRedis(folder, programs.redis, redisOptions).then((server) => {
          started.redis = server;
        }),
    ]);
    for (const result of results) if (result.status === 'rejected') throw result.reason;
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    mariadbUrl: started.mariadb?.url,
    mariadbSocket: started.mariadb?.socket,
    redisUrl: started.redis?.url,
    mariadb: started.mariadb,
    redis: started.redis,
    stop,
  };
}

/**
 * Returns the `MAILSTEAD_TEST_*` variables with the addresses of the services.
 * @param {{ mariadbUrl?: string, mariadbSocket?: string, redisUrl?: string }} services
 * @returns {Record<string, string>}
 */
export function serviceEnvironment({ mariadbUrl, mariadbSocket, redisUrl }) {
  return {
    ...(mariadbUrl === undefined ? {} : { MAILSTEAD_TEST_MARIADB_URL: mariadbUrl }),
    ...(mariadbSocket === undefined ? {} : { MAILSTEAD_TEST_MARIADB_SOCKET: mariadbSocket }),
    ...(redisUrl === undefined ? {} : { MAILSTEAD_TEST_REDIS_URL: redisUrl }),
  };
}

/**
 * @param {string} folder
 * @param {import('./service-programs.mjs').MariadbPrograms} program
 * @param {string[]} options
 * @param {Record<string, string>} ownEnv
 * @param {string[]} statements
 * @returns {Promise<MariadbHandle>}
 */
async function startMariadb(folder, { server, install, basedir, env: programEnv }, options, ownEnv, statements) {
  const data = join(folder, 'mariadb');
  const socket = join(folder, 'mariadb.sock');
  const initFile = join(folder, 'mariadb.sql');
  const logFile = join(folder, 'mariadb.log');
  const password = randomBytes(16).toString('hex');
  await mkdir(join(data, 'tmp'), { recursive: true });
  // The service account owns the folder and TMPDIR, because the installer fails with "Errcode 13" without write access.
  const env = { ...programEnv, TMPDIR: join(data, 'tmp') };
  const common = ['--no-defaults', `--datadir=${join(data, 'data')}`];
  if (basedir !== undefined) common.push(`--basedir=${basedir}`);
  await writeFile(
    initFile,
    [
      `CREATE DATABASE IF NOT EXISTS ${DATABASE};`,
      `CREATE USER IF NOT EXISTS '${USER}'@'%' IDENTIFIED BY '${password}';`,
      `GRANT ALL PRIVILEGES ON *.* TO '${USER}'@'%' WITH GRANT OPTION;`,
      ...statements.map((statement) => `${statement};`),
      '',
    ].join('\n'),
    { mode: 0o600 },
  );
  if (process.getuid?.() === 0) {
    const account = await serviceAccount();
    for (const path of [folder, data, join(data, 'tmp'), initFile]) await chown(path, account.uid, account.gid);
    common.push(`--user=${account.name}`);
  }
  const initialised = openSync(logFile, 'a');
  const installer = spawnGroup(
    install,
    [...common, '--auth-root-authentication-method=socket', '--skip-test-db', '--skip-name-resolve'],
    { cwd: data, env: { ...process.env, ...env }, stdio: ['ignore', initialised, initialised] },
  );
  closeSync(initialised);
  const { code } = await ended(installer);
  if (code !== 0) throw new Error(`mariadb-install-db failed:\n${await endOfFile(logFile)}`);
  return await startOnFreePort(async (port) => {
    const started = new Server({
      name: 'MariaDB',
      command: server,
      args: [
        ...common,
        `--socket=${socket}`,
        `--pid-file=${join(data, 'pid')}`,
        `--init-file=${initFile}`,
        `--port=${port}`,
        '--bind-address=127.0.0.1',
        '--skip-name-resolve',
        '--default-time-zone=+00:00',
        '--character-set-server=utf8mb4',
        '--collation-server=utf8mb4_general_ci',
        '--max-connections=1000',
        ...options,
      ],
      env: { ...env, ...ownEnv },
      logFile,
      port,
      isReady: (port) => greets(port, '', isMariadbGreeting),
    });
    await started.start();
    return Object.assign(started, { socket, url: `mysql://${USER}:${password}@127.0.0.1:${port}/${DATABASE}` });
  });
}

/**
 * @param {string} folder
 * @param {import('./service-programs.mjs').RedisPrograms} program
 * @param {string[]} options
 * @returns {Promise<ServiceHandle>}
 */
async function startRedis(folder, { server, env }, options) {
  const data = join(folder, 'redis');
  await mkdir(data);
  return await startOnFreePort(async (port) => {
    const settings = {
      port: String(port),
      bind: '127.0.0.1',
      daemonize: 'no',
      dir: data,
      save: '',
      appendonly: 'no',
      'maxmemory-policy': 'noeviction',
    };
    const started = new Server({
      name: 'Redis',
      command: server,
      args: [...Object.entries(settings).flatMap(([name, value]) => [`--${name}`, value]), ...options],
      env,
      logFile: join(folder, 'redis.log'),
      port,
      isReady: (port) => greets(port, 'PING\r\n', (bytes) => bytes.toString('latin1').startsWith('+PONG')),
    });
    await started.start();
    return Object.assign(started, { url: `redis://127.0.0.1:${port}/0` });
  });
}

/**
 * Returns true for the first packet of MariaDB's protocol (version 10), which is sent after the init file has run.
 * @param {Buffer} bytes
 */
function isMariadbGreeting(bytes) {
  return bytes.length > 4 && bytes[4] === 0x0a;
}

/**
 * Returns true when the server on this port sends the expected first bytes.
 * @param {number} port
 * @param {string} request Sent first, unless empty.
 * @param {(bytes: Buffer) => boolean} isExpected
 * @returns {Promise<boolean>}
 */
function greets(port, request, isExpected) {
  return new Promise((done) => {
    const socket = createConnection({ host: '127.0.0.1', port });
    /** @param {boolean} answer */
    const finish = (answer) => {
      done(answer);
      socket.destroy();
    };
    socket.setTimeout(ATTEMPT_MS, () => finish(false));
    socket.once('connect', () => request !== '' && socket.write(request));
    socket.once('data', (bytes) => finish(isExpected(bytes)));
    socket.once('error', () => finish(false));
    socket.once('close', () => done(false));
  });
}

/**
 * Creates an empty folder that the service account can access. Its path is short, because the path of a socket may have
 * at most 107 bytes. It is removed when this process ends, also after SIGKILL.
 */
export async function makeFolder(parent = tmpdir()) {
  const base = resolve(parent);
  const suits = base.length < 60 && (await isReachable(base));
  const folder = await mkdtemp(join(suits ? base : '/tmp', 'mailstead-'));
  guardFolder(folder);
  await chmod(folder, 0o755);
  return folder;
}

/** @param {string} path */
async function isReachable(path) {
  if (process.getuid?.() !== 0) return true;
  for (let folder = path; ; folder = dirname(folder)) {
    const { mode } = await stat(folder);
    if ((mode & 0o001) === 0) return false;
    if (folder === dirname(folder)) return true;
  }
}

/** `node scripts/services.mjs -- command args…` */
async function runWithServices() {
  const [, , separator, command, ...args] = process.argv;
  if (separator !== '--' || command === undefined) {
    throw new Stop('Usage: node scripts/services.mjs -- command [argument …]', 2);
  }
  /** @type {import('node:child_process').ChildProcess | undefined} */
  let child;
  let stopped = false;
  /** @param {NodeJS.Signals} signal */
  const pass = (signal) => {
    stopped = true;
    if (child !== undefined) killGroup(child, signal);
  };
  onStopSignal(pass);
  onParentGone(() => pass('SIGTERM'));
  const services = await startServices({ mariadb: true, redis: true }).catch((error) => {
    throw new Stop(messageOf(error));
  });
  try {
    if (stopped) return 143;
    child = spawnGroup(command, args, { cwd: process.cwd(), env: { ...process.env, ...serviceEnvironment(services) } });
    const { code, signal } = await ended(child);
    return exitCode(code, signal);
  } catch (error) {
    throw new Stop(messageOf(error), 127);
  } finally {
    await services.stop();
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main(runWithServices);
