import { sampleSize } from '@mailstead/core/testing/sampled';
import fc from '../../../../scripts/fast-check.mjs';
import { readAddresses } from './read-addresses.js';

const read = (text: string | Buffer) => readAddresses(Buffer.from(text));
const word = (text: string, kind: 'q' | 'b' = 'b', charset = 'utf-8') => {
  const encoded =
    kind === 'b'
      ? Buffer.from(text).toString('base64')
      : Array.from(Buffer.from(text), (byte) => `=${byte.toString(16).toUpperCase().padStart(2, '0')}`).join('');
  return `=?${charset}?${kind}?${encoded}?=`;
};

describe('the addresses of a field', () => {
  it.each<[string, string[]]>([
    ['alice@acme.test', ['alice@acme.test']],
    [' <Alice@ACME.test> ', ['alice@acme.test']],
    ['Alice <alice@acme.test>', ['alice@acme.test']],
    ['John Q. Public <alice@acme.test>', ['alice@acme.test']],
    ["Conan O'Brien <alice@acme.test>", ['alice@acme.test']],
    ['"Müller, Hans (Sales)" <alice@acme.test>', ['alice@acme.test']],
    ['Jörg <alice@acme.test>', ['alice@acme.test']],
    ['"He said \\"hi\\"" <alice@acme.test>', ['alice@acme.test']],
    ['"info@elsewhere.test" <alice@acme.test>', ['alice@acme.test']],
    ['alice@acme.test (Alice)', ['alice@acme.test']],
    ['Alice\r\n <alice@acme.test>', ['alice@acme.test']],
    ['"A very long\n\tname" <alice@acme.test>', ['alice@acme.test']],
    ['"carol@beta.test by Alice"\r\n <alice@acme.test>', ['alice@acme.test']],
    ['Alice (of\r\n sales) <alice@acme.test>', ['alice@acme.test']],
    [`${word('Müller, Hans')} <alice@acme.test>`, ['alice@acme.test']],
    [`${word('Müller', 'q')} ${word(' Hans', 'q')} <alice@acme.test>`, ['alice@acme.test']],
    ['=?iso-2022-jp?B?GyRCOzNFRBsoQg==?= <alice@acme.test>', ['alice@acme.test']],
    ["alice+tag@acme.test, Bob <o'neil=x~y@beta.test>", ['alice+tag@acme.test', "o'neil=x~y@beta.test"]],
  ])('are read from %j', (text, addresses) => {
    expect(read(text)).toEqual({ addresses });
  });

  it.each([
    [''],
    [' \r\n '],
    ['alice'],
    ['<>'],
    ['undisclosed-recipients:;'],
    ['team: alice@acme.test;'],
    ['carol@beta.test <alice@acme.test>'],
    ['<carol@beta.test> <alice@acme.test>'],
    ['alice@acme.test carol@beta.test'],
    ['alice@acme.test; carol@beta.test'],
    ['<alice@acme.test'],
    ['alice@acme.test>'],
    ['"alice"@acme.test'],
    ['"carol@beta.test"@acme.test'],
    ['"a\\" <carol@beta.test>"@acme.test'],
    ['alice@[127.0.0.1]'],
    ['alice@acme.test.'],
    ['alice..b@acme.test'],
    ['alice@acme@beta.test'],
    ['alice@acme.test,'],
    [',alice@acme.test'],
    ['alice@acme.test,,bob@acme.test'],
    ['<@beta.test:alice@acme.test>'],
    ['<@beta.test,@gamma.test:alice@acme.test>'],
    ['alice . b@acme.test'],
    ['alice @acme.test'],
    ['alice@ acme.test'],
    ['alice@acme .test'],
    ['alice@acme(x).test'],
    ['alice@acme. test'],
    ['alice(x)@acme.test'],
    ['alice@(x)acme.test'],
    ['(carol@beta.test) alice@acme.test'],
    ['<(carol@beta.test) alice@acme.test>'],
    ['alice@acme.test (, carol@beta.test)'],
    ['"carol@beta.test, x" <alice@acme.test>'],
    ['"x\r\n carol@beta.test" <alice@acme.test>'],
    ['"x\n\tcarol@beta.test, y" <alice@acme.test>'],
    ['"x\r\n carol@\r\n beta.test" <alice@acme.test>'],
    ['alice@acme.test (x\r\n carol@beta.test)'],
    ['alice@acme.test (x (y)\r\n carol@beta.test)'],
    [`"x\r\n ${word('carol@beta.test')}" <alice@acme.test>`],
    ['"<carol@beta.test>" <alice@acme.test>'],
    ['"x\\" <carol@beta.test>, \\"" <alice@acme.test>'],
    [`${word('<carol@beta.test>,')} <alice@acme.test>`],
    [`${word('carol@beta.test, ', 'q')} <alice@acme.test>`],
    [`${word('carol@')}\r\n ${word('beta.test,')} <alice@acme.test>`],
    [`"${word('<carol@beta.test>,')}" <alice@acme.test>`],
    [`<${word('carol@beta.test')}>`],
    [`${word('alice')}@acme.test`],
    [`alice@${word('beta.test')}`],
    ['алиса@acme.test'],
    ['alice@äcme.test'],
    ['alice@ａcme.test'],
    ['alice＠acme.test'],
    ['alice@acme.test\u00a0'],
    ['\u202ealice@acme.test'],
    ['\ufeffalice@acme.test'],
    ['"a\u0001b" <alice@acme.test>'],
    ['alice@acme.test\rcarol@beta.test'],
    ['alice@acme.test\ncarol@beta.test'],
    ['alice@acme.test\u2028carol@beta.test'],
  ])('are not read from %j, which is unclear', (text) => {
    expect(read(text)).toEqual({ problem: expect.stringMatching(/^[a-z][ -~]+$/) });
  });

  it('are not parsed in a field that is too long', () => {
    const tooLong = expect.objectContaining({ problem: 'is too long' });
    expect(read(`${'('.repeat(500)}x${')'.repeat(500)} alice@acme.test`)).toEqual(tooLong);
    expect(read(`${'a'.repeat(255)}@acme.test`)).toEqual({ problem: 'has an address that is too long' });
    expect(read(Array(500).fill('alice@acme.test').join(','))).toEqual(tooLong);
  });

  it('are not read from a line that a mail server would fold, because it may fold inside an address', () => {
    const before = (bytes: number) => `"${'a'.repeat(bytes)}" <carol@beta.test.acme.test>`;
    const tooLong = { problem: 'has a line that is too long' };
    // With "Resent-Sender: " before it, this line has 998 bytes, which no mail server folds.
    expect(read(before(953))).toEqual({ addresses: ['carol@beta.test.acme.test'] });
    expect(read(before(954))).toEqual(tooLong);
    expect(read(`"${'ö'.repeat(480)}" <carol@beta.test.acme.test>`)).toEqual(tooLong);
    expect(read(`"${'a'.repeat(953)}"\r\n <carol@beta.test.acme.test>`)).toEqual({
      addresses: ['carol@beta.test.acme.test'],
    });
    expect(read(`Carol\r\n ${before(960)}`)).toEqual(tooLong);
  });

  it('are not read from bytes that are not UTF-8', () => {
    expect(read(Buffer.from('J\xf6rg <alice@acme.test>', 'latin1'))).toMatchObject({ problem: expect.any(String) });
    expect(read(Buffer.from('alice@acme.test\0, carol@beta.test', 'latin1'))).toMatchObject({
      problem: expect.any(String),
    });
  });

  it('are complete with any text around them: every address that a person would see is returned', () => {
    const piece = fc.constantFrom(
      'alice@acme.test',
      'carol@beta.test',
      '<',
      '>',
      ',',
      ';',
      ':',
      '"',
      '\\',
      '(',
      ')',
      '@',
      '.',
      ' ',
      '\t',
      '\r\n ',
      word('carol@beta.test'),
      word('<carol@beta.test>', 'q'),
      word(','),
      'Alice',
      'team:',
      '[',
      ']',
      'ö',
      '=',
    );
    const addresses = fc.array(piece, { maxLength: 14 }).map((pieces) => pieces.join(''));
    fc.assert(
      fc.property(addresses, (text) => {
        const result = read(text);
        if ('problem' in result) return true;
        // Outside quotes and comments, every @ belongs to a returned address.
        const bare = text
          .replace(/\r\n /g, ' ')
          .replace(/"(?:[^"\\]|\\.)*"/g, '')
          .replace(/\((?:[^()\\]|\\.|\((?:[^()\\]|\\.)*\))*\)/g, '');
        const isComplete = result.addresses.length > 0 && result.addresses.length === bare.split('@').length - 1;
        // `expect` for each would take as long as all the rest.
        return isComplete && result.addresses.every((address) => bare.toLowerCase().includes(address));
      }),
      { numRuns: sampleSize(20_000, 700) },
    );
  });

  it('are the same for the same bytes only, also after many other fields', () => {
    const fields = Array.from({ length: 2_500 }, (_, index) => `Alice <alice${index % 1_250}@acme.test>`);
    expect(fields.map((field) => read(field))).toEqual(
      fields.map((_, index) => ({ addresses: [`alice${index % 1_250}@acme.test`] })),
    );
    expect(read('Jörg <alice0@acme.test>')).toEqual({ addresses: ['alice0@acme.test'] });
    expect(read(Buffer.from('Jörg <alice0@acme.test>', 'latin1'))).toMatchObject({ problem: expect.any(String) });
  });

  it('are returned or refused for any bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 3_000 }), (bytes) => {
        const result = read(Buffer.from(bytes));
        if ('addresses' in result) for (const address of result.addresses) expect(address).toMatch(/^[!-~]+@[!-~]+$/);
      }),
    );
  });

  it('are returned as written, with any name before them', () => {
    const quoted = fc
      .string({ unit: 'grapheme', maxLength: 30 })
      .filter((name) => !/[\p{Cc}\u2028\u2029<>@,;:()[\]\\"]/u.test(name) && name.trim() !== '');
    fc.assert(
      fc.property(quoted, fc.boolean(), (name, encode) => {
        const text = `${encode ? word(name) : `"${name}"`} <alice@acme.test>`;
        expect(read(text)).toEqual({ addresses: ['alice@acme.test'] });
      }),
    );
  });
});
