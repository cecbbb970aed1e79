import { parseSuppressedAddress } from './suppression-address.js';

describe('a suppressed address', () => {
  test.each([
    ['in any case', 'Joe@Out.EXAMPLE', 'joe@out.example'],
    ['with a trailing dot', 'joe@out.example.', 'joe@out.example'],
    ['in needless quotes', '"joe.b"@out.example', 'joe.b@out.example'],
    ['with an extension, which is another address', 'joe+news@out.example', 'joe+news@out.example'],
    ['with a Unicode domain, with full-width dots', 'joe@bu\u0308cher。example。', 'joe@xn--bcher-kva.example'],
    ['with a Unicode domain', 'joe@bücher.example', 'joe@xn--bcher-kva.example'],
    ['below a public suffix that is a host of mail', 'joe@gov.uk', 'joe@gov.uk'],
    ['with the characters of a dot-string', "o'neil#1@out.example", "o'neil#1@out.example"],
  ])('%s has one form', (_, input, expected) => {
    expect(parseSuppressedAddress(input)).toBe(expected);
  });

  test.each([
    'joe',
    '@out.example',
    'joe@',
    'joe@localhost',
    'joe@[192.0.2.1]',
    'joe@192.0.2.1',
    '"a@b"@out.example',
    'jo e@out.example',
    '"jo e"@out.example',
    'jö@out.example',
    '.joe@out.example',
    `${'a'.repeat(65)}@out.example`,
    `joe@${'a'.repeat(250)}.example`,
  ])('is not %s', (input) => {
    expect(parseSuppressedAddress(input)).toBeNull();
  });
});
