import type { AuditEntry } from './audit-log.js';

/**
 * Whether the audit row of a change would show different values before and after. Without a difference none is written.
 */
export function isChange({ before, after }: Pick<AuditEntry, 'before' | 'after'>): boolean {
  return JSON.stringify(before) !== JSON.stringify(after);
}
