import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { jest } from '@jest/globals';
import { measureSteps } from './measure-steps.js';
import type { Step } from './steps.js';
import { readResults } from './stored-results.js';
import { Unfinished } from './unfinished.js';

describe('a run of benches', () => {
  let folder = '';
  let measured: string[] = [];
  let broken = new Set<string>();

  beforeEach(() => {
    for (const method of ['log', 'error'] as const) jest.spyOn(console, method).mockReturnValue(undefined);
    folder = mkdtempSync(join(tmpdir(), 'mailstead-results-'));
    measured = [];
    broken = new Set();
  });

  afterEach(() => {
    jest.restoreAllMocks();
    rmSync(folder, { recursive: true });
  });

  const step = (file: string, part: string): Step => ({
    name: `${file}/${part}`,
    file,
    part,
    isOnOtherNode: false,
    measure: async (report) => {
      measured.push(`${file}/${part}`);
      if (broken.has(part)) throw new Error('It broke');
      report.note(`row of ${part}`, `${measured.length} ms`, '≤ 9 ms', true, { ms: measured.length });
    },
  });
  const STEPS = [step('reads', 'mariadb'), step('reads', 'sqlite'), step('start', 'sqlite')];
  const run = (asked: string | null = 'all') =>
    measureSteps(STEPS, {
      results: folder,
      unfinished: asked === null ? null : new Unfinished(join(folder, 'state/unfinished'), asked),
      otherNode: null,
    });
  const stored = () => [...readResults(folder)].map(([name, runs]) => [name, runs.map(({ part }) => part)]);

  it('stores each part with its machine, its Node and its rows, and replaces it in the next run', async () => {
    expect(await run()).toBe(true);
    expect(await run()).toBe(true);
    expect(stored()).toEqual([
      ['reads', ['mariadb', 'sqlite']],
      ['start', ['sqlite']],
    ]);
    expect(readResults(folder).get('reads')?.[0]).toEqual({
      part: 'mariadb',
      date: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
      machine: expect.any(String),
      cores: expect.any(Number),
      node: process.version,
      load: expect.any(Number),
      rows: [{ what: 'row of mariadb', measured: '4 ms', target: '≤ 9 ms', held: true, values: { ms: 4 } }],
    });
  });

  it('stores what was measured before and after a part that failed, and goes on with that part alone', async () => {
    broken.add('mariadb');
    expect(await run()).toBe(false);
    expect(stored()).toEqual([
      ['reads', ['sqlite']],
      ['start', ['sqlite']],
    ]);
    broken.clear();
    measured = [];
    expect(await run()).toBe(true);
    expect(measured).toEqual(['reads/mariadb']);
    expect(existsSync(join(folder, 'state/unfinished'))).toBe(false);
  });

  it('goes on only with what the same command has left', async () => {
    broken.add('mariadb');
    await run('all');
    measured = [];
    await run('http');
    expect(measured).toHaveLength(3);
  });

  it('stores nothing when it only prints', async () => {
    expect(await run(null)).toBe(true);
    expect(stored()).toEqual([]);
  });
});
