import { expectedRevisions } from './revision.js';

describe('If-Match', () => {
  it.each([
    [undefined, undefined],
    ['*', undefined],
    [' * ', undefined],
    ['"3"', [3]],
    ['"3", "14"', [3, 14]],
    ['"3","14" , ', [3, 14]],
    [', "3"', [3]],
    // Weak tags never match (RFC 9110 section 13.1.1), and another text is no revision.
    ['W/"3"', []],
    ['W/"3", "4"', [4]],
    ['"a,b", "03", "", "0", "1e3", "9999999999999999999"', []],
  ])('%j means %j', (header, expected) => {
    expect(expectedRevisions(header)).toEqual(expected);
  });

  it.each(['', ' ', ',', '3', '"3', '3"', '"3" "4"', 'w/"3"', '"3", *', '*, *', '"3"x', 'W/ "3"'])(
    '%j is refused with the name of the header',
    (header) => {
      expect(() => expectedRevisions(header)).toThrow(
        expect.objectContaining({
          code: 'validation_failed',
          errors: [expect.objectContaining({ field: 'If-Match' })],
        }),
      );
    },
  );

  it('of 16 kB is read in a moment', () => {
    expect(expectedRevisions(`${'"1",'.repeat(4_000)}"2"`)).toHaveLength(4_001);
    expect(() => expectedRevisions('"'.repeat(16_000))).toThrow('If-Match');
    expect(() => expectedRevisions(`${','.repeat(16_000)}x`)).toThrow('If-Match');
  });
});
