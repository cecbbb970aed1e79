// @ts-check
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { messageOf, Stop } from './main.mjs';
import { ROOT, runStep } from './processes.mjs';
import { withProgress } from './progress.mjs';

/** The platform, the hash of the lock file, and which packages are there. Written after an installation. */
const STAMP = join(ROOT, 'node_modules/.mailstead-install');
/** Exists while npm works, and after an installation that was broken off: that one is made anew. */
const UNFINISHED = join(ROOT, '.npm-test/installing');
const WITH_TOOLS = 'with test tools';
const WITHOUT_TOOLS = 'without test tools';

/** @typedef {{ optional?: boolean, dev?: boolean, devOptional?: boolean, version?: string }} Entry A locked package. */

/**
 * Installs the packages of the lock file: those that start the service, or all. What is in `node_modules` is changed in
 * place, so that a service that runs from there keeps its files; test tools that are there stay.
 * @param {{ testTools: boolean, stoppedStatus: number }} options
 */
export async function install({ testTools, stoppedStatus }) {
  const hasTools = existsSync(join(ROOT, 'node_modules/jest/package.json'));
  const brokenOff = await readFile(UNFINISHED, 'utf8').catch(() => undefined);
  const allOfThem = testTools || hasTools || brokenOff === WITH_TOOLS;
  const contents = allOfThem ? WITH_TOOLS : WITHOUT_TOOLS;
  await mkdir(dirname(UNFINISHED), { recursive: true });
  await writeFile(UNFINISHED, contents);
  const isNew = brokenOff !== undefined || !existsSync(join(ROOT, 'node_modules'));
  // Any NODE_ENV and any setting of npm installs the same. No package needs its install script.
  const args = [
    ...(isNew ? ['ci'] : ['install', '--no-save']),
    allOfThem ? '--include=dev' : '--omit=dev',
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    '--no-progress',
    '--loglevel=error',
  ];
  const packages = await lockedPaths(allOfThem);
  const { code, stopped } = await withProgress('Installing packages', () => runNpm(args), {
    count: () =>
      `${packages.filter((path) => existsSync(join(ROOT, path, 'package.json'))).length} of ${packages.length}`,
  });
  if (stopped) throw new Stop('', stoppedStatus);
  // npm takes back what it began, unless a signal ended it.
  if (code < 128) await rm(UNFINISHED, { force: true });
  if (code !== 0) throw new Stop(`npm ${args[0]} failed with exit code ${code}. Its messages are above.`);
  await writeFile(STAMP, await stampText(allOfThem));
}

/** @param {string[]} args */
function runNpm(args) {
  const npm = process.env.npm_execpath;
  const [command, commandArgs] =
    npm !== undefined && /\.[cm]?js$/.test(npm) ? [process.execPath, [npm, ...args]] : ['npm', args];
  // Standard output is reserved for the service.
  return runStep(command, commandArgs, { env: installEnvironment(), stdio: ['ignore', 2, 2] }).catch((error) => {
    throw new Stop(`npm could not be started: ${messageOf(error)}`);
  });
}

/**
 * Returns the environment of npm. npm passes its settings on as npm_config_*. Options of `npm start`, such as --omit,
 * would change the installed packages, so only the settings for the registry and the network are kept.
 */
function installEnvironment() {
  const kept =
    /^npm_config_(registry|cache|userconfig|globalconfig|(https?_?)?proxy|noproxy|ca|cafile|strict_ssl|@.*|\/\/.*)$/i;
  return Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^npm_config_/i.test(name) || kept.test(name)),
  );
}

/**
 * Returns true when `node_modules` has the packages of the lock file.
 * @param {boolean} testTools False: those that start the service are enough.
 */
export async function isInstalled(testTools) {
  if (existsSync(UNFINISHED)) return false;
  const stamp = await readFile(STAMP, 'utf8').catch(() => undefined);
  if (stamp === (await stampText(true)) || (!testTools && stamp === (await stampText(false)))) return true;
  if (stamp !== undefined && stamp.split('\n')[0] !== (await stampText(true)).split('\n')[0]) return false;
  if (!(await holdsLockedVersions(testTools))) return false;
  await writeFile(STAMP, await stampText(testTools));
  return true;
}

/** @param {boolean} testTools */
async function stampText(testTools) {
  const platform = `${process.version} ${process.platform} ${process.arch}`;
  const lock = await readFile(join(ROOT, 'package-lock.json'));
  const hash = createHash('sha256').update(platform).update(lock).digest('hex');
  return `${platform}\n${hash}\n${testTools ? WITH_TOOLS : WITHOUT_TOOLS}\n`;
}

/**
 * Returns true when `node_modules` has exactly the versions of the lock file, for instance after an `npm install` that
 * added a package. Then no installation is needed.
 * @param {boolean} testTools
 */
async function holdsLockedVersions(testTools) {
  const present = await packagesIn('node_modules/.package-lock.json').catch(() => undefined);
  if (present === undefined) return false;
  return Object.entries(await packagesIn('package-lock.json')).every(([path, entry]) => {
    if (!path.includes('node_modules/') || (!testTools && entry.dev === true)) return true;
    const found = present[path];
    if (found === undefined) return entry.optional === true || entry.devOptional === true;
    return found.version === entry.version && existsSync(join(ROOT, path));
  });
}

/**
 * The folders of the packages that every platform needs.
 * @param {boolean} testTools
 */
async function lockedPaths(testTools) {
  return Object.entries(await packagesIn('package-lock.json'))
    .filter(([path]) => path.includes('node_modules/'))
    .filter(([, { dev, optional, devOptional }]) => !optional && !devOptional && (testTools || !dev))
    .map(([path]) => path);
}

/**
 * @param {string} lockFile
 * @returns {Promise<Record<string, Entry>>}
 */
async function packagesIn(lockFile) {
  return JSON.parse(await readFile(join(ROOT, lockFile), 'utf8')).packages;
}
