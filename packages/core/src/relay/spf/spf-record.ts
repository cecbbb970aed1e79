import { type DnsFinding, finding } from '../dns-findings.js';
import { MAX_TXT_CHARACTERS } from '../dns-resolver.js';
import { type DomainSpec, isMacroString, parseDomainSpec } from './domain-spec.js';
import { type IpNetwork, parseIp4, parseIp6, widthOf } from './ip-address.js';

type Qualifier = '+' | '-' | '~' | '?';
type MechanismName = 'all' | 'include' | 'a' | 'mx' | 'ptr' | 'ip4' | 'ip6' | 'exists';

/** A mechanism with its qualifier (RFC 7208 section 4.6.1, `directive`). */
export interface SpfTerm {
  qualifier: Qualifier;
  name: MechanismName;
  /** As it was written. */
  text: string;
  /** Null: the domain whose record it is; always null for `all`, `ip4` and `ip6`. */
  target: DomainSpec | null;
  /** Of `ip4` and `ip6`; null for the others. */
  network: IpNetwork | null;
  /** Of the addresses that `a` and `mx` look up, by family. */
  prefixes: Record<4 | 6, number>;
}

export interface SpfRecord {
  /** The mechanisms up to and including `all`; receivers do not read further. */
  terms: SpfTerm[];
  /** The mechanisms after `all`. */
  unread: SpfTerm[];
  /** The target of `redirect=`; null when there is none, or when the record has `all` (RFC 7208 section 6.1). */
  redirect: DomainSpec | null;
  /** The terms that are wrong, in their order. A single one makes the whole record an error (RFC 7208 section 4.6). */
  faults: SpfFault[];
}

/** What is wrong with a term; `term` is what was written. */
export interface SpfFault {
  code:
    | 'spf_unknown_term'
    | 'spf_wrong_address'
    | 'spf_wrong_prefix'
    | 'spf_wrong_name'
    | 'spf_wrong_macro'
    | 'spf_doubled_modifier';
  term: string;
}

/** The terms that a receiver looks up (RFC 7208 section 4.6.4); `redirect` counts too. */
const COSTLY = new Set<MechanismName>(['include', 'a', 'mx', 'ptr', 'exists']);
const FULL = { 4: widthOf(4), 6: widthOf(6) };
const DIRECTIVE = /^([+?~-]?)([a-z0-9]+)((?:[:/].*)?)$/is;
const MODIFIER = /^([a-z][a-z0-9._-]*)=(.*)$/is;
const PREFIXES = /(\/\d+)?(\/\/\d+)?$/;
const PREFIX = /^(?:0|[1-9]\d{0,2})$/;
/** The characters of a term in a sentence. The owner of the record decides how many there are. */
const MOST_SHOWN = 100;

export function isSpf(value: string): boolean {
  return /^v=spf1( |$)/i.test(value);
}

export function isCostly({ name }: SpfTerm): boolean {
  return COSTLY.has(name);
}

/** Reads a record by the grammar of RFC 7208 section 12. */
export function parseSpf(record: string): SpfRecord {
  const parsed: SpfRecord = { terms: [], unread: [], redirect: null, faults: [] };
  const modifiers = new Set<string>();
  let isEnded = false;
  for (const word of wordsOf(record)) {
    if (word === '') continue;
    const read = parseModifier(word) ?? parseDirective(word);
    if ('code' in read) parsed.faults.push(read);
    else if ('name' in read) {
      (isEnded ? parsed.unread : parsed.terms).push(read);
      isEnded ||= read.name === 'all';
    } else if (read.target !== null) {
      if (modifiers.has(read.modifier)) parsed.faults.push({ code: 'spf_doubled_modifier', term: word });
      else if (read.modifier === 'redirect') parsed.redirect = read.target;
      modifiers.add(read.modifier);
    }
  }
  if (isEnded) parsed.redirect = null;
  return parsed;
}

/** @param name the name of the record */
export function faultFinding(name: string, { code, term }: SpfFault): DnsFinding {
  return finding(code, { name, term: shownTerm(term) });
}

/** @returns the term for a sentence */
export function shownTerm(term: string): string {
  return term.length <= MOST_SHOWN ? term : `${term.slice(0, MOST_SHOWN)}…`;
}

