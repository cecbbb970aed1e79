import fc from '../../../../scripts/fast-check.mjs';
import { AgedMap } from './aged-map.js';

describe('a map with the age of its entries', () => {
  it('finds the oldest entry after any changes', () => {
    const step = fc.record({ action: fc.constantFrom('put', 'delete', 'deleteOldest', 'look'), key: fc.nat(6) });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const map = new AgedMap<number, object>();
        let expected: number[] = [];
        for (const { action, key } of steps) {
          const gone = action === 'deleteOldest' ? (map.oldest()?.[0] ?? -1) : key;
          if (action !== 'look') expected = expected.filter((each) => each !== gone);
          if (action === 'put') {
            map.put(key, {});
            expected.push(key);
          } else if (action !== 'look') {
            map.delete(gone);
          }
          expect(map.oldest()?.[0]).toBe(expected[0]);
          expect(map.size).toBe(expected.length);
        }
      }),
    );
  });
});
