import { type DomainName, parseDomainName } from '../domains/domain-name.js';

/** A lower-case address on this platform: `local@domain`. */
export type Address = string & { readonly __brand: 'Address' };
/** What a catch-all answers to: `@domain`. */
export type AliasAddress = string & { readonly __brand: 'AliasAddress' };

export interface ParsedAddress {
  address: Address;
  localPart: string;
  domain: DomainName;
}

/**
 * Our own local parts: no `+` (subaddressing), none of what Postfix rewrites or paths break on. Dovecot's
 * `auth_username_chars` (`packages/mail-stack/templates/dovecot/dovecot.conf`) has the same characters.
 */
const OWN_LOCAL_PART = /^[a-z0-9_'=~&-]+(\.[a-z0-9_'=~&-]+)*$/;
/** RFC 5321 section 4.1.2 Dot-string. */
const ANY_LOCAL_PART = /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/i;

export const OWN_ADDRESS_RULE =
  "must be an address like name@example.com; before the @ at most 64 of a-z 0-9 . _ ' = ~ & -, not beginning with -";

/** An address that a new mailbox or alias of ours may have: one that Postfix and Dovecot take everywhere. */
export function parseNewAddress(input: string): ParsedAddress | null {
  const parsed = parseOwnAddress(input);
  // Postfix refuses it as a possible option of a command (`allow_min_user`).
  return parsed === null || parsed.localPart.startsWith('-') ? null : parsed;
}

/** An address that a mailbox or alias of ours has, or had before the rule for new ones was narrowed. */
export function parseOwnAddress(input: string): ParsedAddress | null {
  return parse(input.trim().toLowerCase(), OWN_LOCAL_PART);
}

/** Any address that mail can be sent to: the domain in lower case, the local part as given. */
export function parseForeignAddress(input: string): ParsedAddress | null {
  return parse(input.trim(), ANY_LOCAL_PART);
}

/** `@domain` or `*@domain`: the address of a catch-all. */
export function parseCatchAll(input: string): { address: AliasAddress; domain: DomainName } | null {
  const text = input.trim().toLowerCase();
  const name = text.startsWith('*@') ? text.slice(2) : text.startsWith('@') ? text.slice(1) : null;
  const domain = name === null ? null : parseDomainName(name);
  return domain === null ? null : { address: `@${domain}` as AliasAddress, domain };
}

/** The domain of one of our addresses. */
export function domainOf(address: Address | AliasAddress): DomainName {
  return address.slice(address.lastIndexOf('@') + 1) as DomainName;
}

function parse(text: string, localPartRule: RegExp): ParsedAddress | null {
  const at = text.lastIndexOf('@');
  if (at < 1) return null;
  const localPart = text.slice(0, at);
  const domain = parseDomainName(text.slice(at + 1));
  if (domain === null || localPart.length > 64 || !localPartRule.test(localPart)) return null;
  const address = `${localPart}@${domain}`;
  return address.length > 254 ? null : { address: address as Address, localPart, domain };
}
