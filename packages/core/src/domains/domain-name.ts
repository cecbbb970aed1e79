import { parse as parseSuffix } from 'tldts';
import { toASCII, toUnicode } from 'tr46';

/**
 * A mail domain: lower case, A-labels, at least two labels, without a trailing dot. A domain of this platform is below
 * a public suffix.
 */
export type DomainName = string & { readonly __brand: 'DomainName' };

const LABEL = /^(?!-)[a-z0-9-]{1,63}(?<!-)$/;
const MAX_LABEL = 63;
/**
 * Special-use top-level domains (RFC 6761, IANA) whose names mail is never delivered to. `test` and `example` are not
 * listed.
 */
const NEVER_DELIVERED = new Set(['arpa', 'local', 'localhost', 'onion', 'invalid', 'internal', 'alt']);
const PLAIN_NAME = /^[a-z0-9.-]+$/;
/** IDNA 2008 by UTS #46. */
const RULES = { useSTD3ASCIIRules: true, transitionalProcessing: false };
/** The full stop, and what UTS #46 maps to it: the dots of Chinese and Japanese keyboards. */
const LAST_DOT = /[.\u3002\uff0e\uff61]$/;
const PLAIN_LABELS = /^[a-z0-9-]+(\.[a-z0-9-]+)*$/i;
const PRINTABLE_ASCII = /^[!-~]*$/;

type DomainNameProblem = { ok: false; problem: string };
export type DomainNameResult = { ok: true; name: DomainName } | DomainNameProblem;

/**
 * Parses a domain name as people write it: any case, one trailing dot, Unicode in any normal form, with full-width
 * letters and dots (IDNA 2008 by UTS #46, non-transitional). Refuses a single label, an IP address, and a public suffix
 * (ICANN or private).
 */
export function readDomainName(input: string): DomainNameResult {
  const result = readForeignName(input);
  if (!result.ok) return result;
  const { publicSuffix } = parseSuffix(result.name, { allowPrivateDomains: true, validateHostname: false });
  return publicSuffix === result.name
    ? refuse(`must not be a public suffix; register a name below ${result.name}`)
    : result;
}

/**
 * Parses the domain of an address of somebody else, which may be a public suffix: people have addresses at `gov.in`.
 */
export function readForeignName(input: string): DomainNameResult {
  const trimmed = input.trim().replace(LAST_DOT, '');
  if (trimmed === '') return refuse('must not be empty');
  if (trimmed.length > 1_000) return refuse('must have at most 253 characters');
  const ascii = toLabels(trimmed);
  if (ascii === null) return refuse('must be a domain name of letters, digits and hyphens, like example.com');
  if (ascii.length > 253) return refuse('must have at most 253 characters');
  const labels = ascii.split('.');
  if (labels.some((label) => label.length > MAX_LABEL)) return refuse(tooLong(trimmed, ascii));
  if (!labels.every((label) => LABEL.test(label))) {
    return refuse('must be a domain name of letters, digits and hyphens, like example.com');
  }
  if (labels.length < 2) return refuse('must have at least two labels, like example.com');
  const last = labels.at(-1) ?? '';
  if (/^\d+$/.test(last) || /^0x[0-9a-f]*$/.test(last)) return refuse('must be a domain name, not an IP address');
  return { ok: true, name: ascii as DomainName };
}

/**
 * Parses the domain of an address that a mail server or a program reports, for comparisons only. ASCII is not checked,
 * because mail servers know A-labels alone and report many. @returns null when no domain can have the name
 */
export function readReportedName(input: string): string | null {
  const name = input.replace(LAST_DOT, '');
  if (PLAIN_LABELS.test(name)) return name.length > 253 ? null : name.toLowerCase();
  if (PRINTABLE_ASCII.test(name)) return null;
  const result = readForeignName(name);
  return result.ok ? result.name : null;
}

