import fc from '../../../../scripts/fast-check.mjs';
import { contrastOf, textOn } from './contrast.js';

it('the contrast is that of the definition', () => {
  expect(contrastOf('#000000', '#ffffff')).toBeCloseTo(21, 5);
  expect(contrastOf('#777777', '#ffffff')).toBeCloseTo(4.48, 2);
  expect(contrastOf('#0000ff', '#ffffff')).toBeCloseTo(8.59, 2);
  expect(contrastOf('#1f5f8b', '#1f5f8b')).toBe(1);
});

it('the text on every colour can be read: its contrast is at least 4.5', () => {
  const part = fc.nat(255).map((value) => value.toString(16).padStart(2, '0'));
  fc.assert(
    fc.property(part, part, part, (red, green, blue) => {
      const colour = `#${red}${green}${blue}`;
      // `expect` for each would take ten times as long.
      return contrastOf(textOn(colour), colour) >= 4.5;
    }),
    { numRuns: 20_000 },
  );
  expect([textOn('#ffffff'), textOn('#000000'), textOn('#ffd700'), textOn('#1f5f8b')]).toEqual([
    '#000000',
    '#ffffff',
    '#000000',
    '#ffffff',
  ]);
});
