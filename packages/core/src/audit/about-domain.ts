import type { PartnerRef } from '../partners/partner.js';
import type { AuditEntry } from './audit-log.js';
import type { AuditAction } from './event-types.js';

/** The domain that an audit row is about, with the partner that has it now. */
export interface AuditedDomain {
  id: number;
  name: string;
  partnerId: number;
  partnerRef: PartnerRef | null;
}

/** @param change `subject` defaults to the name of the domain, `type` to the type of the action. */
export function aboutDomain(
  { id, name, partnerId, partnerRef }: AuditedDomain,
  action: AuditAction,
  change: Pick<AuditEntry, 'type' | 'before' | 'after'> & { subject?: string },
): AuditEntry {
  return { action, partnerId, partnerRef, domainId: id, domain: name, subject: name, ...change };
}
