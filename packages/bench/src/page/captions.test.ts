import type { Run } from '../run/stored-results.js';
import { captionOf, groupsOf } from './captions.js';

const RUN: Run = { part: 'mariadb', date: '2026-11-21', machine: 'AMD EPYC', cores: 2, node: 'v20.20.2', rows: [] };

describe('the captions of results', () => {
  it('name day, machine, Node, loads, settings and the comment', () => {
    const other = { ...RUN, load: 3, settings: { ROUND_SECONDS: '1' }, comment: 'A trial.' };
    expect(captionOf([RUN])).toBe('Measured on 2026-11-21 on AMD EPYC, 2 cores, Node 20.20.2.');
    expect(captionOf([other, { ...other, load: 0.4 }])).toBe(
      'Measured on 2026-11-21 on AMD EPYC, 2 cores, Node 20.20.2, load 0.4 to 3 at the start, with `ROUND_SECONDS=1`. A trial.',
    );
  });

  it('stand once for the runs of a day, machine, Node, settings and comment, the newest day first', () => {
    const others = [
      { date: '2026-11-22' },
      { machine: 'Intel Xeon' },
      { node: 'v24.1.0' },
      { settings: { ROUND_SECONDS: '1' } },
      { comment: 'A trial.' },
    ].map((difference) => ({ ...RUN, ...difference }));
    const same = { ...RUN, part: 'sqlite', load: 2 };
    const [newest, ...rest] = others;
    expect(groupsOf([RUN, ...others, same])).toEqual([[newest], [RUN, same], ...rest.map((run) => [run])]);
  });
});
