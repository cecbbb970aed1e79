import { plainText } from './listed-bounce.js';

describe('a text of a stranger’s server', () => {
  test.each([
    ['lines and tabs', 'smtp; 550\r\n\t5.1.1 unknown', 'smtp; 550   5.1.1 unknown'],
    ['escapes of terminals', 'a\u001b[31mb\u009bc\u007fd', 'a [31mb c d'],
    ['marks that turn the direction of the text', 'a\u202eb\u2066c', 'a b c'],
    ['half of a pair of surrogates', 'a\ud800b', 'a b'],
    ['blanks around it', '  a  ', 'a'],
  ])('loses %s', (_, text, expected) => {
    expect(plainText(text, 100)).toBe(expected);
  });

  test('keeps letters of every language', () => {
    expect(plainText('Empfänger unbekannt 不明 🙂', 100)).toBe('Empfänger unbekannt 不明 🙂');
  });

  test('is cut, also in the middle of a pair of surrogates', () => {
    expect(plainText('ab🙂', 3)).toBe('ab');
    expect(plainText('abcd', 3)).toBe('abc');
  });
});
