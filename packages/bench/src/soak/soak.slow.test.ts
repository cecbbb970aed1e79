import { DATABASE_KINDS, endAll } from '../service.js';
import { runSoak } from './run-soak.js';
import { SHORT_FORM, unexplained } from './verdict.js';

const { roundsOfStretch, stretches } = SHORT_FORM;
const ROUNDS = roundsOfStretch * stretches;

afterAll(endAll);

describe.each(DATABASE_KINDS)('the short soak on %s', (kind) => {
  it('leaves no heap, descriptors or rows that its requests do not explain', async () => {
    const redis = new URL(process.env.MAILSTEAD_TEST_REDIS_URL ?? '');
    redis.pathname = '/12';
    const result = await runSoak(kind, {
      redisUrl: kind === 'mariadb' ? redis.toString() : null,
      goesOn: (rounds) => rounds < ROUNDS,
      stretchEnds: (rounds) => rounds >= roundsOfStretch,
    });
    expect(result.rounds).toBe(ROUNDS);
    expect(result.processes.map(({ name }) => name)).toEqual(kind === 'mariadb' ? ['api', 'worker'] : ['api']);
    expect(result.rows.get('domain')).toBe(0);
    expect(result.rows.get('tombstone')).toBe(result.rounds);
    // No entity describes it. On SQLite a day of trails has a table when it has rows.
    expect(result.rows.has('trail')).toBe(kind === 'mariadb');
    expect(unexplained(result)).toEqual([]);
  });
});
