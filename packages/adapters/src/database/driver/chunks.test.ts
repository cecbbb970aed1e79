import fc from '../../../../../scripts/fast-check.mjs';
import { chunksOf, MAX_PARAMETERS } from './chunks.js';

const ESCAPED_BYTES = 3;
const SMALLEST_PACKET = 4 * 1_024 * 1_024;

describe('a list split into chunks', () => {
  it('keeps every item once and in order, and each chunk within the limits of both databases', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.integer({ min: 0, max: 4_000 }), fc.integer({ min: 1, max: 3_000 })), { maxLength: 300 }),
        (items) => {
          const parametersOf = ([length, count]: [number, number]) =>
            Array.from({ length: count }, (_, index) => (index === 0 ? 'x'.repeat(length * 100) : 1));
          const chunks = chunksOf(items, parametersOf);
          expect(chunks.flat()).toEqual(items);
          for (const chunk of chunks) {
            const parameters = chunk.flatMap(parametersOf);
            expect(parameters.length).toBeLessThanOrEqual(MAX_PARAMETERS);
            const characters = parameters.reduce<number>((sum, each) => sum + String(each).length, 0);
            expect(characters * ESCAPED_BYTES).toBeLessThan(SMALLEST_PACKET);
          }
        },
      ),
      { numRuns: 30 },
    );
  });

  it('has no chunk when the list is empty', () => {
    expect(chunksOf([])).toEqual([]);
  });
});
