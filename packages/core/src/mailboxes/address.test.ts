import fc, { CHARACTER } from '../../../../scripts/fast-check.mjs';
import { comparedAddress, parseCatchAll, parseForeignAddress, parseNewAddress, parseOwnAddress } from './address.js';

describe('an address on this platform', () => {
  it.each([
    ['Alice@Example.COM', 'alice@example.com'],
    [" o'neil@example.com", "o'neil@example.com"],
    ['a.b-c_d=e~f&g@example.com', 'a.b-c_d=e~f&g@example.com'],
    ['x@bücher.example', 'x@xn--bcher-kva.example'],
  ])('reads %s as %s', (input, address) => {
    expect(parseOwnAddress(input)?.address).toBe(address);
  });

  it.each([
    '',
    '@example.com',
    'alice',
    'alice@',
    'a+b@example.com',
    'a..b@example.com',
    '.a@example.com',
    'a.@example.com',
    'a b@example.com',
    'a!b@example.com',
    'a%b@example.com',
    'a/b@example.com',
    '"a b"@example.com',
    'a@b@example.com',
    'ä@example.com',
    // The Kelvin sign, whose lower case is the letter k.
    '\u212aurt@example.com',
    'a＠example.com',
    `${'a'.repeat(65)}@example.com`,
    'a@localhost',
    'a@[127.0.0.1]',
  ])('refuses %j', (input) => {
    expect(parseOwnAddress(input)).toBeNull();
  });

  it('has at most 64 characters before the @', () => {
    expect(parseOwnAddress(`${'a'.repeat(64)}@example.com`)).not.toBeNull();
  });

  it('is parsed without an exception from any text, and a parsed address parses to itself', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: CHARACTER }), fc.emailAddress()), (text) => {
        const parsed = parseOwnAddress(text);
        if (parsed !== null) expect(parseOwnAddress(parsed.address)).toEqual(parsed);
      }),
    );
  });
});

describe('a new address', () => {
  it('does not begin with a hyphen, which Postfix refuses; an existing address may', () => {
    for (const text of ['-a@example.com', '-@example.com']) {
      expect(parseNewAddress(text)).toBeNull();
      expect(parseOwnAddress(text)).not.toBeNull();
    }
    expect(parseNewAddress('a.-b-@example.com')?.localPart).toBe('a.-b-');
  });

  it('may contain the characters of the rule and no others', () => {
    const taken = Array.from({ length: 128 }, (_, code) => String.fromCharCode(code)).filter(
      (character) => parseNewAddress(`a${character}b@example.com`) !== null,
    );
    expect(taken.join('')).toBe("&'-.0123456789=ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz~");
  });
});

describe('an outside address', () => {
  it('keeps the case of its local part', () => {
    expect(parseForeignAddress('Some.One+tag@Example.COM')?.address).toBe('Some.One+tag@example.com');
  });

  it.each(['x@gov.in', 'x@nic.in', 'x@co.uk', 'x@github.io'])('may be at a public suffix: %s', (input) => {
    expect(parseForeignAddress(input)?.address).toBe(input);
    expect(parseOwnAddress(input)).toBeNull();
    expect(parseCatchAll(input.slice(1))).toBeNull();
  });

  it.each([
    'a@in',
    'a@192.0.2.1',
    'a@1.2.3.0x4',
    'a@[192.0.2.1]',
    'a@-x.com',
    'a@.in',
    'a@gov..in',
    'help?bcc=x@',
    '@gov.in',
  ])('can never be %j', (input) => {
    expect(parseForeignAddress(input)).toBeNull();
  });

  it.each(['a b@example.com', '"quoted"@example.com', 'a..b@example.com', 'a@b'])('refuses %j', (input) => {
    expect(parseForeignAddress(input)).toBeNull();
  });
});

describe('a catch-all', () => {
  it.each(['@example.com', '*@example.com', ' *@EXAMPLE.com '])('reads %j as @example.com', (input) => {
    expect(parseCatchAll(input)?.address).toBe('@example.com');
  });

  it.each(['@', '**@example.com', 'a@example.com', '@localhost'])('is not %j', (input) => {
    expect(parseCatchAll(input)).toBeNull();
  });
});

describe('an address that is compared', () => {
  it.each([
    ['Anna@Bücher.Example', 'anna@xn--bcher-kva.example'],
    [' anna@bu\u0308cher.example. ', 'anna@xn--bcher-kva.example'],
    ['anna@XN--BCHER-KVA.example', 'anna@xn--bcher-kva.example'],
    ['anna@bücher。example', 'anna@xn--bcher-kva.example'],
    ['"a B"@Example.com.', '"a b"@example.com'],
    ['a@b@example.com.', 'a@b@example.com'],
    ['*@Bücher.example', '*@xn--bcher-kva.example'],
    ['@Bücher.example', '@xn--bcher-kva.example'],
    ['Service', 'service'],
    ['x@[192.0.2.1]', 'x@[192.0.2.1]'],
    ['x@localhost', 'x@localhost'],
    ['x@example.com..', 'x@example.com..'],
    ['JÖ@Example.com.', 'jÖ@example.com'],
    ['x@Ü..example', 'x@Ü..example'],
    ['\u212aurt', '\u212aurt'],
    [`${'a'.repeat(240)}@bücher.example`, `${'a'.repeat(240)}@bücher.example`],
    ['', ''],
  ])('%j is %j', (input, address) => {
    expect(comparedAddress(input)).toBe(address);
  });

  it('is the same when it is read again, has no capital of ASCII, and is longer than the text only as an address', () => {
    const text = fc.oneof(fc.string({ unit: CHARACTER }), fc.emailAddress(), fc.string({ unit: 'grapheme' }));
    fc.assert(
      fc.property(text, fc.constantFrom('', '@', '@bücher.example', '.'), (start, end) => {
        const address = comparedAddress(start + end);
        expect(comparedAddress(address)).toBe(address);
        expect(address).not.toMatch(/[A-Z]/);
        expect(address.length).toBeLessThanOrEqual(Math.max(254, start.length + end.length));
      }),
    );
  });

  it('is what every reader of addresses gives for one that it takes', () => {
    fc.assert(
      fc.property(fc.emailAddress(), (text) => {
        const foreign = parseForeignAddress(text);
        if (foreign !== null) expect(comparedAddress(text)).toBe(comparedAddress(foreign.address));
        const own = parseOwnAddress(text);
        if (own !== null) expect(own.address).toBe(comparedAddress(text));
      }),
    );
  });
});