/** @returns what follows the version; the last word of a record that was cut is no fault of it */
function wordsOf(record: string): string[] {
  return record.split(' ').slice(1, record.length < MAX_TXT_CHARACTERS ? undefined : -1);
}

interface Modifier {
  modifier: string;
  /** Null for a modifier that is not known, which receivers pass over. */
  target: DomainSpec | null;
}

/** @returns null when the word is no modifier */
function parseModifier(word: string): Modifier | SpfFault | null {
  const [, name, value = ''] = MODIFIER.exec(word) ?? [];
  if (name === undefined) return null;
  const modifier = name.toLowerCase();
  if (modifier !== 'redirect' && modifier !== 'exp')
    return isMacroString(value) ? { modifier, target: null } : { code: 'spf_wrong_macro', term: word };
  const target = parseDomainSpec(value);
  return typeof target === 'string' ? nameFault(target, word) : { modifier, target };
}

function parseDirective(word: string): SpfTerm | SpfFault {
  const [, sign, given = '', rest = ''] = DIRECTIVE.exec(word) ?? [];
  const name = given.toLowerCase();
  const qualifier = sign === '-' || sign === '~' || sign === '?' ? sign : '+';
  const term = { qualifier, text: word, target: null, network: null, prefixes: FULL } as const;
  switch (name) {
    case 'all':
      return rest === '' ? { ...term, name } : { code: 'spf_unknown_term', term: word };
    case 'ip4':
    case 'ip6':
      return withNetwork({ ...term, name }, name, rest);
    case 'include':
    case 'exists':
      return rest === '' ? { code: 'spf_wrong_name', term: word } : withTarget({ ...term, name }, rest);
    case 'ptr':
      return withTarget({ ...term, name }, rest);
    case 'a':
    case 'mx': {
      const [all, ip4, ip6] = PREFIXES.exec(rest) ?? [''];
      const prefixes = { 4: prefixOf(ip4?.slice(1), 4), 6: prefixOf(ip6?.slice(2), 6) };
      if (prefixes[4] === null || prefixes[6] === null) return { code: 'spf_wrong_prefix', term: word };
      const target = rest.slice(0, rest.length - all.length);
      return withTarget({ ...term, name, prefixes: { 4: prefixes[4], 6: prefixes[6] } }, target);
    }
    default:
      return { code: 'spf_unknown_term', term: word };
  }
}

/** @param rest what stands behind the name of the term and before the prefix lengths: nothing, or a colon and a name */
function withTarget(term: SpfTerm, rest: string): SpfTerm | SpfFault {
  if (rest === '') return term;
  const target = rest.startsWith(':') ? parseDomainSpec(rest.slice(1)) : 'prefix';
  if (typeof target !== 'string') return { ...term, target };
  const hasPrefix = (term.name === 'a' || term.name === 'mx') && /\/\d*$/.test(rest);
  return target === 'prefix' || hasPrefix
    ? { code: 'spf_wrong_prefix', term: term.text }
    : nameFault(target, term.text);
}

function withNetwork(term: SpfTerm, name: 'ip4' | 'ip6', rest: string): SpfTerm | SpfFault {
  const family = name === 'ip4' ? 4 : 6;
  const [, given = '', , length] = /^:([^/]*)(\/(.*))?$/s.exec(rest) ?? [];
  const address = family === 4 ? parseIp4(given) : parseIp6(given);
  if (address === null) return { code: 'spf_wrong_address', term: term.text };
  const prefix = prefixOf(length, family);
  if (prefix === null) return { code: 'spf_wrong_prefix', term: term.text };
  return { ...term, network: { address, prefix } };
}

/** @returns the length of a prefix; without a text that of a single address; null when it is wrong */
function prefixOf(text: string | undefined, family: 4 | 6): number | null {
  if (text === undefined) return widthOf(family);
  return PREFIX.test(text) && Number(text) <= widthOf(family) ? Number(text) : null;
}

function nameFault(what: 'macro' | 'name', term: string): SpfFault {
  return { code: what === 'macro' ? 'spf_wrong_macro' : 'spf_wrong_name', term };
}
