import { aboutDomain } from '../audit/about-domain.js';
import { aboutPartner } from '../audit/about-partner.js';
import type { AuditEntry } from '../audit/audit-log.js';
import type { AuditAction } from '../audit/event-types.js';
import { shownOf } from '../audit/shown-of.js';
import { Suppression } from './suppression.js';

/** What audit rows show of a suppression. */
export const shownSuppression = shownOf(Suppression, {
  hide: ['id', 'partnerId', 'partnerRef', 'domainId', 'spelling', 'lift'],
});

/** An audit row about the domain of the suppression, or about the partner as a whole. */
export function aboutSuppression(
  { partnerId, partnerRef, domainId, domain, address }: Suppression,
  action: AuditAction,
  { before, after }: Pick<AuditEntry, 'before' | 'after'>,
): AuditEntry {
  const change = { subject: address, before, after };
  return domain === null
    ? aboutPartner({ id: partnerId, ref: partnerRef }, action, change)
    : aboutDomain({ id: domainId, name: domain, partnerId, partnerRef }, action, change);
}
