// A private MariaDB and Redis on free loopback ports, in a folder of their own that goes away with them.
//   import { startServices } from './services.mjs'
//   node scripts/services.mjs -- command args…      runs the command with MAILSTEAD_TEST_* set
import { randomBytes } from 'node:crypto';
import { closeSync, openSync } from 'node:fs';
import { chmod, chown, mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createConnection, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { main, Stop } from './prepare.mjs';
import { ended, exitCode, guardFolder, killGroup, onParentGone, onStopSignal, spawnGroup } from './processes.mjs';
import { findServicePrograms, serviceAccount } from './service-programs.mjs';

const START_TIMEOUT_MS = 60_000;
const START_ATTEMPTS = 3;
const USER = 'mailstead';
const DATABASE = 'mailstead_test';

/**
 * Starts what is asked for (`{mariadb: true, redis: true}`) and waits until it answers. `mariadbOptions` and
 * `redisOptions` are further command line options; their data is in a folder of its own in `parentFolder`. They are killed when this process ends, however it ends.
 * `services.d.mts` describes the answer.
 */
export async function startServices({
  mariadb = false,
  redis = false,
  mariadbOptions = [],
  redisOptions = [],
  parentFolder = tmpdir(),
}) {
  const names = [mariadb && 'mariadb', redis && 'redis'].filter(Boolean);
  const programs = await findServicePrograms(names);
  const folder = await makeFolder(parentFolder);
  const started = {};
  const stop = async () => {
    await Promise.all(Object.values(started).map((server) => server.kill()));
    await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
  };
  try {
    const results = await Promise.allSettled([
      mariadb && startMariadb(folder, programs.mariadb, mariadbOptions).then((server) => (started.mariadb = server)),
      redis && startRedis(folder, programs.redis, redisOptions).then((server) => (started.redis = server)),
    ]);
    const failed = results.find(({ status }) => status === 'rejected');
    if (failed !== undefined) throw failed.reason;
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

/** The variables by which tests find the services. */
export function serviceEnvironment({ mariadbUrl, mariadbSocket, redisUrl }) {
  const variables = {
    MAILSTEAD_TEST_MARIADB_URL: mariadbUrl,
    MAILSTEAD_TEST_MARIADB_SOCKET: mariadbSocket,
    MAILSTEAD_TEST_REDIS_URL: redisUrl,
  };
  return Object.fromEntries(Object.entries(variables).filter(([, value]) => value !== undefined));
}

/** One server process that can be stopped, killed and started again on the same port and data. */
export class Server {
  #child;
  #end;

  constructor({ name, command, args, env, logFile, port, isReady }) {
    Object.assign(this, { name, command, args, env, logFile, port, isReady });
  }

  /** Undefined while it is stopped. */
  get pid() {
    return this.#child?.pid;
  }

  async start() {
    if (this.#child !== undefined) throw new Error(`${this.name} is running already`);
    const log = openSync(this.logFile, 'a');
    const child = spawnGroup(this.command, this.args, {
      cwd: dirname(this.logFile),
      env: { ...process.env, ...this.env },
      stdio: ['ignore', log, log],
    });
    closeSync(log);
    let running = true;
    this.#child = child;
    this.#end = ended(child)
      .catch(() => undefined)
      .then(() => {
        running = false;
        this.#child = undefined;
      });
    const deadline = Date.now() + START_TIMEOUT_MS;
    while (!(await this.isReady(this.port))) {
      if (running && Date.now() < deadline) {
        await delay(20);
        continue;
      }
      await this.kill();
      throw new Error(`${this.name} did not start:\n${await tail(this.logFile)}`);
    }
    // Another server may have taken the port in between and have answered in its place.
    if (!running) throw new Error(`${this.name} did not start:\n${await tail(this.logFile)}`);
  }

  /** An orderly end: what it holds is written. */
  async stop() {
    await this.#endBy('SIGTERM');
  }

  /** An end without warning, as in a power cut of the machine it runs on. */
  async kill() {
    await this.#endBy('SIGKILL');
  }

  async restart() {
    await this.stop();
    await this.start();
  }

  async #endBy(signal) {
    if (this.#child === undefined) return;
    killGroup(this.#child, signal);
    await this.#end;
  }
}

async function startMariadb(folder, { server, install, basedir, env: programEnv }, options) {
  const data = join(folder, 'mariadb');
  const socket = join(folder, 'mariadb.sock');
  const initFile = join(folder, 'mariadb.sql');
  const logFile = join(folder, 'mariadb.log');
  const password = randomBytes(16).toString('hex');
  await mkdir(join(data, 'tmp'), { recursive: true });
  // Owned by the service account, TMPDIR included: the installer dies with "Errcode 13" in a folder it cannot write.
  const env = { ...programEnv, TMPDIR: join(data, 'tmp') };
  const common = ['--no-defaults', `--datadir=${join(data, 'data')}`];
  if (basedir !== undefined) common.push(`--basedir=${basedir}`);
  await writeFile(
    initFile,
    [
      `CREATE DATABASE IF NOT EXISTS ${DATABASE};`,
      `CREATE USER IF NOT EXISTS '${USER}'@'%' IDENTIFIED BY '${password}';`,
      `GRANT ALL PRIVILEGES ON *.* TO '${USER}'@'%' WITH GRANT OPTION;\n`,
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
  if (code !== 0) throw new Error(`mariadb-install-db failed:\n${await tail(logFile)}`);
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
      env,
      logFile,
      port,
      isReady: (port) => greets(port, '', isMariadbGreeting),
    });
    await started.start();
    return Object.assign(started, { socket, url: `mysql://${USER}:${password}@127.0.0.1:${port}/${DATABASE}` });
  });
}

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

/** A port that was free a moment ago may be taken by the time the server asks for it; then it gets another. */
async function startOnFreePort(start) {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await start(await freePort());
    } catch (error) {
      if (attempt === START_ATTEMPTS || !/address already in use|errno: 98/i.test(error.message)) throw error;
    }
  }
}

function freePort() {
  return new Promise((done, fail) => {
    const server = createServer().once('error', fail);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => done(port));
    });
  });
}

