// @ts-check
import { spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ended, ROOT, spawnGroup } from './processes.mjs';

/** @typedef {'mariadb' | 'redis'} Service */
/** @typedef {Service | 'chromium'} PackageGroup */
/**
 * `basedir` is set when the programs were unpacked, not installed.
 * @typedef {{ basedir?: string | undefined, env: Record<string, string> }} ProgramPlace
 */

/** @typedef {ProgramPlace & { server: string, install: string }} MariadbPrograms */
/** @typedef {ProgramPlace & { server: string }} RedisPrograms */
/** @typedef {{ mariadb: MariadbPrograms, redis: RedisPrograms }} ServicePrograms */

/**
 * The possible names of each program.
 * @type {Record<PackageGroup, Record<string, string[]>>}
 */
const PROGRAMS = {
  mariadb: { server: ['mariadbd', 'mysqld'], install: ['mariadb-install-db', 'mysql_install_db'] },
  redis: { server: ['redis-server', 'valkey-server'] },
  chromium: { browser: ['chromium', 'chromium-browser', 'google-chrome'] },
};
/**
 * Debian's packages without the parts that start a system service.
 * @type {Record<PackageGroup, string[]>}
 */
const PACKAGES = {
  mariadb: ['mariadb-server-core', 'mariadb-client-core'],
  redis: ['redis-tools'],
  chromium: ['chromium'],
};
/**
 * The packages of older Debian releases, which contain all parts.
 * @type {Record<PackageGroup, string[]>}
 */
const WHOLE_PACKAGES = {
  mariadb: ['mariadb-server'],
  redis: ['redis-server'],
  chromium: PACKAGES.chromium,
};
export const FOLDERS = [
  '/usr/sbin',
  '/usr/local/sbin',
  '/usr/bin',
  '/usr/local/bin',
  '/opt/homebrew/bin',
  '/usr/local/opt/mariadb/bin',
];
const POLICY = '/usr/sbin/policy-rc.d';

/**
 * Finds the programs of services. Missing programs are installed by apt as root on Debian, or unpacked without root
 * into a cache folder of the checkout. @throws Error with the possible steps when both fail.
 * @template {Service} Name
 * @param {readonly Name[]} names
 * @returns {Promise<Pick<ServicePrograms, Name>>}
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
  const found = Object.fromEntries(names.map((name) => [name, installed(name) ?? unpacked(name)]));
  return /** @type {Pick<ServicePrograms, Name>} */ (found);
}

/**
 * Finds the browser of the portal's tests. A missing one is installed by apt as root on Debian.
 * @throws Error with the possible steps.
 */
export async function findChromium() {
  const named = process.env.MAILSTEAD_TEST_CHROMIUM;
  if (named !== undefined) return named;
  if (installed('chromium') === undefined && process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
    await installPackages(['chromium']);
  }
  const found = lookUp('chromium', [...(process.env.PATH ?? '').split(':'), ...FOLDERS])?.browser;
  if (found === undefined) {
    throw new Error(
      'The tests of the portal need Chromium, which could neither be found nor installed. Install it (`apt-get install chromium`), or name its program in MAILSTEAD_TEST_CHROMIUM.',
    );
  }
  return found;
}

/** @param {PackageGroup} name */
function installed(name) {
  const found = lookUp(name, [...(process.env.PATH ?? '').split(':'), ...FOLDERS]);
  return found === undefined ? undefined : { ...found, basedir: undefined, env: {} };
}

/** @param {Service} name */
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

/**
 * Returns the path of each program by its role, or undefined when one is missing.
 * @param {PackageGroup} name
 * @param {string[]} folders
 * @returns {Record<string, string> | undefined}
 */
function lookUp(name, folders) {
  /** @type {Record<string, string>} */
  const paths = {};
  for (const [role, programs] of Object.entries(PROGRAMS[name])) {
    const path = folders.flatMap((folder) => programs.map((program) => join(folder, program))).find(isProgram);
    if (path === undefined) return undefined;
    paths[role] = path;
  }
  return paths;
}

