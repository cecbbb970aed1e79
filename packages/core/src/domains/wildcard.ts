import { ancestorsOf, type DomainName } from './domain-name.js';

export const WILDCARD_MODES = ['none', 'direct', 'any'] as const;
/** Which new subdomains link to a domain: none, those one label below, or all. */
export type WildcardMode = (typeof WILDCARD_MODES)[number];

interface Candidate {
  name: DomainName;
  partnerId: number;
  wildcardMode: WildcardMode;
}

/**
 * @returns the wildcard parent of a new name: the nearest ancestor of the same partner whose mode covers the name. An
 * ancestor of mode `direct` that is more than one label above is skipped.
 */
export function nearestWildcardParent<C extends Candidate>(
  name: DomainName,
  partnerId: number,
  ancestors: C[],
): C | null {
  const byName = new Map(ancestors.map((ancestor) => [ancestor.name, ancestor]));
  for (const [distance, ancestorName] of ancestorsOf(name).entries()) {
    const ancestor = byName.get(ancestorName);
    if (ancestor === undefined || ancestor.partnerId !== partnerId) continue;
    if (ancestor.wildcardMode === 'any' || (ancestor.wildcardMode === 'direct' && distance === 0)) return ancestor;
  }
  return null;
}
