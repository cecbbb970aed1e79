import type { PartnerRef } from '../partners/partner.js';
import type { AuditEntry } from './audit-log.js';

/** @param change `subject` is the domain's name when left out. */
export function aboutDomain(
  { name, partnerRef }: { name: string; partnerRef: PartnerRef | null },
  action: string,
  change: Pick<AuditEntry, 'before' | 'after'> & { subject?: string },
): AuditEntry {
  return { action, partnerRef, domain: name, subject: name, ...change };
}