/** The first packet of the protocol (version 10), which comes after the init file has run. */
function isMariadbGreeting(bytes) {
  return bytes.length > 4 && bytes[4] === 0x0a;
}

/** True when the server on this port sends what is expected as its first answer. */
function greets(port, request, isExpected) {
  return new Promise((done) => {
    const socket = createConnection({ host: '127.0.0.1', port });
    const finish = (answer) => {
      done(answer);
      socket.destroy();
    };
    socket.setTimeout(2_000, () => finish(false));
    socket.once('connect', () => request !== '' && socket.write(request));
    socket.once('data', (bytes) => finish(isExpected(bytes)));
    socket.once('error', () => finish(false));
    socket.once('close', () => done(false));
  });
}

async function tail(file) {
  const text = await readFile(file, 'utf8').catch(() => '');
  return text.split('\n').slice(-25).join('\n');
}

/** Reachable for the service account, and short: the path of a socket may have 107 bytes. */
export async function makeFolder(parent = tmpdir()) {
  const base = resolve(parent);
  const suits = base.length < 60 && (await isReachable(base));
  const folder = await mkdtemp(join(suits ? base : '/tmp', 'mailstead-'));
  guardFolder(folder);
  await chmod(folder, 0o755);
  return folder;
}

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
  let child;
  let asked;
  const pass = (signal) => {
    asked = signal;
    if (child !== undefined) killGroup(child, signal);
  };
  onStopSignal(pass);
  onParentGone(() => pass('SIGTERM'));
  const services = await startServices({ mariadb: true, redis: true }).catch((error) => {
    throw new Stop(error.message);
  });
  try {
    if (asked !== undefined) return 143;
    child = spawnGroup(command, args, { cwd: process.cwd(), env: { ...process.env, ...serviceEnvironment(services) } });
    const { code, signal } = await ended(child);
    return exitCode(code, signal);
  } catch (error) {
    throw new Stop(error.message, 127);
  } finally {
    await services.stop();
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main(runWithServices);
