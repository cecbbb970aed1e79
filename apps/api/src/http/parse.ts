import type { KeyHandle } from '@mailstead/core/api-keys/api-key-repository';
import type { TokenHasher } from '@mailstead/core/api-keys/token-hasher';
import {
  type DomainName,
  parseDomainName,
  readDomainName,
  readNamePrefix,
  readNewDomainName,
} from '@mailstead/core/domains/domain-name';
import { AppError, invalidField } from '@mailstead/core/errors';
import {
  OWN_ADDRESS_RULE,
  type ParsedAddress,
  parseNewAddress,
  parseOwnAddress,
  readAddressPrefix,
} from '@mailstead/core/mailboxes/address';
import { type PartnerRef, parsePartnerRef } from '@mailstead/core/partners/partner';

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

/** Parses the name of a new domain in a body. @throws AppError validation_failed */
export function newDomainNameField(field: string, text: string): DomainName {
  const result = readNewDomainName(text);
  if (!result.ok) throw invalidField(field, result.problem);
  return result.name;
}

/**
 * Parses the beginning of a domain name in a query. @returns null when no name begins so. @throws AppError
 * validation_failed
 */
export function namePrefixField(field: string, text: string | undefined): string | null | undefined {
  return text === undefined ? undefined : readNamePrefix(filled(field, text));
}

/**
 * Parses the beginning of an address in a query. @returns null when no address begins so. @throws AppError
 * validation_failed
 */
export function addressPrefixField(field: string, text: string | undefined): string | null | undefined {
  return text === undefined ? undefined : readAddressPrefix(filled(field, text));
}

/**
 * Parses a reference of another system. Databases differ in whether they compare spaces at the end. @throws AppError
 * validation_failed
 */
export function externalRefField<Given extends string | null | undefined>(field: string, text: Given): Given {
  if (typeof text === 'string' && text.trim() !== text) throw invalidField(field, 'must not begin or end with a space');
  return text;
}

function filled(field: string, text: string): string {
  if (text.trim() === '') throw invalidField(field, 'must not be empty');
  return text;
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

export function partnerRefField(field: string, text: string): PartnerRef;
export function partnerRefField(field: string, text: string | null): PartnerRef | null;
export function partnerRefField(field: string, text: string | null): PartnerRef | null {
  if (text === null) return null;
  const ref = parsePartnerRef(text);
  if (ref === null) throw invalidField(field, 'must have 1 to 128 characters of A-Z a-z 0-9 . _ : @ -');
  return ref;
}

/** Parses the reference of a partner in a path. @throws AppError partner_not_found */
export function partnerRefParam(text: string): PartnerRef {
  const ref = parsePartnerRef(text);
  if (ref === null) throw new AppError('partner_not_found');
  return ref;
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
