import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { DEADLINES, deadline, scaleDeadlines } from './deadlines.js';

const PAGE = fileURLToPath(new URL('../../../docs/operations.md', import.meta.url));

describe('the deadlines', () => {
  afterEach(() => scaleDeadlines(1));

  it('take one factor', () => {
    scaleDeadlines(1);
    expect([deadline('databaseRead'), deadline('stop')]).toEqual([3_000, 8_000]);
    scaleDeadlines(5);
    expect([deadline('databaseRead'), deadline('stop')]).toEqual([15_000, 40_000]);
  });

  it.each([
    ['databaseGreeting', 'databaseSilence'],
    ['databaseRead', 'databaseTurn'],
    ['dns', 'dnsLook'],
    ['runningRequests', 'stop'],
    ['policyRequest', 'policyAnswer'],
  ] as const)('of a part (%s) ends before that of the whole (%s)', (part, whole) => {
    expect(DEADLINES[part]).toBeLessThan(DEADLINES[whole]);
  });

  it('are listed for operators, with their times', () => {
    const [, section = ''] = /### Deadlines\n([^]*?)\n### /.exec(readFileSync(PAGE, 'utf8')) ?? [];
    const rows = [...section.matchAll(/^\| `(\w+)` \| ([\d.]+) s \|/gm)].map(([, name, seconds]) => [name, seconds]);
    expect(rows).toEqual(Object.entries(DEADLINES).map(([name, ms]) => [name, String(ms / 1_000)]));
  });
});
