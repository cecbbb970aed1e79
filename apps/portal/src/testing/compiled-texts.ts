import compile from 'icu-minify/compile';
import type { Texts } from '../texts/texts.js';

/** The texts as the build has them, for tests without a build. */
export function compiledTexts(texts: Texts): Texts {
  const nouns = Object.entries(texts).map(([noun, all]) => [
    noun,
    Object.fromEntries(Object.entries(all).map(([key, text]: [string, string]) => [key, compile(text)])),
  ]);
  return Object.fromEntries(nouns) as Texts;
}
