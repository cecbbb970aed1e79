import { asRead, namedInText, storedName } from './unicode-name.js';

describe('an international name', () => {
  it.each([
    ['xn--bcher-kva.example', 'bücher.example'],
    ['info@xn--bcher-kva.example', 'info@bücher.example'],
    ['@mail.xn--bcher-kva.example', '@mail.bücher.example'],
    ['xn--5dbqzzl.example', 'עברית.example'],
  ])('%s is read as %s', (name, read) => {
    expect(asRead(name)).toBe(read);
  });

  it.each([
    ['has no letters outside ASCII', 'example.com'],
    ['has xn-- within a label', 'axn--b.example'],
    ['is no Punycode', 'xn--\u00fc.example'],
    ['decodes to ASCII', 'xn--example-.com'],
    // U+202E, which turns the direction of what follows.
    ['decodes to a letter that the rules of names refuse', 'xn--abc-7q0a.example'],
  ])('stays as it is stored when it %s', (_why, name) => {
    expect(asRead(name)).toBeNull();
    expect(namedInText(name)).toBe(name);
  });

  it('is isolated in a text, with the stored name beside it', () => {
    expect(namedInText('xn--bcher-kva.example')).toBe('\u2068bücher.example\u2069 (xn--bcher-kva.example)');
  });

  it.each([
    ['Bücher.Example', 'xn--bcher-kva.example'],
    [' EXAMPLE.com ', 'example.com'],
    ['a b ü', 'a b ü'],
  ])('that is typed as %j is stored as %s', (typed, stored) => {
    expect(storedName(typed)).toBe(stored);
  });
});
