/**
 * Whether the warning `dns_looks` is of domains that the brake holds. The service tells it in a sentence alone, which
 * begins with their number; the other sentences of the warning begin with a word.
 */
export function isOfHeldDomains(detail: string): boolean {
  return /^\d/.test(detail);
}
