import { spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ended, ROOT, spawnGroup } from './processes.mjs';

/** What each service needs: a list of names per program, of which one has to be there. */
const PROGRAMS = {
  mariadb: { server: ['mariadbd', 'mysqld'], install: ['mariadb-install-db', 'mysql_install_db'] },
  redis: { server: ['redis-server', 'valkey-server'] },
  // What a joining node of a cluster takes its data over with.
  galera: { stateTransfer: ['wsrep_sst_rsync'], copy: ['rsync'] },
};
const GALERA_PROVIDERS = ['/usr/lib/galera/libgalera_smm.so', '/usr/lib64/galera-4/libgalera_smm.so'];
/** Debian's packages without the parts that start a system service. */
const PACKAGES = {
  mariadb: ['mariadb-server-core', 'mariadb-client-core'],
  redis: ['redis-tools'],
  galera: ['galera-4', 'mariadb-server', 'rsync'],
};
/** Where the older releases have no such split. */
const WHOLE_PACKAGES = { mariadb: ['mariadb-server'], redis: ['redis-server'], galera: PACKAGES.galera };
const FOLDERS = [
  '/usr/sbin',
  '/usr/local/sbin',
  '/usr/bin',
  '/usr/local/bin',
  '/opt/homebrew/bin',
  '/usr/local/opt/mariadb/bin',
];
const POLICY = '/usr/sbin/policy-rc.d';

/**
 * The programs of the services named (`mariadb`, `redis`), each `{server, install?, basedir?, env?}`. What is missing
 * is installed by apt as root on Debian, or unpacked into a cache folder of the checkout without root.
 * Throws an Error that names the choices when neither works.
 */
export async function findServicePrograms(names) {
  let missing = names.filter((name) => installed(name) === undefined);
  if (missing.length > 0 && process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
    await installPackages(missing);
    missing = missing.filter((name) => installed(name) === undefined);
  } else if (missing.length > 0 && existsSync('/usr/bin/apt-get')) {
    await unpackPackages(missing);
    missing = missing.filter((name) => unpacked(name) === undefined);
  }
  if (missing.length > 0) throw new Error(choices(missing));
  return Object.fromEntries(names.map((name) => [name, installed(name) ?? unpacked(name)]));
}

/**
 * The library that makes MariaDB a node of a Galera cluster. What is missing is installed by apt as root on Debian.
 * Throws an Error that says what to install when that does not work.
 */
export async function findGaleraProvider() {
  const provider = () => (installed('galera') === undefined ? undefined : GALERA_PROVIDERS.find(existsSync));
  if (provider() === undefined && process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
    await installPackages(['galera']);
  }
  const found = provider();
  if (found === undefined) {
    throw new Error(
      `The tests of Galera need the packages ${PACKAGES.galera.join(', ')}, which could neither be found nor installed.`,
    );
  }
  return found;
}

function installed(name) {
  const found = lookUp(name, [...(process.env.PATH ?? '').split(':'), ...FOLDERS]);
  return found === undefined ? undefined : { ...found, basedir: undefined, env: {} };
}

function unpacked(name) {
  const root = cacheFolder(name);
  const found = lookUp(
    name,
    ['usr/sbin', 'usr/bin'].map((folder) => join(root, folder)),
  );
  if (found === undefined || !existsSync(join(root, 'complete'))) return undefined;
  const triplet = process.arch === 'arm64' ? 'aarch64-linux-gnu' : 'x86_64-linux-gnu';
  const libraries = [join(root, 'usr/lib', triplet), join(root, 'lib', triplet), process.env.LD_LIBRARY_PATH];
  return {
    ...found,
    basedir: join(root, 'usr'),
    env: { LD_LIBRARY_PATH: libraries.filter(Boolean).join(':'), PATH: `${join(root, 'usr/bin')}:${process.env.PATH}` },
  };
}

function lookUp(name, folders) {
  const paths = Object.entries(PROGRAMS[name]).map(([role, programs]) => [
    role,
    folders.flatMap((folder) => programs.map((program) => join(folder, program))).find(isProgram),
  ]);
  return paths.every(([, path]) => path !== undefined) ? Object.fromEntries(paths) : undefined;
}

