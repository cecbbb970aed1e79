import fc from '../../../scripts/fast-check.mjs';
import { NewestEntries } from './newest-entries.js';

describe('the newest entries', () => {
  it('are those that were set last, whatever was removed and set again meanwhile', () => {
    const step = fc.record({ key: fc.constantFrom('a', 'b', 'c', 'd', 'e'), isRemoved: fc.boolean() });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 4 }), fc.array(step, { maxLength: 60 }), (most, steps) => {
        const entries = new NewestEntries<number>(most);
        let expected: [string, number][] = [];
        for (const [number, { key, isRemoved }] of steps.entries()) {
          expected = expected.filter(([known]) => known !== key);
          if (isRemoved) entries.delete(key);
          else {
            entries.set(key, number);
            expected = [...expected, [key, number] as [string, number]].slice(-most);
          }
          expect([...entries]).toEqual(expected);
        }
      }),
    );
  });
});
