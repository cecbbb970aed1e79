import { toASCII } from 'tr46';

/** An outside address in lower case, with its domain as A-labels: the form in which suppressions are compared. */
export type SuppressedAddress = string & { readonly __brand: 'SuppressedAddress' };

/** RFC 5321 section 4.1.2 Dot-string, in lower case. */
const LOCAL_PART = /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/;
const DOMAIN = /^(?=.{1,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;
const QUOTED = /^"(.*)"$/;
export const LONGEST_ADDRESS = 254;

/**
 * Parses an address as senders, recipients' servers and people write it: any case, a local part in needless quotes, a
 * domain in Unicode or with a trailing dot. Unlike the names of domains on the platform, the domain may be any, such as
 * `gov.uk`. @returns null for a local part that is no dot-string, and for an address literal
 */
export function parseSuppressedAddress(input: string): SuppressedAddress | null {
  const text = input.trim();
  const at = text.lastIndexOf('@');
  if (at < 1 || text.length > 1_000) return null;
  const localPart = text.slice(0, at).replace(QUOTED, '$1').toLowerCase();
  const domain = toASCII(text.slice(at + 1).replace(/\.$/, ''), { useSTD3ASCIIRules: true })?.toLowerCase() ?? '';
  if (localPart.length > 64 || !LOCAL_PART.test(localPart) || !DOMAIN.test(domain)) return null;
  const address = `${localPart}@${domain}`;
  return address.length > LONGEST_ADDRESS ? null : (address as SuppressedAddress);
}

/** The domain of the address. */
export function domainOfSuppressed(address: SuppressedAddress): string {
  return address.slice(address.lastIndexOf('@') + 1);
}
