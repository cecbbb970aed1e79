// @ts-check
// The arguments of `npm test` and `npm run test:slow`.
import { Stop } from './main.mjs';

const OWN = ['--slow', '--changed', '--mariadb', '--again'];

/**
 * @typedef {object} TestOptions
 * @property {boolean} slow
 * @property {boolean} mariadb Whether the HTTP tests run on MariaDB instead of SQLite.
 * @property {boolean} onlyChanged Whether only the tests of what changed since origin/main run.
 * @property {boolean} again Whether the slow tests that passed before for these sources run too.
 * @property {string | undefined} since The commit since which changes count.
 * @property {readonly string[]} groups The groups of slow tests to run; none when the options of jest choose the tests.
 * @property {readonly string[]} jestOptions
 */

/**
 * @param {readonly string[]} given
 * @param {readonly string[]} groupNames
 * @returns {TestOptions}
 */
export function testOptions(given, groupNames) {
  /** @param {string} option */
  const has = (option) => given.includes(option);
  const rest = given.filter((option) => !OWN.includes(option));
  const at = rest.indexOf('--since');
  const [, since] = at === -1 ? [] : rest.splice(at, 2);
  if (at !== -1 && since === undefined) throw new Stop('--since needs a commit: npm run test:slow -- --since main');
  const isNamed = (/** @type {string} */ option) => has('--slow') && groupNames.includes(option);
  const named = rest.filter(isNamed);
  const jestOptions = rest.filter((option) => !isNamed(option));

  const choosesGroups = named.length > 0 || since !== undefined || has('--again');
  const choosesFiles = jestOptions.length > 0 || has('--changed') || has('--mariadb');
  if (choosesGroups && !has('--slow')) throw new Stop('--since and --again belong to npm run test:slow');
  if (choosesGroups && choosesFiles) {
    const names = groupNames.join(', ');
    throw new Stop(`Groups (${names}), --since and --again choose whole groups: give no other options beside them`);
  }
  return {
    slow: has('--slow'),
    mariadb: has('--mariadb'),
    onlyChanged: has('--changed'),
    again: has('--again'),
    since,
    groups: !has('--slow') || choosesFiles ? [] : named.length > 0 ? named : groupNames,
    jestOptions,
  };
}
