import {
  type DomainNameResult,
  readDomainName,
  readForeignName,
  readNewDomainName,
} from '@mailstead/core/domains/domain-name';
import {
  OWN_ADDRESS_RULE,
  parseCatchAll,
  parseForeignAddress,
  parseNewAddress,
  parseOwnAddress,
} from '@mailstead/core/mailboxes/address';
import { isDotReference, parsePartnerRef } from '@mailstead/core/partners/partner';

/** Says what a text must be, to be read behind the name of its field; null when the text fits. */
export type TextRule = (text: string) => string | null;

export function matching(pattern: RegExp, message: string): TextRule {
  return (text) => (pattern.test(text) ? null : message);
}

/** @param parse null when the text does not fit */
export function parsedBy(parse: (text: string) => unknown, message: string): TextRule {
  return (text) => (parse(text) === null ? message : null);
}

/** A text with commas, of which each part is one of the values. */
export function listOf(values: readonly string[]): TextRule {
  const known = new Set(values);
  return (text) => (text.split(',').every((each) => known.has(each)) ? null : `must be a list of ${values.join(', ')}`);
}

export const domainName: TextRule = (text) => problemOf(readDomainName(text));
/** Of somebody else: a public suffix may be one too. */
export const hostName: TextRule = (text) => problemOf(readForeignName(text));
export const newDomainName: TextRule = (text) => problemOf(readNewDomainName(text));

export const ownAddress = parsedBy(parseNewAddress, OWN_ADDRESS_RULE);
export const ADDRESS_RULE = 'must be an address like name@example.com';
export const foreignAddress = parsedBy(parseForeignAddress, ADDRESS_RULE);
export const ALIAS_RULE = `${OWN_ADDRESS_RULE}; or @example.com for a catch-all`;
export const newAliasAddress = parsedBy((text) => parseCatchAll(text) ?? parseNewAddress(text), ALIAS_RULE);
export const aliasAddress = parsedBy((text) => parseCatchAll(text) ?? parseOwnAddress(text), ALIAS_RULE);

export const PARTNER_REF_RULE = 'must have 1 to 128 characters of A-Z a-z 0-9 . _ : @ -';
/** The reference of a partner to search for, which may be one that only former releases took. */
export const anyPartnerRef = parsedBy(parsePartnerRef, PARTNER_REF_RULE);
export const partnerRef: TextRule = (text) => anyPartnerRef(text) ?? withoutDots(text);

/** Databases differ in whether they compare spaces at the end. */
export const trimmed: TextRule = (text) => (text.trim() === text ? null : 'must not begin or end with a space');
export const notBlank: TextRule = (text) => (text.trim() === '' ? 'must not be empty' : null);

function withoutDots(text: string): string | null {
  const ref = parsePartnerRef(text);
  return ref !== null && isDotReference(ref)
    ? 'must not be . or .., which programs remove from a path; read such a partner with ?partner_ref='
    : null;
}

function problemOf(result: DomainNameResult): string | null {
  return result.ok ? null : result.problem;
}
