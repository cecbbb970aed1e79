// @ts-check
import { createHash } from 'node:crypto';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ROOT, runStep } from './processes.mjs';

const PORTAL = 'apps/portal';
/** Written after a build that succeeded: the hash of what it was built from. */
const STAMP = join(ROOT, PORTAL, 'dist/.built-from');
/** What the page is built from; a folder with everything below it. */
const SOURCES = [
  `${PORTAL}/src`,
  `${PORTAL}/vite`,
  `${PORTAL}/vite.config.ts`,
  `${PORTAL}/index.html`,
  `${PORTAL}/package.json`,
  'packages/client/src',
  'package-lock.json',
];

/**
 * Builds the portal into `apps/portal/dist/page`, unless the last build was made from the same files.
 * @returns {Promise<{ code: number, stopped: boolean }>}
 */
export async function buildPortal() {
  const sources = await hashOfSources();
  if ((await readFile(STAMP, 'utf8').catch(() => undefined)) === sources) return { code: 0, stopped: false };
  await rm(STAMP, { force: true });
  const args = ['node_modules/vite/bin/vite.js', 'build', PORTAL, '--logLevel', 'warn'];
  const result = await runStep(process.execPath, args, {
    // React would be larger and slower with another NODE_ENV. Standard output is reserved for the service.
    env: { ...process.env, NODE_ENV: 'production' },
    stdio: ['ignore', 2, 2],
  });
  if (result.code === 0) await writeFile(STAMP, sources);
  return result;
}

async function hashOfSources() {
  const hash = createHash('sha256').update(process.version);
  for (const source of SOURCES) {
    for (const file of await filesOf(source)) hash.update(`\n${file}\n`).update(await readFile(join(ROOT, file)));
  }
  return hash.digest('hex');
}

/**
 * @param {string} path
 * @returns {Promise<string[]>}
 */
async function filesOf(path) {
  const entries = await readdir(join(ROOT, path), { recursive: true, withFileTypes: true }).catch(() => undefined);
  if (entries === undefined) return [path];
  return entries
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.test.ts'))
    .map((entry) => join(entry.parentPath, entry.name).slice(ROOT.length))
    .sort();
}
