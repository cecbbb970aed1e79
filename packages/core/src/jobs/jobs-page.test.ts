import { readFileSync } from 'node:fs';
import { JOB_NAMES, JOB_OPTIONS, QUEUES } from './jobs.js';
import { SCHEDULE_NAMES } from './schedules.js';

const PAGE = readFileSync(new URL('../../../../docs/operations.md', import.meta.url), 'utf8');

/** @returns the code in the cell `column` of each row of the table of docs/operations.md whose heading has this cell */
function codesBelow(heading: string, column: number): string[][] {
  const lines = PAGE.split('\n');
  const start = lines.findIndex((line) => line.startsWith(`| ${heading} |`));
  const rows = lines.slice(start + 2);
  const end = rows.findIndex((line) => !line.startsWith('|'));
  return rows
    .slice(0, end)
    .map((row) => [...(row.split('|')[column] ?? '').matchAll(/`([^`]+)`/g)].map(([, code = '']) => code));
}

describe('docs/operations.md', () => {
  it('has a row for each schedule, and no other', () => {
    expect(codesBelow('schedule (UTC)', 1).flat().toSorted()).toEqual(SCHEDULE_NAMES.toSorted());
  });

  it('has each job in the row of its queue, and no other', () => {
    const queues = codesBelow('queue', 1).flat();
    const documented = codesBelow('queue', 2).flatMap((jobs, row) => jobs.map((job) => `${queues[row]}: ${job}`));
    expect(documented.toSorted()).toEqual(JOB_NAMES.map((name) => `${JOB_OPTIONS[name].queue}: ${name}`).toSorted());
    expect(queues).toEqual(expect.arrayContaining([...QUEUES]));
  });
});