/**
 * Parses the name of a new domain. Also refuses a name below a special-use top-level domain. Names of existing domains
 * may be older than this rule, so look-ups use `readDomainName`.
 */
export function readNewDomainName(input: string): DomainNameResult {
  const result = readDomainName(input);
  if (!result.ok) return result;
  const last = result.name.slice(result.name.lastIndexOf('.') + 1);
  return NEVER_DELIVERED.has(last)
    ? refuse(`must not be below .${last}: mail to such a name is never delivered`)
    : result;
}

/**
 * Like `readDomainName`, for names that are only looked up or are known to be valid. @returns null when the text is not
 * a domain name.
 */
export function parseDomainName(input: string): DomainName | null {
  const result = readDomainName(input);
  return result.ok ? result.name : null;
}

/**
 * Whether the name has a known public suffix, or a top-level domain reserved for tests (`test` or `example`, RFC 2606).
 */
export function hasKnownSuffix(name: DomainName): boolean {
  const { isIcann, isPrivate } = parseSuffix(name, { allowPrivateDomains: true, validateHostname: false });
  return isIcann === true || isPrivate === true || /\.(test|example)$/.test(name);
}

/** All names above this one that can be domains, nearest first: `a.b.example.com` → `b.example.com`, `example.com`. */
export function ancestorsOf(name: DomainName): DomainName[] {
  const labels = name.split('.');
  const ancestors: DomainName[] = [];
  for (let index = 1; index < labels.length - 1; index += 1) {
    ancestors.push(labels.slice(index).join('.') as DomainName);
  }
  return ancestors;
}

/** The name and what follows each of its dots: `sub.other.example` → itself, `other.example`, `example`. */
export function suffixesOf(name: string): string[] {
  const labels = name.split('.');
  return labels.map((_, index) => labels.slice(index).join('.'));
}

/**
 * The beginning of a name in an address, as names are stored. @returns null when no name begins so.
 */
export function readNamePrefix(input: string): string | null {
  const text = input.trim().toLowerCase();
  if (text.length > 253) return null;
  const ascii = PLAIN_NAME.test(text) ? text : toAscii(text, false);
  return ascii !== null && PLAIN_NAME.test(ascii) ? ascii : null;
}

/**
 * The name that was registered below a public suffix, ICANN or private: `mx.mail.example.co.uk` → `example.co.uk`.
 * @returns null for a public suffix.
 */
export function registrableDomain(host: string): string | null {
  return parseSuffix(host, { allowPrivateDomains: true, validateHostname: false }).domain;
}

/** The label before an ICANN public suffix: `mail.yahoo.co.jp` → `yahoo`. */
export function registrableLabel(name: DomainName): string | null {
  return parseSuffix(name, { validateHostname: false }).domainWithoutSuffix;
}

export function isAncestor(ancestor: DomainName, name: DomainName): boolean {
  return name.endsWith(`.${ancestor}`);
}

/** The name as people read it: `xn--bcher-kva.example` → `bücher.example`. A name that breaks a rule stays as it is. */
export function asRead(name: DomainName): string {
  if (!name.includes('xn--')) return name;
  const { domain, error } = toUnicode(name, RULES);
  return error ? name : domain;
}

function toLabels(name: string): string | null {
  if (/^[a-z0-9.-]+$/i.test(name) && !/xn--/i.test(name)) return name.toLowerCase();
  return toAscii(name, false);
}

function tooLong(name: string, ascii: string): string {
  const written = name.toLowerCase() === ascii ? '' : `; in the DNS the name is ${ascii}`;
  return `must have at most ${MAX_LABEL} characters in each part between dots${written}`;
}

/** By UTS #46. @param verifyDNSLength false for a part of a name. */
function toAscii(name: string, verifyDNSLength: boolean): string | null {
  return toASCII(name, { ...RULES, checkBidi: true, checkJoiners: true, verifyDNSLength });
}

function refuse(problem: string): DomainNameProblem {
  return { ok: false, problem };
}
