import { inLowerCase, parseForeignAddress } from '../mailboxes/address.js';

/** An outside address in lower case, with its domain as A-labels: the form in which suppressions are compared. */
export type SuppressedAddress = string & { readonly __brand: 'SuppressedAddress' };

const QUOTED = /^"([^"@]*)"@/;

/**
 * Parses an address as senders, recipients' servers and people write it: like `parseForeignAddress`, in any case, and
 * with a local part in needless quotes.
 *
 * @returns null for a local part that is no dot-string, and for an address literal.
 */
export function parseSuppressedAddress(input: string): SuppressedAddress | null {
  const parsed = parseForeignAddress(inLowerCase(input.trim()).replace(QUOTED, '$1@'));
  return parsed === null ? null : (String(parsed.address) as SuppressedAddress);
}

/** The domain of the address. */
export function domainOfSuppressed(address: SuppressedAddress): string {
  return address.slice(address.lastIndexOf('@') + 1);
}
