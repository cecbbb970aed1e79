import { HEAP_BYTES_A_ROUND, type Sample, SHORT_FORM, slopeOf, unexplained } from './verdict.js';

const MB = 1_000_000;
const samplesOf = (look: (rounds: number) => Partial<Sample>): Sample[] =>
  Array.from({ length: 12 }, (_, index) => {
    const rounds = index * 1_000;
    return { rounds, heapBytes: 60 * MB, descriptors: 40, lagMs: 12, ...look(rounds) };
  });
const resultOf = (samples: Sample[], rows: Record<string, number> = {}) =>
  unexplained({
    processes: [{ name: 'api', samples }],
    rounds: 11_000,
    requests: 1,
    rows: new Map(Object.entries(rows)),
  });

describe('the verdict of a soak', () => {
  it('is good when everything stays, whatever the lag is', () => {
    expect(
      resultOf(
        samplesOf((rounds) => ({ lagMs: rounds })),
        { job: 4, audit_log: 100_000 },
      ),
    ).toEqual([]);
  });

  it('ignores the growth of the warm-up', () => {
    expect(resultOf(samplesOf((rounds) => ({ heapBytes: rounds < 4_000 ? rounds * 10_000 : 40 * MB })))).toEqual([]);
  });

  it('names a heap that grows in each round, and not one that swings', () => {
    const leak = samplesOf((rounds) => ({ heapBytes: 60 * MB + rounds * 3 * HEAP_BYTES_A_ROUND }));
    expect(slopeOf(leak, ({ heapBytes }) => heapBytes)).toBeCloseTo(3 * HEAP_BYTES_A_ROUND);
    expect(resultOf(leak)).toEqual([`api: the heap grew by ${3 * HEAP_BYTES_A_ROUND} bytes in each round`]);
    expect(resultOf(samplesOf((rounds) => ({ heapBytes: (rounds / 1_000) % 2 === 0 ? 60 * MB : 62 * MB })))).toEqual(
      [],
    );
  });

  it('names, in the short form too, what leaves a response in each round, a connection in each, or a row in each table', () => {
    const { roundsOfStretch, stretches } = SHORT_FORM;
    const rounds = roundsOfStretch * stretches;
    const shortOf = (look: (rounds: number) => Partial<Sample>, rows: Record<string, number> = {}) =>
      unexplained({
        processes: [
          {
            name: 'api',
            samples: Array.from({ length: stretches + 1 }, (_, index) => {
              const at = index * roundsOfStretch;
              // As measured: caches and compiled code grow in the first third, and a look differs from the next one.
              const heapBytes = 46 * MB + Math.min(at, rounds / 3) * 300_000 + (index % 2) * 500_000;
              return { rounds: at, heapBytes, descriptors: 60 + (index % 3), lagMs: 50, ...look(at) };
            }),
          },
        ],
        rounds,
        requests: 1,
        rows: new Map(Object.entries(rows)),
      });
    expect(shortOf(() => ({}), { audit_log: rounds * 7, job: 12 })).toEqual([]);
    expect(shortOf((at) => ({ heapBytes: 60 * MB + at * 20_000 }))).toEqual([
      'api: the heap grew by 20000 bytes in each round',
    ]);
    expect(shortOf((at) => ({ descriptors: 60 + at }))).toEqual([
      expect.stringMatching(/^api: \d+ descriptors were opened and not closed$/),
    ]);
    expect(shortOf(() => ({}), { audit_log: rounds * 15 })).toEqual([expect.stringMatching(/^audit_log: 15\.0 rows/)]);
  });

  it('names descriptors that stay open', () => {
    expect(resultOf(samplesOf((rounds) => ({ descriptors: 40 + rounds / 100 })))).toEqual([
      'api: 70 descriptors were opened and not closed',
    ]);
  });

  it('names a table that grows without the load, or more than it', () => {
    expect(
      resultOf(
        samplesOf(() => ({})),
        { job: 11_000, audit_log: 220_000 },
      ),
    ).toEqual([
      'job: 1.0 rows in each round, of which 0 are explained',
      'audit_log: 20.0 rows in each round, of which 12 are explained',
    ]);
  });

  it('is not given of a process that was not looked at twice', () => {
    expect(resultOf([])).toEqual(['api: too few samples']);
  });
});