/** @param {string} path */
function isProgram(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** @param {Service} name */
function cacheFolder(name) {
  return join(ROOT, '.npm-test', `${name}-${process.arch}`);
}

/** @param {readonly PackageGroup[]} names */
async function installPackages(names) {
  for (const packages of [PACKAGES, WHOLE_PACKAGES]) {
    await aptInstall(names.flatMap((name) => packages[name]));
    if (names.includes('redis')) await nameRedis('/usr/bin');
    if (names.every((name) => installed(name) !== undefined)) return;
  }
}

/**
 * Installs packages by apt as root, without starting their system services.
 * @param {readonly string[]} packages
 */
export async function aptInstall(packages) {
  console.error(`Installing ${packages.join(', ')} by apt-get …`);
  // Exit code 101 of the policy script forbids the start of a service, and RUNLEVEL=1 applies to packages that do not
  // run the policy script.
  const ownPolicy = !existsSync(POLICY);
  if (ownPolicy) await writeFile(POLICY, '#!/bin/sh\nexit 101\n', { mode: 0o755 });
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' };
  // Several tests may install at once.
  const options = ['-qq', '-o', 'DPkg::Lock::Timeout=300', '-y', '--no-install-recommends'];
  try {
    // The lists of a new container are empty, and old ones name packages that are gone.
    if ((await run('apt-get', [...options, 'install', ...packages], { env, stdio: 'ignore' })) === 0) return;
    await run('apt-get', ['-qq', 'update']);
    await run('apt-get', [...options, 'install', ...packages], { env });
  } finally {
    if (ownPolicy) await rm(POLICY, { force: true });
  }
}

/** @param {readonly Service[]} names */
async function unpackPackages(names) {
  for (const name of names.filter((name) => unpacked(name) === undefined)) {
    console.error(`Unpacking ${name} into ${cacheFolder(name)} …`);
    await unpackInto(cacheFolder(name), PACKAGES[name]);
  }
}

/**
 * Downloads Debian packages, with the libraries that this machine does not have, and unpacks them without installing.
 * @param {string} target The folder; it exists only after success.
 * @param {readonly string[]} packages
 */
async function unpackInto(target, packages) {
  const folder = `${target}.${process.pid}`;
  await rm(folder, { recursive: true, force: true });
  await mkdir(join(folder, 'debs'), { recursive: true });
  try {
    // `Inst name [old] (new …)` is an upgrade, which is not needed.
    const simulated = spawnSync('apt-get', ['-s', '--no-install-recommends', 'install', ...packages], {
      encoding: 'utf8',
    });
    const missing = [...(simulated.stdout ?? '').matchAll(/^Inst (\S+) \(/gm)].map(([, name = '']) => name);
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

/**
 * Links redis-server to redis-check-rdb. Debian's redis-tools contains the Redis program under that name only; the
 * program is the server when its name is redis-server.
 * @param {string} folder
 */
async function nameRedis(folder) {
  if (!existsSync(join(folder, 'redis-check-rdb')) || existsSync(join(folder, 'redis-server'))) return;
  await symlink('redis-check-rdb', join(folder, 'redis-server')).catch(() => undefined);
}

/**
 * Runs a command in a new process group, so that apt's children end with this process. Returns its exit code, or 127
 * when it could not be started.
 * @param {string} command
 * @param {string[]} args
 * @param {import('node:child_process').SpawnOptions} [options]
 */
async function run(command, args, options) {
  const result = await ended(spawnGroup(command, args, { stdio: ['ignore', 2, 2], ...options })).catch(() => undefined);
  return result === undefined ? 127 : (result.code ?? 128);
}

/** Returns the account for servers when this process is root, because MariaDB refuses to run as root. */
export async function serviceAccount() {
  /** @type {string[][]} */
  const lines = (await readFile('/etc/passwd', 'utf8')).split('\n').map((line) => line.split(':'));
  const [name = '', , uid, gid] =
    lines.find(([name]) => name === 'mysql') ?? lines.find(([name]) => name === 'nobody') ?? [];
  if (name === '') throw new Error('There is neither an account mysql nor nobody to run MariaDB as.');
  return { name, uid: Number(uid), gid: Number(gid) };
}

/** @param {readonly Service[]} missing */
function choices(missing) {
  const names = missing.map((name) => (name === 'mariadb' ? 'MariaDB 10.11' : 'Redis'));
  return [
    `The tests need ${names.join(' and ')}, which could neither be found nor installed. Any one of these helps:`,
    '- install them: `apt-get install mariadb-server-core mariadb-client-core redis-server`, or `brew install mariadb redis`;',
    '  only their programs are used, on private ports and folders; a system service need not run;',
    '- run as root on Debian or Ubuntu, for instance in a container of node:24-bookworm, and they are installed;',
    '- `docker compose up -d mariadb redis` (fill in .env first, see .env.example) and name them to the tests:',
    '  MAILSTEAD_TEST_MARIADB_URL=mysql://root:<MARIADB_ROOT_PASSWORD>@127.0.0.1:3306/mailstead',
    '  MAILSTEAD_TEST_REDIS_URL=redis://:<REDIS_PASSWORD>@127.0.0.1:6379/15',
    'The service itself needs neither: `npm start` runs on its embedded database.',
  ].join('\n');
}
