// @ts-check
// `npm run test:slow` without options of jest: the groups, one after the other.
import { rm } from 'node:fs/promises';
import { resultSentence } from './jest-result.mjs';
import { messageOf } from './main.mjs';
import { findNode, otherLines } from './node-versions.mjs';
import { readPassed, recordOf, removeOldRecords } from './passed-files.mjs';
import { filesReachedBy, GROUPS } from './slow-groups.mjs';

/** @typedef {import('./node-versions.mjs').NodeProgram} NodeProgram */

/**
 * @typedef {object} Run
 * @property {NodeProgram} node
 * @property {'slow' | 'quick'} tests
 * @property {boolean} mariadb Whether the HTTP tests run on MariaDB.
 * @property {import('./hostile-servers.mjs').HostileKind | undefined} [server] The MariaDB of the tests.
 * @property {number} workers
 * @property {string} [zone] The zone of the host; that of this process by default.
 * @property {string} [record] The file that receives the names of the test files that pass.
 */

/** @typedef {import('./second-run.mjs').Outcome} Outcome */
/** @typedef {(run: Run, jestOptions: readonly string[]) => Promise<Outcome>} RunJest */

/**
 * @typedef {object} Choice
 * @property {NodeProgram} node
 * @property {readonly string[] | undefined} changed When given, only the files run that a change of these reaches.
 * @property {boolean} again Whether the files that passed before for the same sources run too.
 * @property {string | undefined} tree The sources that were built; undefined when nothing can be remembered.
 * @property {() => string | undefined} treeNow Reads the sources as they are now.
 * @property {number} seed
 * @property {string} records The folder of what passed before.
 * @property {() => boolean} isStopped
 */

/**
 * Runs groups of slow tests, without the files that passed before for the same sources.
 * @param {readonly string[]} names
 * @param {RunJest} runJest
 * @param {Choice} choice
 * @returns {Promise<Outcome & { lines: string[] }>} `lines` has one for each group.
 */
export async function runGroups(names, runJest, choice) {
  await removeOldRecords(choice.records);
  /** @type {(Outcome & { line: string })[]} */
  const outcomes = [];
  for (const group of GROUPS.filter(({ name }) => names.includes(name))) {
    const files = choice.changed === undefined ? group.files : filesReachedBy(group.files, choice.changed);
    for (const { line, zone, title } of turnsOf(group)) {
      if (choice.isStopped()) break;
      // Another Node is fetched only when something runs on it.
      const node = line === undefined || files.length === 0 ? choice.node : await findNode(line).catch(messageOf);
      if (typeof node === 'string') {
        outcomes.push({ code: 0, files: [], failures: [], line: `${title}: skipped, because ${node}` });
        continue;
      }
      console.log(`\n${title}:`);
      const { tests, mariadb = false, server, workers } = group;
      const run = { node, tests, mariadb, server, workers, zone };
      const { left, ...outcome } = await runRest(title, files, run, runJest, choice);
      const before = left === files.length ? '' : `, and ${files.length - left} of ${files.length} files passed before`;
      outcomes.push({ ...outcome, line: `${title}: ${resultSentence(outcome.files)}${before}` });
    }
  }
  return {
    code: outcomes.find(({ code }) => code !== 0)?.code ?? 0,
    files: outcomes.some(({ files }) => files === undefined) ? undefined : outcomes.flatMap(({ files }) => files ?? []),
    failures: outcomes.flatMap(({ failures }) => failures),
    lines: outcomes.map(({ line }) => line),
  };
}

/**
 * How often a group runs: once, or on each other line of Node, or in each of its zones.
 * @param {import('./slow-groups.mjs').Group} group
 * @returns {{ title: string, line?: number, zone?: string }[]}
 */
function turnsOf({ name, onOtherNodes, zones }) {
  if (onOtherNodes) return otherLines().map((line) => ({ line, title: `${name} (Node ${line})` }));
  return zones?.map((zone) => ({ zone, title: `${name} (${zone})` })) ?? [{ title: name }];
}

/**
 * @param {string} title
 * @param {readonly string[]} files
 * @param {Run} run
 * @param {RunJest} runJest
 * @param {Choice} choice
 * @returns {Promise<Outcome & { left: number }>} `left` is the number of files that had not passed before.
 */
async function runRest(title, files, run, runJest, { again, tree, treeNow, seed, records }) {
  const circumstances = { title, tree, seed, node: run.node.version, ...given() };
  const record = tree === undefined ? undefined : recordOf(circumstances, records);
  if (record !== undefined && again) await rm(record, { force: true });
  const passed = record === undefined ? new Set() : await readPassed(record);
  const left = files.filter((file) => !passed.has(file));
  if (left.length === 0) return { code: 0, files: [], failures: [], left: 0 };
  const outcome = await runJest({ ...run, record }, ['--runTestsByPath', ...left]);
  // What ran after a change passed for other sources.
  if (record !== undefined && treeNow() !== tree) await rm(record, { force: true });
  return { ...outcome, left: left.length };
}

/** The servers that the caller gives. */
function given() {
  const { MAILSTEAD_TEST_MARIADB_URL, MAILSTEAD_TEST_REDIS_URL } = process.env;
  return { MAILSTEAD_TEST_MARIADB_URL, MAILSTEAD_TEST_REDIS_URL };
}
