import type { KeyHandle } from '@mailstead/core/api-keys/api-key-repository';
import type { TokenHasher } from '@mailstead/core/api-keys/token-hasher';
import {
  type DomainName,
  parseDomainName,
  readDomainName,
  readForeignName,
  readNewDomainName,
} from '@mailstead/core/domains/domain-name';
import { readSearchedText } from '@mailstead/core/domains/searched-texts';
import { AppError, invalidField } from '@mailstead/core/errors';
import {
  OWN_ADDRESS_RULE,
  type ParsedAddress,
  parseNewAddress,
  parseOwnAddress,
  readAddressPrefix,
} from '@mailstead/core/mailboxes/address';
import { type PartnerRef, parsePartnerRef } from '@mailstead/core/partners/partner';
import { PARTNER_REF_RULE, partnerRef, type TextRule } from './text-rules.js';

/** The most characters of a reference of another system, and of the name of a key. */
const MAX_REFERENCE = 128;

/** Parses a domain name in a path. @throws AppError domain_not_found */
export function domainNameParam(text: string): DomainName {
  const name = parseDomainName(text);
  if (name === null) throw new AppError('domain_not_found');
  return name;
}

/** Parses a domain name in a body or a query. @throws AppError validation_failed */
export function domainNameField(field: string, text: string): DomainName {
  const result = readDomainName(text);
  if (!result.ok) throw invalidField(field, result.problem);
  return result.name;
}

/** Parses a list of domain names in a body; null stays. @throws AppError validation_failed */
export function domainNamesField(field: string, texts: readonly string[] | null): DomainName[] | null {
  return texts === null ? null : texts.map((text) => domainNameField(field, text));
}

/** Parses a list of names of hosts of somebody else in a body. @throws AppError validation_failed */
export function hostNamesField(field: string, texts: readonly string[]): string[] {
  return texts.map((text) => {
    const result = readForeignName(text);
    if (!result.ok) throw invalidField(field, result.problem);
    return result.name;
  });
}

/** Parses the name of a new domain in a body. @throws AppError validation_failed */
export function newDomainNameField(field: string, text: string): DomainName {
  const result = readNewDomainName(text);
  if (!result.ok) throw invalidField(field, result.problem);
  return result.name;
}

/**
 * What one search field looks for, each null when no text of the kind begins so: a domain name, an address, a
 * reference of another system or the name of a key, the reference of a partner.
 */
interface Beginnings {
  name: string | null;
  address: string | null;
  text: string | null;
  partnerRef: PartnerRef | null;
}

/** What the beginning of some text of a row finds, which is not empty. */
export function beginningsOf(given: string | undefined): Beginnings | undefined {
  if (given === undefined) return undefined;
  const text = given.trim();
  return {
    name: readSearchedText(text),
    address: readAddressPrefix(text),
    text: Array.from(text).length <= MAX_REFERENCE ? text : null,
    partnerRef: parsePartnerRef(text),
  };
}

/** Parses the address of a mailbox in a path. @throws AppError mailbox_not_found */
export function mailboxParam(text: string): ParsedAddress {
  const parsed = parseOwnAddress(text);
  if (parsed === null) throw new AppError('mailbox_not_found');
  return parsed;
}

/** Parses the address of a new mailbox in a body. @throws AppError validation_failed */
export function addressField(field: string, text: string): ParsedAddress {
  const parsed = parseNewAddress(text);
  if (parsed === null) throw invalidField(field, OWN_ADDRESS_RULE);
  return parsed;
}

/** Parses the reference of a partner in a body. @throws AppError validation_failed */
export function partnerRefField(field: string, text: string): PartnerRef;
export function partnerRefField(field: string, text: string | null): PartnerRef | null;
export function partnerRefField(field: string, text: string | null): PartnerRef | null {
  return text === null ? null : fitting(field, partnerRefQuery(field, text), partnerRef);
}

/**
 * Parses the reference of a partner in a query, which may be one that only former releases took. @throws AppError
 * validation_failed
 */
export function partnerRefQuery(field: string, text: string): PartnerRef {
  const ref = parsePartnerRef(text);
  if (ref === null) throw invalidField(field, PARTNER_REF_RULE);
  return ref;
}

/** Parses the reference of a partner in a path. @throws AppError partner_not_found, validation_failed */
export function partnerRefParam(text: string): PartnerRef {
  const ref = parsePartnerRef(text);
  if (ref === null) throw new AppError('partner_not_found');
  return fitting('partner_ref', ref, partnerRef);
}

function fitting<Parsed extends string>(field: string, text: Parsed, rule: TextRule): Parsed {
  const problem = rule(text);
  if (problem !== null) throw invalidField(field, problem);
  return text;
}

/** Parses `{token}` in a path, which is a token or the numeric id of a key. */
export function keyHandleParam(text: string, tokens: TokenHasher): KeyHandle {
  return /^\d{1,15}$/.test(text) ? { id: Number(text) } : { tokenHash: tokens.hash(text) };
}

/** Parses the numeric id of a key in a path. @throws AppError api_key_not_found */
export function keyIdParam(text: string): KeyHandle {
  if (!/^\d{1,15}$/.test(text)) throw new AppError('api_key_not_found');
  return { id: Number(text) };
}
