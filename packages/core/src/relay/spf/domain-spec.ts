import { dotted, type IpAddress } from './ip-address.js';

/** A macro letter that a domain name may have (RFC 7208 section 7.2); `c`, `r` and `t` are for explanations only. */
type MacroLetter = 's' | 'l' | 'o' | 'd' | 'i' | 'p' | 'v' | 'h';

interface Macro {
  letter: MacroLetter;
  /** Whether the letter is upper case: then the value is escaped as in a URL. */
  isEscaped: boolean;
  /** How many of the last parts are kept; null: all. */
  kept: number | null;
  isReversed: boolean;
  delimiters: string;
}

/** The name in a term (RFC 7208 section 7.1, `domain-spec`): texts and macros in their order. */
export type DomainSpec = readonly (string | Macro)[];

/** What macros stand for. Null: it is not known, so that a name that depends on it is not known either. */
export interface MacroValues {
  ip: IpAddress | null;
  /** The domain whose record has the term. */
  domain: string;
  /** The local part of the envelope sender. */
  localPart: string | null;
  /** The domain of the envelope sender. */
  senderDomain: string;
  /** The name in HELO. */
  helo: string | null;
  /** The validated name of `ip` (section 5.5); looked up only where a name has the macro `p`. */
  validated: string | null;
}

const MAX_NAME = 253;
const MAX_LABEL = 63;
const TOKEN = /%\{([slodipvh])(\d*)(r?)([-.+,/_=]*)\}|%([%_-])|([!-$&-~]+)/iy;
/** What `%%`, `%_` and `%-` stand for. */
const ESCAPES: Record<string, string> = { '%': '%', _: ' ', '-': '%20' };
const TOP_LABEL = /^(?=\d*[a-z-])[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/i;
/** The macros of an unknown modifier, whose value nobody reads, may be those of explanations too. */
const MACRO_STRING = /^(?:%\{[slodiphcrtv]\d*r?[-.+,/_=]*\}|%[%_-]|[!-$&-~])*$/i;

/** @returns the name; `macro`: a macro is wrong; `name`: it is empty, or ends neither in a top label nor in a macro */
export function parseDomainSpec(text: string): DomainSpec | 'macro' | 'name' {
  const spec: (string | Macro)[] = [];
  let isEnded = false;
  for (let position = 0; position < text.length; position = TOKEN.lastIndex) {
    TOKEN.lastIndex = position;
    const [, letter, digits = '', reverse = '', delimiters = '', escape, literal] = TOKEN.exec(text) ?? [];
    if (letter !== undefined) {
      if (digits !== '' && Number(digits) === 0) return 'macro';
      spec.push({
        letter: letter.toLowerCase() as MacroLetter,
        isEscaped: letter !== letter.toLowerCase(),
        kept: digits === '' ? null : Number(digits),
        isReversed: reverse !== '',
        delimiters: delimiters === '' ? '.' : delimiters,
      });
    } else if (escape !== undefined) spec.push(ESCAPES[escape] ?? '');
    else if (literal !== undefined) spec.push(literal);
    else return text[position] === '%' ? 'macro' : 'name';
    isEnded = literal === undefined || endsInTopLabel(literal);
  }
  return isEnded ? spec : 'name';
}

/** Whether a text is a `macro-string`, the value of an unknown modifier (RFC 7208 section 12). */
export function isMacroString(text: string): boolean {
  return MACRO_STRING.test(text);
}

/** The name, lower case, without a trailing dot; null when it has a macro. */
export function literalName(spec: DomainSpec): string | null {
  const texts = spec.filter((part) => typeof part === 'string');
  return texts.length < spec.length ? null : hostOf(texts.join(''));
}

export function usesMacro(spec: DomainSpec, letters: string): boolean {
  return spec.some((part) => typeof part !== 'string' && letters.includes(part.letter));
}

/**
 * Replaces the macros (RFC 7208 section 7.3). A name that is too long loses labels at its beginning.
 * @returns the name, lower case, without a trailing dot; null when a macro stands for what is not known
 */
export function expand(spec: DomainSpec, values: MacroValues): string | null {
  let name = '';
  // From its end, because only the last labels are kept of a name that is too long.
  for (const part of spec.toReversed()) {
    const text = typeof part === 'string' ? part : expandMacro(part, values);
    if (text === null) return null;
    name = text + name;
    if (name.length > 2 * MAX_NAME) break;
  }
  const labels = hostOf(name.slice(-2 * MAX_NAME)).split('.');
  while (labels.length > 1 && lengthOf(labels) > MAX_NAME) labels.shift();
  return labels.join('.');
}

/** Whether the DNS can have the name: at least two labels, each of 1 to 63 characters (RFC 7208 section 4.3). */
export function isLookedUp(name: string): boolean {
  const labels = name.split('.');
  if (labels.length < 2 || name.length > MAX_NAME) return false;
  // In questions to resolvers, a backslash begins an escape.
  return !name.includes('\\') && labels.every((label) => label.length > 0 && label.length <= MAX_LABEL);
}

/** @param text the last part of a name */
function endsInTopLabel(text: string): boolean {
  const labels = text.split('.');
  if (labels.at(-1) === '') labels.pop();
  return labels.length > 1 && TOP_LABEL.test(labels.at(-1) ?? '');
}

function lengthOf(labels: string[]): number {
  return labels.reduce((sum, label) => sum + label.length + 1, -1);
}

function expandMacro({ letter, isEscaped, kept, isReversed, delimiters }: Macro, values: MacroValues): string | null {
  const value = valueOf(letter, values);
  if (value === null) return null;
  let parts = [''];
  for (const character of value) {
    if (delimiters.includes(character)) parts.push('');
    else parts.push((parts.pop() ?? '') + character);
  }
  if (isReversed) parts.reverse();
  if (kept !== null) parts = parts.slice(-kept);
  const text = parts.join('.');
  return isEscaped ? encodeURIComponent(text).replace(/[!'()*]/g, escaped) : text;
}

/** Those that a URL may have only escaped (RFC 3986 section 2.3), which `encodeURIComponent` leaves. */
function escaped(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
}

function valueOf(letter: MacroLetter, values: MacroValues): string | null {
  switch (letter) {
    case 's':
      return values.localPart === null ? null : `${values.localPart}@${values.senderDomain}`;
    case 'l':
      return values.localPart;
    case 'o':
      return values.senderDomain;
    case 'd':
      return values.domain;
    case 'i':
      return values.ip === null ? null : dotted(values.ip);
    case 'p':
      return values.ip === null ? null : (values.validated ?? 'unknown');
    case 'v':
      return values.ip === null ? null : values.ip.family === 4 ? 'in-addr' : 'ip6';
    case 'h':
      return values.helo;
  }
}

function hostOf(name: string): string {
  return name.toLowerCase().replace(/\.$/, '');
}
