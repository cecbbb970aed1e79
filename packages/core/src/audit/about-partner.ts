import type { PartnerRef } from '../partners/partner.js';
import type { AuditEntry } from './audit-log.js';
import type { AuditAction } from './event-types.js';

/**
 * An audit row about a partner as a whole, such as one of its keys. Callers that are limited to some domains do not see
 * its event.
 */
export function aboutPartner(
  { id, ref }: { id: number; ref: PartnerRef | null },
  action: AuditAction,
  change: Pick<AuditEntry, 'type' | 'subject' | 'before' | 'after'>,
): AuditEntry {
  return { action, partnerId: id, partnerRef: ref, domainId: null, domain: null, ...change };
}

/** An audit row about the installation. It has no partner, so that no client sees an event of it. */
export function aboutInstallation(
  action: AuditAction,
  change: Pick<AuditEntry, 'subject' | 'before' | 'after'>,
): AuditEntry {
  return { action, partnerId: null, partnerRef: null, domainId: null, domain: null, ...change };
}
