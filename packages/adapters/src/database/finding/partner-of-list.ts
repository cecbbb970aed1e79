import type { PartnerRef } from '@mailstead/core/partners/partner';
import type { PartnerScope } from '@mailstead/core/partners/partner-scope';
import type { Database } from '../driver/database.js';

/**
 * The partner whose rows a list may contain: of the scope, and named by the caller.
 *
 * @returns its id; `all` without such a limit; null when no row can be in the list.
 */
export async function partnerOfList(
  database: Database,
  scope: PartnerScope,
  ref: PartnerRef | undefined,
): Promise<number | 'all' | null> {
  const own = scope === 'all' ? 'all' : scope.partnerId;
  if (ref === undefined) return own;
  const [row] = await database.read('SELECT id FROM partner WHERE ref = ?', [ref]);
  if (row === undefined) return null;
  const named = Number(row.id);
  return own === 'all' || own === named ? named : null;
}