function isProgram(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function cacheFolder(name) {
  return join(ROOT, '.npm-test', `${name}-${process.arch}`);
}

async function installPackages(names) {
  console.error(`Installing ${names.join(' and ')} by apt-get …`);
  await run('apt-get', ['-qq', 'update']);
  // A package that starts a system service must not: 101 forbids it, and RUNLEVEL=1 where nobody asks the policy.
  const ownPolicy = !existsSync(POLICY);
  if (ownPolicy) await writeFile(POLICY, '#!/bin/sh\nexit 101\n', { mode: 0o755, flag: 'wx' });
  try {
    for (const packages of [PACKAGES, WHOLE_PACKAGES]) {
      const list = names.flatMap((name) => packages[name]);
      const args = ['-qq', '-y', '--no-install-recommends', 'install', ...list];
      await run('apt-get', args, { env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' } });
      if (names.includes('redis')) await nameRedis('/usr/bin');
      if (names.every((name) => installed(name) !== undefined)) return;
    }
  } finally {
    if (ownPolicy) await rm(POLICY, { force: true });
  }
}

async function unpackPackages(names) {
  for (const name of names.filter((name) => unpacked(name) === undefined)) {
    console.error(`Unpacking ${name} into ${cacheFolder(name)} …`);
    await unpackInto(cacheFolder(name), PACKAGES[name]);
  }
}

/** Downloads Debian packages with the libraries they miss on this machine and unpacks them, without installing. */
export async function unpackInto(target, packages) {
  const folder = `${target}.${process.pid}`;
  await rm(folder, { recursive: true, force: true });
  await mkdir(join(folder, 'debs'), { recursive: true });
  try {
    // `Inst name [old] (new …)` are upgrades: what is installed serves.
    const simulated = spawnSync('apt-get', ['-s', '--no-install-recommends', 'install', ...packages], {
      encoding: 'utf8',
    });
    const missing = [...(simulated.stdout ?? '').matchAll(/^Inst (\S+) \(/gm)].map(([, name]) => name);
    const list = [...new Set([...packages, ...missing])];
    if ((await run('apt-get', ['-qq', 'download', ...list], { cwd: join(folder, 'debs') })) !== 0) return;
    for (const file of await readdir(join(folder, 'debs'))) {
      if ((await run('dpkg', ['-x', join(folder, 'debs', file), folder])) !== 0) return;
    }
    await rm(join(folder, 'debs'), { recursive: true });
    await nameRedis(join(folder, 'usr/bin'));
    await writeFile(join(folder, 'complete'), '');
    await rm(target, { recursive: true, force: true });
    await rename(folder, target);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Debian ships the one Redis program in redis-tools under another name; it acts by the name it is called by. */
async function nameRedis(folder) {
  if (!existsSync(join(folder, 'redis-check-rdb')) || existsSync(join(folder, 'redis-server'))) return;
  await symlink('redis-check-rdb', join(folder, 'redis-server')).catch(() => undefined);
}

/** In a group of its own, so that apt's children end with us. Its exit code, or 127 when it could not be started. */
async function run(command, args, options) {
  const result = await ended(spawnGroup(command, args, { stdio: ['ignore', 2, 2], ...options })).catch(() => undefined);
  return result === undefined ? 127 : (result.code ?? 128);
}

/** The account a server runs as when we are root, which MariaDB refuses to be. */
export async function serviceAccount() {
  const lines = (await readFile('/etc/passwd', 'utf8')).split('\n').map((line) => line.split(':'));
  const [name, , uid, gid] =
    lines.find(([name]) => name === 'mysql') ?? lines.find(([name]) => name === 'nobody') ?? [];
  if (name === undefined) throw new Error('There is neither an account mysql nor nobody to run MariaDB as.');
  return { name, uid: Number(uid), gid: Number(gid) };
}

function choices(missing) {
  const names = missing.map((name) => (name === 'mariadb' ? 'MariaDB 10.11' : 'Redis'));
  return [
    `The tests need ${names.join(' and ')}, which could neither be found nor installed. Any one of these helps:`,
    '- install them: `apt-get install mariadb-server-core mariadb-client-core redis-server`, or `brew install mariadb redis`;',
    '  only their programs are used, on private ports and folders; a system service need not run;',
    '- run as root on Debian or Ubuntu, for instance in a container of node:20-bookworm, and they are installed;',
    '- `docker compose up -d mariadb redis` (fill in .env first, see .env.example) and name them to the tests:',
    '  MAILSTEAD_TEST_MARIADB_URL=mysql://root:<MARIADB_ROOT_PASSWORD>@127.0.0.1:3306/mailstead',
    '  MAILSTEAD_TEST_REDIS_URL=redis://:<REDIS_PASSWORD>@127.0.0.1:6379/15',
    'The service itself needs neither: `npm start` runs on its embedded database.',
  ].join('\n');
}
