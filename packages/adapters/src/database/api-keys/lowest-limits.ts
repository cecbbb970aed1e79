import type { KeyLimits } from '@mailstead/core/api-keys/api-key';
import type { FoundLink } from '@mailstead/core/portal-links/portal-link-repository';
import { type Database, placeholders } from '../driver/database.js';

/**
 * @returns the lowest limits of the active keys that an operator created, by partner. A partner without such a key is
 * absent.
 */
export async function lowestLimits(
  database: Database,
  partnerIds: readonly number[],
  now: Date,
): Promise<Map<number, KeyLimits>> {
  if (partnerIds.length === 0) return new Map();
  // 0 is unlimited, so it is the lowest only when all are 0.
  const lowest = (column: string) => `COALESCE(MIN(NULLIF(${column}, 0)), 0) AS ${column}`;
  const rows = await database.read(
    `SELECT partner_id, ${['domains_allowed', 'mailboxes_per_domain', 'aliases_per_mailbox'].map(lowest).join(', ')}
       FROM api_key
      WHERE partner_id IN (${placeholders(partnerIds)}) AND maker_id IS NULL AND active = 1
        AND (expires_at IS NULL OR expires_at > ?)
      GROUP BY partner_id`,
    [...partnerIds, now.getTime()],
  );
  return new Map(
    rows.map((row) => [
      Number(row.partner_id),
      {
        domainsAllowed: Number(row.domains_allowed),
        mailboxesPerDomain: Number(row.mailboxes_per_domain),
        aliasesPerMailbox: Number(row.aliases_per_mailbox),
      },
    ]),
  );
}

/** Reads the limits of those links that have them from all keys of their partner. */
export async function withLowestLimits(
  database: Database,
  found: readonly FoundLink[],
  now: Date,
): Promise<FoundLink[]> {
  const ids = found
    .filter(({ link }) => link.kind === 'manage' && link.keyId === null)
    .map(({ link }) => link.partnerId);
  const limits = await lowestLimits(database, [...new Set(ids)], now);
  return found.map((each) => ({ ...each, lowestLimits: limits.get(each.link.partnerId) ?? null }));
}
