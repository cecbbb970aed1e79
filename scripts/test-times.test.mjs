// @ts-check
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readTimes, slowestFiles, TIMES_FILE, tooHeavy } from './test-times.mjs';

const files = Array.from({ length: 12 }, (_, index) => ({ file: `f${index}`, seconds: index, cpuSeconds: index * 2 }));

describe('the times of test files', () => {
  it('are read from the lines that the workers appended', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'mailstead-times-'));
    const path = join(folder, TIMES_FILE);
    expect(await readTimes(path)).toEqual([]);
    await writeFile(path, files.map((line) => `${JSON.stringify(line)}\n`).join(''));
    expect(await readTimes(path)).toEqual(files);
    await rm(folder, { recursive: true });
  });

  it('name the ten slowest files, the slowest first', () => {
    const [sum, ...lines] = slowestFiles(files);
    expect(sum).toContain('12 files');
    expect(lines.map((line) => line.split(' ').at(-1))).toEqual([
      'f11',
      'f10',
      'f9',
      'f8',
      'f7',
      'f6',
      'f5',
      'f4',
      'f3',
      'f2',
    ]);
  });

  it.each([1, 2])('name each file that takes more than a 25th of all, on a machine %d times slower', (slower) => {
    const others = Array.from({ length: 48 }, (_, index) => ({ file: `f${index}`, seconds: 1, cpuSeconds: slower }));
    const heavy = (/** @type {number} */ cpuSeconds) =>
      tooHeavy([...others, { file: 'heavy', seconds: 90, cpuSeconds: slower * cpuSeconds }]);
    expect(heavy(2)).toEqual([]);
    expect(heavy(2.1).map((line) => line.split(' ')[0])).toEqual(['heavy']);
  });
});
