import {
  type DomainName,
  type DomainNameResult,
  parseDomainName,
  readDomainName,
  readForeignName,
  readNamePrefix,
  readReportedName,
} from '../domains/domain-name.js';

/** A lower-case address on this platform: `local@domain`. */
export type Address = string & { readonly __brand: 'Address' };
/** The address of a catch-all: `@domain`. */
export type AliasAddress = string & { readonly __brand: 'AliasAddress' };

/** The most characters of an address (RFC 5321 section 4.5.3.1.3 without the angle brackets). */
export const LONGEST_ADDRESS = 254;

export interface ParsedAddress {
  address: Address;
  localPart: string;
  domain: DomainName;
}

/**
 * The local parts of this platform: without `+` (subaddressing), and without characters that Postfix rewrites or that
 * break URL paths. `auth_username_chars` of Dovecot (`packages/mail-stack/templates/dovecot/dovecot.conf`) has the same
 * characters.
 */
const OWN_LOCAL_PART = /^[a-z0-9_'=~&-]+(\.[a-z0-9_'=~&-]+)*$/;
/** RFC 5321 section 4.1.2 Dot-string. */
const ANY_LOCAL_PART = /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/i;

export const OWN_ADDRESS_RULE =
  "must be an address like name@example.com; before the @ at most 64 of a-z 0-9 . _ ' = ~ & -, not beginning with -";

/** Parses the address of a new mailbox or alias: one that Postfix and Dovecot accept everywhere. */
export function parseNewAddress(input: string): ParsedAddress | null {
  const parsed = parseOwnAddress(input);
  // Postfix refuses a leading hyphen, because it could be read as an option of a command (`allow_min_user`).
  return parsed === null || parsed.localPart.startsWith('-') ? null : parsed;
}

/** Parses the address of an existing mailbox or alias. It may be older than the stricter rule for new addresses. */
export function parseOwnAddress(input: string): ParsedAddress | null {
  return parse(inLowerCase(input.trim()), OWN_LOCAL_PART, readDomainName);
}

/**
 * Parses any address that mail can be sent to: the domain in lower case, the local part unchanged. The domain may be a
 * public suffix, which nobody can register here.
 */
export function parseForeignAddress(input: string): ParsedAddress | null {
  return parse(input.trim(), ANY_LOCAL_PART, readForeignName);
}

/**
 * An address in the form in which addresses are compared: lower case, the domain as the DNS has it, no trailing dot. A
 * login without `@`, `@domain` and `*@domain` have such a form too. Mail servers report whatever they were given, so a
 * text that is no address stays, in lower case.
 */
export function comparedAddress(input: string): string {
  const text = inLowerCase(input.trim());
  const at = text.lastIndexOf('@');
  const name = at === -1 ? null : readReportedName(text.slice(at + 1));
  const address = `${text.slice(0, at + 1)}${name}`;
  return name === null || address.length > LONGEST_ADDRESS ? text : address;
}

/** The letters A to Z in lower case. Others stay, so that no text becomes longer, or becomes ASCII. */
export function inLowerCase(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

/** Parses the address of a catch-all, `@domain` or `*@domain`. */
export function parseCatchAll(input: string): { address: AliasAddress; domain: DomainName } | null {
  const text = input.trim();
  const name = text.startsWith('*@') ? text.slice(2) : text.startsWith('@') ? text.slice(1) : null;
  const domain = name === null ? null : parseDomainName(name);
  return domain === null ? null : { address: `@${domain}` as AliasAddress, domain };
}

/** The beginning of an address on this platform, as addresses are stored. @returns null when no address begins so. */
export function readAddressPrefix(input: string): string | null {
  const text = input.trim().toLowerCase();
  const at = text.indexOf('@');
  const localPart = at === -1 ? text : text.slice(0, at);
  const domain = at === -1 || at === text.length - 1 ? '' : readNamePrefix(text.slice(at + 1));
  if (domain === null || text.length > 1_000 || !/^[!-~]*$/.test(localPart)) return null;
  return at === -1 ? localPart : `${localPart}@${domain}`;
}

/** The domain of an address on this platform. */
export function domainOf(address: Address | AliasAddress): DomainName {
  return address.slice(address.lastIndexOf('@') + 1) as DomainName;
}

function parse(
  text: string,
  localPartRule: RegExp,
  readName: (text: string) => DomainNameResult,
): ParsedAddress | null {
  const at = text.lastIndexOf('@');
  if (at < 1) return null;
  const localPart = text.slice(0, at);
  if (localPart.length > 64 || !localPartRule.test(localPart)) return null;
  const name = readName(text.slice(at + 1));
  if (!name.ok) return null;
  const address = `${localPart}@${name.name}`;
  return address.length > LONGEST_ADDRESS ? null : { address: address as Address, localPart, domain: name.name };
}
