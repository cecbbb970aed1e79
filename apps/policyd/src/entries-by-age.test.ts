import fc from '../../../scripts/fast-check.mjs';
import { EntriesByAge } from './entries-by-age.js';

describe('entries by their age', () => {
  it('know the oldest one, whatever was removed and set again meanwhile', () => {
    const step = fc.record({
      key: fc.constantFrom('a', 'b', 'c', 'd', 'e'),
      kind: fc.constantFrom('set', 'set', 'delete', 'clear'),
      isAsked: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const entries = new EntriesByAge<number>();
        for (const [number, { key, kind, isAsked }] of steps.entries()) {
          if (kind === 'set') entries.set(key, number);
          else if (kind === 'delete') entries.delete(key);
          else entries.clear();
          if (isAsked) expect(entries.oldest).toBe([...entries.keys()][0]);
        }
      }),
    );
  });
});
