import type { AuditEntry } from '../audit/audit-log.js';
import type { ApiKey } from './api-key.js';

export function aboutApiKey(
  { partnerRef, tokenMask }: ApiKey,
  action: string,
  change: Pick<AuditEntry, 'before' | 'after'>,
): AuditEntry {
  return { action, partnerRef, domain: null, subject: tokenMask, ...change };
}
