// @ts-check
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { ended, ROOT, spawnGroup } from './processes.mjs';

/** The release lines of Node that `npm run test:slow` also uses. */
const LINES = [24, 26];

/** The test files of what depends on Node itself: native modules, HTTP, sockets, files and processes. */
export const TESTS_ON_OTHER_NODES = [
  'packages/core/src/batcher',
  'packages/adapters/src/bcrypt/bcrypt-password-hasher',
  'packages/adapters/src/bullmq/bullmq-sweep-waker',
  'packages/adapters/src/database/driver/database',
  'packages/adapters/src/database/driver/guarded-libsql',
  'packages/adapters/src/database/driver/mysql-reads',
  'packages/adapters/src/database/driver/mysql-session',
  'packages/adapters/src/database/driver/sql-unit-of-work',
  'packages/adapters/src/dns/node-dns-resolver',
  'packages/adapters/src/dovecot/dovecot-store',
  'packages/adapters/src/maildir/maildir-store',
  'packages/adapters/src/network/request-origins',
  'packages/adapters/src/ses/ses-relay-provider',
  'packages/adapters/src/smtp/email-channel',
  'packages/adapters/src/stop-on-signal',
  'packages/adapters/src/webhooks/webhook-channel',
  'packages/client/src/mailstead-client',
  'packages/client/src/post-json',
  'apps/api/src/bulk/bulk-controller',
  'apps/api/src/domains/domains-controller',
  'apps/api/src/events/event-stream',
  'apps/api/src/http/gone-callers',
  'apps/api/src/http/http',
  'apps/api/src/http/http-server',
  'apps/api/src/http/pipelined-requests',
  'apps/api/src/http/read-body.sampled',
  'apps/api/src/http/shutdown',
  'apps/api/src/http/write-response',
  'apps/api/src/sessions/sessions-controller',
  'apps/api/src/whole/main.sampled',
  'apps/billing/src/billing.sampled',
  'apps/policyd/src/delivery-meter/log-follower',
  'apps/policyd/src/fallback/journal',
  'apps/policyd/src/logins/login-server',
  'apps/policyd/src/milter/milter-connections.sampled',
  'apps/policyd/src/milter/milter-server',
  'apps/policyd/src/policy/policy-server',
  'apps/policyd/src/policyd.sampled',
].map((name) => `${name}.test.ts`);

/** Without a network, npm may wait longer than this. */
const FETCH_TIMEOUT_MS = 180_000;

/** The package of the npm registry that contains only the program `bin/node` of this platform. */
const PACKAGE = `node-${process.platform}-${process.arch}`;

/** @typedef {{ version: string, program: string }} NodeProgram `version` is like `v24.21.0`. */

/** Returns the release lines without the one of this process. */
export function otherLines(version = process.version) {
  return LINES.filter((line) => !version.startsWith(`v${line}.`));
}

/**
 * Finds a Node of a release line in the cache folder of the checkout. The newest one is fetched there from the npm
 * registry when there is none. @throws Error with the reason in one line when it cannot be fetched or does not run
 * here.
 * @param {number} line
 * @returns {Promise<NodeProgram>}
 */
export async function findNode(line, cache = join(ROOT, '.npm-test')) {
  const folder = join(cache, `node-${line}-${process.arch}`);
  const program = join(folder, 'node_modules', PACKAGE, 'bin/node');
  if (!existsSync(program)) await fetchNode(line, folder);
  const { stdout, status, error } = spawnSync(program, ['--version'], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${program} does not run on this machine${error ? ` (${error.message})` : ''}`);
  return { version: stdout.trim(), program };
}

/**
 * @param {number} line
 * @param {string} folder Exists only after success.
 */
async function fetchNode(line, folder) {
  const wanted = `${PACKAGE}@${line}`;
  const draft = `${folder}.${process.pid}`;
  await mkdir(draft, { recursive: true });
  try {
    const options = [
      '--no-save',
      '--ignore-scripts',
      '--no-audit',
      '--no-fund',
      '--fetch-retries=0',
      '--loglevel=error',
    ];
    const npm = spawnGroup('npm', ['install', '--prefix', draft, ...options, wanted], {
      cwd: draft,
      env: process.env,
      stdio: ['ignore', 'ignore', 'pipe'],
      timeout: FETCH_TIMEOUT_MS,
    });
    let messages = '';
    npm.stderr?.setEncoding('utf8').on('data', (/** @type {string} */ text) => {
      messages += text;
    });
    const { code } = await ended(npm);
    if (code !== 0) throw new Error(`npm cannot fetch ${wanted}: ${reasonIn(messages)}`);
    await rm(folder, { recursive: true, force: true });
    await rename(draft, folder);
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

/**
 * Returns the sentence of npm's error output that names the cause; the other lines are codes and advice.
 * @param {string} messages
 */
function reasonIn(messages) {
  const lines = messages.split('\n').map((line) => line.replace(/^npm error ?/, '').trim());
  return lines.find((line) => / /.test(line) && !/^(code|syscall|errno) /.test(line)) ?? 'npm was stopped';
}
