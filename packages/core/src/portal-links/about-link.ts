import type { AuditEntry } from '../audit/audit-log.js';
import type { PortalLink } from './portal-link.js';

export function aboutLink(
  { id, partnerId, partnerRef, domainId, domainName, kind, expiresAt }: PortalLink,
  action: 'link.create' | 'link.delete',
): AuditEntry {
  const shown = { scope: kind, expires_at: expiresAt };
  const change = action === 'link.create' ? { after: shown } : { before: shown };
  return { action, partnerId, partnerRef, domainId, domain: domainName, subject: `link:${id}`, ...change };
}
