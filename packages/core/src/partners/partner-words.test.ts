import fc, { CHARACTER } from '../../../../scripts/fast-check.mjs';
import type { PartnerRef } from './partner.js';
import { MAX_SOUGHT_WORDS, MAX_WORD, MAX_WORDS, readSoughtWords, wordsOfPartner } from './partner-words.js';

const ref = (text: string) => text as PartnerRef;

test.each<[string, string | null, string[]]>([
  ['harbour-hosting', 'Harbour Hosting GmbH', ['harbour', 'hosting', 'gmbh']],
  ['a.b_c:d@e', null, ['a', 'b', 'c', 'd', 'e']],
  ['ACME2', 'Café Über-Straße, 2. OG', ['acme2', 'cafe', 'uber', 'strasse', '2', 'og']],
  ['x', 'ΣΊΣΥΦΟΣ İzmir ılıca Ёлка', ['x', 'σισυφοσ', 'izmir', 'ilica', 'елка']],
  ['x', '株式会社 東京ﾒｰﾙ ①', ['x', '株式会社', '東京メール', '1']],
  ['x', 'हिन्दी', ['x', 'हिन्दी']],
  ['--', ' 🦊 & 🐻 ', ['--', '🦊 & 🐻']],
  ['..', ' ', ['..']],
])(
  'the words of %j and %j are split at what is neither letter nor digit, without case and accents',
  (text, name, words) => {
    expect(wordsOfPartner(ref(text), name)).toEqual(words);
  },
);

test('the row of no partner has no words', () => {
  expect(wordsOfPartner(null, null)).toEqual([]);
});

test('a partner has a limited number of words, and a word a limited length, in whole characters', () => {
  const many = Array.from({ length: 64 }, (_, index) => index).join(' ');
  expect(wordsOfPartner(ref('r'), many)).toHaveLength(1 + MAX_WORDS);
  expect(wordsOfPartner(ref('r'), '𝒜'.repeat(64) + '𠀀'.repeat(64))[1]).toBe('a'.repeat(MAX_WORD));
  expect(wordsOfPartner(ref('r'), '𠀀'.repeat(99))[1]).toBe('𠀀'.repeat(MAX_WORD));
});

test('a search has one word or more, in any order, and a limited number of them', () => {
  expect(readSoughtWords(' Hosting HARB, harb ')).toEqual(['hosting', 'harb']);
  expect(readSoughtWords('_')).toEqual(['_']);
  expect([readSoughtWords(''), readSoughtWords(' \t')]).toEqual([null, null]);
  const words = (count: number) => Array.from({ length: count }, (_, index) => `w${index}`);
  expect(readSoughtWords(words(MAX_SOUGHT_WORDS).join(' '))).toEqual(words(MAX_SOUGHT_WORDS));
  expect(readSoughtWords(words(MAX_SOUGHT_WORDS + 1).join(' '))).toBeNull();
});

test('a name is found by itself, in upper case and in lower case', () => {
  fc.assert(
    fc.property(fc.string({ unit: CHARACTER, maxLength: 12 }), (name) => {
      const words = wordsOfPartner(null, name);
      for (const text of [name, name.toUpperCase(), name.toLowerCase(), name.normalize('NFD')]) {
        const sought = readSoughtWords(text) ?? [];
        const isFound = sought.every((word) => words.some((each) => each.startsWith(word)));
        expect([text, isFound]).toEqual([text, true]);
      }
    }),
  );
});
