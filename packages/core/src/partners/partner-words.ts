import type { PartnerRef } from './partner.js';

/** The most words of a reference, and of a name, by which a partner is found. */
export const MAX_WORDS = 32;
/** The most characters of a word. Of a longer one only the beginning is compared. */
export const MAX_WORD = 64;
/** The most different words that a search looks for. */
export const MAX_SOUGHT_WORDS = 8;

/** Letters and digits of any language, with the marks that belong to them. */
const WORD = /[\p{L}\p{N}][\p{L}\p{M}\p{N}]*/gu;
/** The accents of Latin, Greek and Cyrillic letters. */
const ACCENTS = /[\u0300-\u036f]/g;

/** The words by whose beginning a partner is found, each once. */
export function wordsOfPartner(ref: PartnerRef | null, name: string | null): string[] {
  return [...new Set([ref, name].flatMap((text) => wordsOf(text ?? '').slice(0, MAX_WORDS)))];
}

/**
 * The words of a search. A partner is found when each of them is the beginning of one of its words.
 *
 * @returns null when there is none, or more than `MAX_SOUGHT_WORDS`
 */
export function readSoughtWords(text: string): string[] | null {
  const words = [...new Set(wordsOf(text))];
  return words.length === 0 || words.length > MAX_SOUGHT_WORDS ? null : words;
}

/**
 * Splits at everything that is neither letter nor digit; a text without them is one word. Words that differ in case or
 * accents are equal.
 */
function wordsOf(text: string): string[] {
  const plain = folded(text);
  const words = plain.match(WORD) ?? [plain];
  return words.map((word) => Array.from(word.trim()).slice(0, MAX_WORD).join('').trim()).filter((word) => word !== '');
}

/**
 * Databases disagree on letters that are equal, so they compare these texts byte by byte. In upper case first: `ß` is
 * `ss` then, and letters that have one upper case are equal (`ς` and `σ`, `ı` and `i`).
 */
function folded(text: string): string {
  const plain = text.normalize('NFKD').replaceAll(ACCENTS, '').toUpperCase().toLowerCase();
  return plain.normalize('NFKD').replaceAll(ACCENTS, '').replaceAll('ς', 'σ').normalize('NFC');
}
