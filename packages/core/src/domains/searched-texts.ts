import { toUnicode } from 'tr46';
import { asRead, type DomainName, suffixesOf } from './domain-name.js';

/** The most texts of a name beside its suffixes. */
export const MAX_FURTHER_TEXTS = 16;
/** The most characters of a text. */
const MAX_TEXT = 253;
const PLAIN_NAME = /^[a-z0-9.-]+$/;

/**
 * The texts by whose beginning a name is found: its suffixes, and at most `MAX_FURTHER_TEXTS` others, which are what
 * follows each of its hyphens, as the DNS has the name (`xn--…`) and as people read it. What people read is before what
 * the DNS has.
 *
 * The texts are ASCII: each other character is written as in an address of the web, so what begins with the same
 * characters still does. Of a longer text only the beginning is found.
 */
export function searchedTextsOf(name: DomainName): string[] {
  const suffixes = suffixesOf(name);
  const read = asRead(name);
  const others = new Set([...suffixesOf(read), ...afterHyphens(read), ...afterHyphens(name)].map(encoded));
  for (const suffix of suffixes) others.delete(suffix);
  return [...suffixes, ...[...others].slice(0, MAX_FURTHER_TEXTS)];
}

/** The beginning of one of the texts of `searchedTextsOf`. @returns null when no text begins so. */
export function readSearchedText(input: string): string | null {
  const text = input.trim().toLowerCase();
  if (text.length > MAX_TEXT) return null;
  if (PLAIN_NAME.test(text)) return text;
  const { domain, error } = toUnicode(text, { useSTD3ASCIIRules: true });
  return error ? null : encoded(domain);
}

/** What follows each hyphen, or several hyphens together: `a-b--c.example` → `b--c.example`, `c.example`. */
function afterHyphens(name: string): string[] {
  return Array.from(name.matchAll(/-(?=[^-.])/g), ({ index }) => name.slice(index + 1));
}

function encoded(text: string): string {
  return encodeURIComponent(text).slice(0, MAX_TEXT);
}
