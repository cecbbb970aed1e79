// @ts-check
// The groups of `npm run test:slow`. Every slow test is in one of them.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { BUSY_WORKERS, WORKERS } from './jest-command.mjs';
import { TESTS_ON_OTHER_NODES } from './node-versions.mjs';
import { ROOT } from './processes.mjs';
import { FILES } from './repository-paths.mjs';
import { isDocument, readsDocuments } from './sources.mjs';
import { SLOW_TESTS, TESTS_OF_SLOW_RUN } from './test-kinds.mjs';
import { reachedBy } from './workspaces.mjs';

/**
 * @typedef {object} Group
 * @property {string} name
 * @property {readonly string[]} files
 * @property {'slow' | 'quick'} tests
 * @property {number} workers
 * @property {boolean} [mariadb] Whether the HTTP tests run on MariaDB.
 * @property {import('./hostile-servers.mjs').HostileKind} [server] The MariaDB of the tests, when it is another one.
 * @property {boolean} [onOtherNodes]
 * @property {readonly string[]} [zones] The zones of the host, in each of which the tests run.
 */

/** Tests that wait for servers and processes most of their time. */
const WAITING = 2 * BUSY_WORKERS;

/** The group of the slow tests in each folder: that of the first line that fits. */
const FOLDERS = [
  // The API alone would take twice as long as any other group.
  ['apps/api/src/failure/', 'database'],
  ['apps/api/src/recovery/', 'database'],
  ['apps/api/src/whmcs/', 'billing'],
  ['apps/api/', 'api'],
  ['apps/worker/', 'api'],
  ['apps/policyd/', 'mail'],
  ['apps/portal/', 'portal'],
  ['apps/billing/', 'billing'],
  ['packages/client/', 'billing'],
  ['packages/mail-stack/', 'mail'],
  ['packages/', 'database'],
];

const OF_TIMES =
  /\/src\/(.*\/)?(outbound|relay-events|webhooks|ses|usage|bounces|trail|read-(zoned-)?time|state|usage-export|subscriptions|billing)[./](.*\/)?[^/]*test\.ts$/;

/** @type {readonly Group[]} */
export const GROUPS = [
  { name: 'mail', files: slowTestsOf('mail'), tests: 'slow', workers: BUSY_WORKERS },
  { name: 'database', files: slowTestsOf('database'), tests: 'slow', workers: WAITING },
  { name: 'api', files: slowTestsOf('api'), tests: 'slow', workers: WAITING },
  { name: 'http-on-mariadb', files: httpTests(), tests: 'quick', workers: WORKERS, mariadb: true },
  { name: 'database-settings', files: contractTests(), tests: 'quick', workers: WORKERS, server: 'settings' },
  { name: 'repeated-hour', files: contractTests(), tests: 'quick', workers: WORKERS, server: 'hour' },
  { name: 'portal', files: slowTestsOf('portal'), tests: 'slow', workers: BUSY_WORKERS },
  { name: 'billing', files: slowTestsOf('billing'), tests: 'slow', workers: WAITING },
  { name: 'nodes', files: TESTS_ON_OTHER_NODES, tests: 'quick', workers: WORKERS, onOtherNodes: true },
  { name: 'zones', files: testsOfTimes(), tests: 'quick', workers: WORKERS, zones: ['Asia/Tokyo', 'America/New_York'] },
];

/** @param {string} group */
function slowTestsOf(group) {
  return FILES.filter((file) => {
    const [, name] = FOLDERS.find(([folder = '']) => file.startsWith(folder)) ?? [];
    return name === group && TESTS_OF_SLOW_RUN.test(file);
  });
}

/** The tests of the HTTP interface, which `npm test` runs on SQLite. */
function httpTests() {
  return FILES.filter((file) => /^apps\/api\/src\/.*\.test\.ts$/.test(file) && !SLOW_TESTS.test(file));
}

/** The tests of the contracts of ports that the database fulfils, and of its statements. */
function contractTests() {
  const isTest = (/** @type {string} */ file) =>
    /^packages\/adapters\/src\/database\/.*\.test\.ts$/.test(file) && !TESTS_OF_SLOW_RUN.test(file);
  const isContract = (/** @type {string} */ file) =>
    /Contract\(|-(statements|values)\.test/.test(file + readFileSync(join(ROOT, file), 'utf8'));
  return FILES.filter((file) => isTest(file) && isContract(file));
}

/** The quick tests of what counts by days and months, and reads times that others wrote. */
function testsOfTimes() {
  return FILES.filter((file) => OF_TIMES.test(file) && !SLOW_TESTS.test(file));
}

/**
 * Returns the test files that a change reaches: those of the workspaces that it reaches, and after a change of a
 * document those that read documents.
 * @param {readonly string[]} files
 * @param {readonly string[]} changed Paths of the changed files.
 */
export function filesReachedBy(files, changed) {
  const folders = reachedBy(changed);
  const isDocumentChanged = changed.some(isDocument);
  return files.filter(
    (file) =>
      folders.some((folder) => file.startsWith(`${folder}/`)) ||
      (isDocumentChanged && readsDocuments(join(ROOT, file))),
  );
}
