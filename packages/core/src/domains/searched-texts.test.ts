import type { DomainName } from './domain-name.js';
import { MAX_FURTHER_TEXTS, readSearchedText, searchedTextsOf } from './searched-texts.js';

const textsOf = (name: string) => searchedTextsOf(name as DomainName);

/** Whether `q` finds the name. */
const finds = (q: string, name: string) => {
  const text = readSearchedText(q);
  return text !== null && textsOf(name).some((each) => each.startsWith(text));
};

describe('the texts by which a name is found', () => {
  it('are its suffixes and what follows each of its hyphens', () => {
    expect(textsOf('my-juniper-bakery.shop-one.example')).toEqual([
      'my-juniper-bakery.shop-one.example',
      'shop-one.example',
      'example',
      'juniper-bakery.shop-one.example',
      'bakery.shop-one.example',
      'one.example',
    ]);
  });

  it('are the suffixes alone of a name without a hyphen', () => {
    expect(textsOf('sub.other.example')).toEqual(['sub.other.example', 'other.example', 'example']);
  });

  it('begin with no hyphen, also after several ones together', () => {
    expect(textsOf('r3---sn.example')).toEqual(['r3---sn.example', 'example', 'sn.example']);
  });

  it.each([
    ['xn--mller-bckerei', 'xn--mller-bckerei-hfb76a.example'],
    ['bckerei', 'xn--mller-bckerei-hfb76a.example'],
    ['müller', 'xn--mller-bckerei-hfb76a.example'],
    ['MÜLLER-bäck', 'xn--mller-bckerei-hfb76a.example'],
    ['bäckerei.ex', 'xn--mller-bckerei-hfb76a.example'],
    ['bücher.acme.e', 'xn--bcher-kva.acme.example'],
    ['büch', 'shop.xn--bcher-kva.example'],
    ['bu\u0308ch', 'shop.xn--bcher-kva.example'],
    ['日本', 'xn--wgv71a.example'],
    [' Bakery ', 'juniper-bakery.example'],
  ])('q=%s finds %s', (q, name) => {
    expect(finds(q, name)).toBe(true);
  });

  it.each([
    ['akery', 'juniper-bakery.example'],
    ['-bakery', 'juniper-bakery.example'],
    ['ücher', 'xn--bcher-kva.example'],
    ['bûch', 'xn--bcher-kva.example'],
    ['%', 'xn--bcher-kva.example'],
    ['%C3', 'xn--bcher-kva.example'],
    ['a b', 'a.example'],
    ['x'.repeat(254), 'x.example'],
  ])('q=%s does not find %s', (q, name) => {
    expect(finds(q, name)).toBe(false);
  });

  it(`are at most ${MAX_FURTHER_TEXTS} beside the suffixes, the first ones, and those that people read before those of the DNS`, () => {
    const hyphens = textsOf(`${'a-'.repeat(25)}b.${'c-'.repeat(25)}d.example`);
    expect(hyphens).toHaveLength(3 + MAX_FURTHER_TEXTS);
    expect(hyphens[3]).toMatch(/^a-/);
    const labels = textsOf(`${'xn--4ca.'.repeat(20)}example`);
    expect(labels).toHaveLength(21 + MAX_FURTHER_TEXTS);
    expect(labels.slice(21).every((text) => text.startsWith('%C3%A4.'))).toBe(true);
  });

  it('are ASCII and have at most 253 characters, and the beginning of a longer one finds it', () => {
    const name = `xn--4ca${'a'.repeat(49)}.example`;
    for (const text of textsOf(name)) expect(text).toMatch(/^[!-~]{1,253}$/);
    for (const characters of [1, 42, 43, 50]) expect(finds('ä'.repeat(characters), name)).toBe(true);
  });

  it('of a stored name that breaks a rule are those of the DNS alone', () => {
    expect(textsOf('xn--zzzzzzzzzz9999999.example')).toEqual([
      'xn--zzzzzzzzzz9999999.example',
      'example',
      'zzzzzzzzzz9999999.example',
    ]);
  });
});
