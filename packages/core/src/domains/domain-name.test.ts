import fc, { CHARACTER } from '../../../../scripts/fast-check.mjs';
import {
  ancestorsOf,
  type DomainName,
  isAncestor,
  parseDomainName,
  readDomainName,
  readNewDomainName,
} from './domain-name.js';

const label = fc.stringMatching(/^[a-z0-9]([a-z0-9-]{0,20}[a-z0-9])?$/).filter((text) => !/^..--/.test(text));

describe('a domain name', () => {
  it.each([
    ['Example.COM', 'example.com'],
    [' example.com. ', 'example.com'],
    ['bücher.example', 'xn--bcher-kva.example'],
    ['BÜCHER.example', 'xn--bcher-kva.example'],
    ['xn--bcher-kva.example', 'xn--bcher-kva.example'],
    ['a.b.c.example.co.uk', 'a.b.c.example.co.uk'],
    ['1und1.de', '1und1.de'],
    ['bu\u0308cher.example', 'xn--bcher-kva.example'],
    ['Ｂücher。Example．', 'xn--bcher-kva.example'],
    ['XN--Bcher-KVA｡example｡', 'xn--bcher-kva.example'],
  ])('reads %s as %s', (input, name) => {
    expect(parseDomainName(input)).toBe(name);
  });

  it.each([
    ['', 'must not be empty'],
    ['localhost', 'at least two labels'],
    ['example', 'at least two labels'],
    ['com', 'at least two labels'],
    ['co.uk', 'public suffix'],
    ['github.io', 'public suffix'],
    ['127.0.0.1', 'not an IP address'],
    ['10.1', 'not an IP address'],
    ['1.2.3.0x7f', 'not an IP address'],
    ['-a.example.com', 'letters, digits and hyphens'],
    ['a-.example.com', 'letters, digits and hyphens'],
    ['a..example.com', 'letters, digits and hyphens'],
    ['.example.com', 'letters, digits and hyphens'],
    ['example.com..', 'letters, digits and hyphens'],
    ['example.com。.', 'letters, digits and hyphens'],
    ['exa_mple.com', 'letters, digits and hyphens'],
    ['exa mple.com', 'letters, digits and hyphens'],
    ['example.com/path', 'letters, digits and hyphens'],
    ['example.com:25', 'letters, digits and hyphens'],
    ['ex%61mple.com', 'letters, digits and hyphens'],
    ['user@example.com', 'letters, digits and hyphens'],
    ['xn--a.example', 'letters, digits and hyphens'],
    ['a..bücher.com', 'letters, digits and hyphens'],
    [`${'a'.repeat(64)}.com`, 'must have at most 63 characters in each part between dots'],
    [`www.${'a'.repeat(67)}.com`, 'must have at most 63 characters in each part between dots'],
    [`${'ü'.repeat(63)}.com`, 'must have at most 63 characters in each part between dots; in the DNS the name is xn--'],
    [`${'a.'.repeat(130)}com`, '253'],
  ])('refuses %j and says why', (input, problem) => {
    const result = readDomainName(input);
    expect(result).toEqual({ ok: false, problem: expect.stringContaining(problem) });
  });

  it('is parsed without an exception from any text, and a parsed name parses to itself', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: CHARACTER }), fc.domain()), (text) => {
        const name = parseDomainName(text);
        if (name !== null) {
          expect(parseDomainName(name)).toBe(name);
          expect(name).toMatch(/^[a-z0-9.-]{3,253}$/);
        }
      }),
    );
  });

  it('is the same in upper and lower case and with a trailing dot', () => {
    fc.assert(
      fc.property(fc.array(label, { minLength: 1, maxLength: 4 }), (labels) => {
        const text = `${labels.join('.')}.example.org`;
        expect(parseDomainName(`${text.toUpperCase()}.`)).toBe(parseDomainName(text));
      }),
    );
  });

  it('cannot be new below a special-use name, but is parsed when it exists', () => {
    for (const name of ['a.local', 'x.onion', 'x.y.internal', '1.0.0.127.in-addr.arpa']) {
      expect(readNewDomainName(name)).toEqual({ ok: false, problem: expect.stringContaining('is never delivered') });
      expect(parseDomainName(name)).toBe(name);
    }
    expect(readNewDomainName('Local.TEST.')).toEqual({ ok: true, name: 'local.test' });
  });

  it('lists its ancestors, nearest first, without the top-level domain', () => {
    expect(ancestorsOf('a.b.example.com' as DomainName)).toEqual(['b.example.com', 'example.com']);
    expect(ancestorsOf('example.com' as DomainName)).toEqual([]);
  });

  it('is not an ancestor of a name that only ends with the same letters', () => {
    expect(isAncestor('example.com' as DomainName, 'notexample.com' as DomainName)).toBe(false);
    expect(isAncestor('example.com' as DomainName, 'a.example.com' as DomainName)).toBe(true);
    expect(isAncestor('example.com' as DomainName, 'example.com' as DomainName)).toBe(false);
  });
});
