/**
 * Parses a time that names its zone, in milliseconds since 1970: one of HTTP (RFC 9110, section 5.6.7), of a
 * certificate or of ISO 8601. NaN for another text, also for one without a zone, which would be read in that of this
 * host.
 */
export function readZonedTime(text: string): number {
  return hasZone(text) ? new Date(text).getTime() : Number.NaN;
}

function hasZone(text: string): text is `${string}Z` | `${string} GMT` {
  return / GMT$|\dZ$/.test(text);
}
