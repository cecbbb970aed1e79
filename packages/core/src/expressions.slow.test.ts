import { readVerdicts, verdictsOf } from '../../../scripts/expressions.mjs';
import { PATIENCE_MS } from '../../../scripts/test-timeout.mjs';

/** recheck needs seconds for so many; on a slow machine with other work it needed fifteen minutes for fifty. */
const MOST_AT_ONCE = 10;

/** An expression with a sentence is safe whatever its verdict is. */
const judged = Object.entries(readVerdicts()).filter(([, verdict]) => typeof verdict === 'string');
const groups = Array.from({ length: Math.ceil(judged.length / MOST_AT_ONCE) }, (_, group) => {
  return Object.fromEntries(judged.slice(group * MOST_AT_ONCE, (group + 1) * MOST_AT_ONCE));
});

describe('the verdicts about regular expressions', () => {
  it.each(groups)('are those of recheck (group %#)', async (verdicts) => {
    expect(await verdictsOf(Object.keys(verdicts), PATIENCE_MS)).toEqual(verdicts);
  });
});
