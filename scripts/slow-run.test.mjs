// @ts-check
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { jest } from '@jest/globals';
import { otherLines } from './node-versions.mjs';
import { notePassed } from './passed-files.mjs';
import { ROOT } from './processes.mjs';
import { GROUPS } from './slow-groups.mjs';
import { runGroups } from './slow-run.mjs';
import { readsDocuments } from './sources.mjs';

const TREE = 'tree-of-the-sources';
const NODE = { version: process.version, program: process.execPath };
const BILLING = GROUPS.find(({ name }) => name === 'billing')?.files ?? [];
/** That they pass is not remembered. */
const READERS = BILLING.filter((file) => readsDocuments(join(ROOT, file)));

describe('a run of the groups of slow tests', () => {
  let records = '';
  /** @type {string[]} */
  let ran = [];
  /** @type {(string | undefined)[]} */
  let zones = [];

  beforeEach(async () => {
    records = await mkdtemp(join(tmpdir(), 'mailstead-records-'));
    ran = [];
    zones = [];
    jest.spyOn(console, 'log').mockImplementation(() => {});
  });
  afterEach(async () => {
    jest.restoreAllMocks();
    await rm(records, { recursive: true });
  });

  /**
   * @typedef {object} Options
   * @property {string[]} [groups]
   * @property {string} [failing] A file.
   * @property {number} [cutAfter] So many files.
   * @property {boolean} [again]
   * @property {string[]} [changed]
   * @property {string} [tree]
   */

  /**
   * Runs groups, usually that of billing; each file has one test.
   * @param {Options} [options]
   */
  async function run({ groups = ['billing'], failing, cutAfter = Number.POSITIVE_INFINITY, ...options } = {}) {
    const choice = { node: NODE, changed: undefined, again: false, tree: TREE, treeNow: () => TREE, seed: 7, records };
    return runGroups(
      groups,
      async ({ record, zone }, [, ...files]) => {
        zones.push(zone);
        ran = files.slice(0, cutAfter);
        for (const file of ran) if (file !== failing && record !== undefined) notePassed(record, ROOT, file);
        const results = files.map((name) => {
          const status = name === failing ? 'failed' : 'passed';
          return { name, status, message: '', assertionResults: [{ status, fullName: 'x', failureMessages: [] }] };
        });
        return { code: failing === undefined ? 0 : 1, files: results, failures: [] };
      },
      { ...choice, ...options, isStopped: () => false },
    );
  }

  it('goes on with the files that did not pass before', async () => {
    await run({ cutAfter: 3 });
    const { lines, code } = await run();
    const left = BILLING.filter((file, index) => index >= 3 || READERS.includes(file));
    expect(ran).toEqual(left);
    const before = BILLING.length - left.length;
    expect([code, lines]).toEqual([
      0,
      [`billing: ${left.length} passed, 0 failed, and ${before} of ${BILLING.length} files passed before`],
    ]);
  });

  it('runs a file again that failed, and is red meanwhile', async () => {
    const failing = BILLING.find((file) => !READERS.includes(file)) ?? '';
    expect((await run({ failing })).code).toBe(1);
    await run();
    expect([...ran].sort()).toEqual([failing, ...READERS].sort());
  });

  it('runs all files for other sources, and after --again', async () => {
    await run();
    await run({ tree: 'another' });
    expect(ran).toEqual(BILLING);
    await run({ again: true });
    expect(ran).toEqual(BILLING);
  });

  it('remembers nothing when the sources changed meanwhile', async () => {
    await run({ tree: 'another' });
    await run({ tree: 'another' });
    expect(ran).toEqual(BILLING);
  });

  it('has the files only that a change reaches', async () => {
    const { lines } = await run({ changed: ['apps/portal/src/home.tsx'] });
    expect(ran.length).toBeGreaterThan(0);
    expect(ran.filter((file) => !file.startsWith('apps/api/'))).toEqual([]);
    expect(lines).toEqual([`billing: ${ran.length} passed, 0 failed`]);
  });

  it('has the tests of times in each of their zones', async () => {
    const { lines } = await run({ groups: ['zones'] });
    expect(zones).toEqual(['Asia/Tokyo', 'America/New_York']);
    expect(lines).toEqual(zones.map((zone) => `zones (${zone}): ${ran.length} passed, 0 failed`));
    expect(ran).toContain('packages/adapters/src/ses/ses-event.test.ts');
  });

  it('runs nothing when nothing changed', async () => {
    expect(await run({ groups: ['billing', 'nodes'], changed: [] })).toEqual({
      code: 0,
      files: [],
      failures: [],
      lines: ['billing', ...otherLines().map((line) => `nodes (Node ${line})`)].map(
        (title) => `${title}: 0 passed, 0 failed`,
      ),
    });
    expect(ran).toEqual([]);
  });
});
