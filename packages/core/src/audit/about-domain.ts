import type { PartnerRef } from '../partners/partner.js';
import type { AuditEntry } from './audit-log.js';

/** @param change `subject` defaults to the name of the domain. */
export function aboutDomain(
  { name, partnerRef }: { name: string; partnerRef: PartnerRef | null },
  action: string,
  change: Pick<AuditEntry, 'before' | 'after'> & { subject?: string },
): AuditEntry {
  return { action, partnerRef, domain: name, subject: name, ...change };
}
