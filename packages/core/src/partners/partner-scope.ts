/** The rows that a caller may see. Rows outside are treated as absent. */
export type PartnerScope = 'all' | PartnerRows;

/** The rows of one partner, or only those of some of its domains. */
export interface PartnerRows {
  partnerId: number;
  /** The ids of the domains; null for all domains of the partner. An empty list is no domain. */
  domainIds: readonly number[] | null;
}

/** Whose request it is, for what partners share fairly; operators and jobs count as one (`all`). */
export type RequestOwner = number | 'all';

export function ownerOf(scope: PartnerScope): RequestOwner {
  return scope === 'all' ? 'all' : scope.partnerId;
}

/** Whether a domain, given by its id and its partner, is in the scope. */
export function isInScope(scope: PartnerScope, domain: { id: number; partnerId: number }): boolean {
  if (scope === 'all') return true;
  return domain.partnerId === scope.partnerId && (scope.domainIds === null || scope.domainIds.includes(domain.id));
}

export function allRowsOf(partnerId: number): PartnerRows {
  return { partnerId, domainIds: null };
}
