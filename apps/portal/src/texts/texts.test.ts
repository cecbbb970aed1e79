import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { DNS_FINDING_CODES, type DnsFindingCode, finding } from '@mailstead/core/relay/dns-findings';
import compile from 'icu-minify/compile';
import { de } from './de/all.js';
import { en } from './en/all.js';
import { later } from './en/later.js';
import { es } from './es/all.js';
import { fr } from './fr/all.js';
import { LANGUAGES, languageFor, localeFor } from './language.js';
import type { Texts } from './texts.js';

const ALL: Record<keyof typeof LANGUAGES, Texts> = { en, de, fr, es };
const OTHERS = Object.entries(ALL).filter(([language]) => language !== 'en');

/** Each text with its key. */
function textsOf(texts: Texts): [key: string, text: string][] {
  return Object.entries(texts).flatMap(([noun, all]) =>
    Object.entries(all).map(([key, text]): [string, string] => [`${noun}.${key}`, text]),
  );
}

/** The names of values and tags, and the choices of plurals, in a compiled text. */
function partsOf(node: unknown): { values: Set<string>; choices: string[][] } {
  const parts = { values: new Set<string>(), choices: [] as string[][] };
  const look = (each: unknown, isNode: boolean): void => {
    if (!Array.isArray(each)) return;
    if (!isNode) return each.forEach((part) => look(part, true));
    const [name, kind, ...rest] = each as [string, unknown, ...unknown[]];
    parts.values.add(typeof kind === 'string' || Array.isArray(kind) ? `<${name}>` : name);
    const choices = rest[0];
    if (typeof kind === 'number' && typeof choices === 'object' && choices !== null) {
      parts.choices.push(Object.keys(choices));
      for (const choice of Object.values(choices)) look(choice, false);
    }
    if (Array.isArray(kind)) look(kind, true);
  };
  look(node, false);
  return parts;
}

const valuesOf = (text: string) => [...partsOf(compile(text)).values].sort();

it.each(Object.entries(ALL))(
  'the texts of suppressed addresses, which customers read, name no relay in %s',
  (_, texts) => {
    const about = textsOf(texts).filter(([key]) => /^suppress(?:ion|ed)\./.test(key));
    expect(about.length).toBeGreaterThan(10);
    expect(about.filter(([, text]) => /\b(?:relay|relé|relais)/i.test(text))).toEqual([]);
  },
);

describe.each(OTHERS)('the texts in %s', (language, texts) => {
  it('have the same values and elements as the English ones', () => {
    const valuesIn = (all: Texts) => Object.fromEntries(textsOf(all).map(([key, text]) => [key, valuesOf(text)]));
    expect(valuesIn(texts)).toEqual(valuesIn(en));
  });

  it('are not left empty, nor in English where they are sentences', () => {
    const english = new Map(textsOf(en));
    const copied = textsOf(texts).filter(
      ([key, text]) => text === '' || (text === english.get(key) && / \w+ \w+ /.test(text)),
    );
    expect(copied).toEqual([]);
  });

  it('have each plural of the language', () => {
    const needed = new Set([0, 1, 2, 5, 21].map((count) => new Intl.PluralRules(language).select(count)));
    for (const [key, text] of textsOf(texts))
      for (const choices of partsOf(compile(text)).choices)
        expect([key, choices]).toEqual([key, expect.arrayContaining([...needed])]);
  });
});

describe('the texts of dns-check', () => {
  it.each(Object.entries(ALL))('need no other values than the check gives, in %s', (_language, texts) => {
    for (const code of DNS_FINDING_CODES) {
      const given = givenOf(code);
      for (const value of valuesOf(texts.finding[code]))
        expect([code, given]).toEqual([code, expect.arrayContaining([value])]);
    }
  });

  it('say in English what the service says', () => {
    const plain = DNS_FINDING_CODES.filter((code) => givenOf(code).length === 0);
    expect(plain.map((code) => en.finding[code])).toEqual(plain.map((code) => finding(code, {} as never).detail));
  });

  /** The values that the service's own sentence uses. */
  function givenOf(code: DnsFindingCode): string[] {
    const used = new Set<string>();
    const params = new Proxy({}, { get: (_target, name) => (used.add(String(name)), 'x') });
    finding(code, params as never);
    return [...used];
  }
});

describe('the language', () => {
  const wishes = { chosen: null, brand: null, browser: [] };

  it('is what the reader chose, else the partner’s, else the browser’s, else English', () => {
    expect(languageFor({ chosen: 'es', brand: 'fr', browser: ['de'] })).toBe('es');
    expect(languageFor({ ...wishes, brand: 'fr', browser: ['de'] })).toBe('fr');
    expect(languageFor({ ...wishes, browser: ['nl', 'de-AT', 'fr'] })).toBe('de');
    expect(languageFor(wishes)).toBe('en');
  });

  it('is never one without texts, whatever is kept or answered', () => {
    expect(languageFor({ chosen: 'toString', brand: 'nl', browser: ['__proto__', 'pl'] })).toBe('en');
  });

  it('has the numbers and dates of the reader’s country, where the browser names one', () => {
    expect(localeFor('de', ['en-GB', 'de-CH', 'de'])).toBe('de-CH');
    expect(localeFor('fr', ['en-GB'])).toBe('fr');
  });
});

describe('the English texts that come later', () => {
  it('are used by nothing that the door, the frame and Home load at once', async () => {
    // The page shows the English sentences of the service, and reads these in the other languages, which are whole.
    const nouns = Object.keys(later)
      .filter((noun) => noun !== 'problem')
      .join('|');
    const uses = new RegExp(`(?:\\bt|rich)\\(['\`](?:${nouns})\\.|textOrNull\\('(?:${nouns})'`);
    const roots = ['../main.tsx', '../routes/home/home-page.tsx', '../routes/enter/enter-page.tsx'];
    const files = await importedAtOnce(roots.map((path) => new URL(path, import.meta.url)));
    expect(files.size).toBeGreaterThan(50);
    const wrong = [...files].filter(([, source]) => uses.test(source)).map(([path]) => path);
    expect(wrong).toEqual([]);
  });
});

/** The sources that files import at once, by their paths; types are gone when the page runs. */
async function importedAtOnce(roots: readonly URL[]): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  const waiting = [...roots];
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (found.has(file.pathname)) continue;
    const source = await readFile(file, 'utf8');
    found.set(file.pathname, source);
    for (const [, path = ''] of source.matchAll(/^(?:import|export|\}) (?!type )[^;]*?from '(\.[^']+)\.js';$/gms)) {
      const made = [`${path}.ts`, `${path}.tsx`].map((name) => new URL(name, file));
      waiting.push(...made.filter((each) => existsSync(each)));
    }
  }
  return found;
}
