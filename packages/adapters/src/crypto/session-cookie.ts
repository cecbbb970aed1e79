/** The name of the cookie. Browsers accept it only with Secure, `Path=/` and no Domain, from this very host. */
export const SESSION_COOKIE = '__Host-mailstead';

/**
 * Reads the session from a Cookie header (RFC 6265 section 4.2.1).
 *
 * @returns null without such a cookie. Several different ones are read as one that no session has.
 */
export function sessionCookieOf(header: string | undefined): string | null {
  if (header === undefined) return null;
  const values = new Set<string>();
  for (const pair of header.split(';')) {
    const at = pair.indexOf('=');
    if (at >= 0 && pair.slice(0, at).trim() === SESSION_COOKIE) values.add(pair.slice(at + 1).trim());
  }
  if (values.size === 0) return null;
  return [...values].join(' ');
}
