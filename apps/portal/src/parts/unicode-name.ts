import { toUnicode } from 'punycode.js';

const HAS_A_LABEL = /(^|[.@])xn--/;

/**
 * The name of a domain, or an address, as people read it: `info@bücher.example` of `info@xn--bcher-kva.example`. Null
 * when it has no letters outside ASCII, and when the browser's own rules (UTS #46) do not lead back to the stored name.
 */
export function asRead(name: string): string | null {
  if (!HAS_A_LABEL.test(name)) return null;
  const at = name.lastIndexOf('@') + 1;
  const stored = name.slice(at);
  try {
    const read = toUnicode(stored);
    return read !== stored && new URL(`http://${read}`).hostname === stored ? name.slice(0, at) + read : null;
  } catch {
    return null;
  }
}

const [ISOLATE, END_OF_ISOLATE] = ['\u2068', '\u2069'];

/** A name within a text, whose direction of writing does not change that of the text. */
export function isolated(name: string): string {
  return `${ISOLATE}${name}${END_OF_ISOLATE}`;
}

/** A name for texts: as people read it, isolated, with the stored name beside it. */
export function namedInText(name: string): string {
  const read = asRead(name);
  return read === null ? name : `${isolated(read)} (${name})`;
}

/** The name of a domain as it is stored. A text that is no name stays as it is, for the API to refuse. */
export function storedName(typed: string): string {
  const text = typed.trim().toLowerCase();
  if (/^[a-z0-9.-]*$/.test(text)) return text;
  try {
    return new URL(`http://${text}`).hostname;
  } catch {
    return text;
  }
}
