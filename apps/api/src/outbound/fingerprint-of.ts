import { hash } from 'node:crypto';
import type { IncrementItem } from './outbound-dto.js';

/**
 * Includes the claimed addresses, because a repeat is not checked again. The sender's own address is not included, so
 * that a message that the policy daemon accepted during an outage has the same fingerprint when it is counted later.
 */
export function fingerprintOf(
  { recipients, count = 0, receipt = false }: Pick<IncrementItem, 'recipients' | 'count' | 'receipt'>,
  foreignClaims: readonly string[],
): string | null {
  if (recipients === undefined && foreignClaims.length === 0) return null;
  const parts: unknown[] = [recipients ?? null, count];
  if (foreignClaims.length > 0) parts.push(foreignClaims);
  // Its limits are checked once.
  if (receipt) parts.push('receipt');
  return hash('sha256', JSON.stringify(parts)).slice(0, 32);
}
