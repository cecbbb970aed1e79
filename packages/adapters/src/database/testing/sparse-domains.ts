import type { Database } from '../driver/database.js';

/** The partner of these domains. */
const PARTNER = 2;

/** Between the ids of two domains. */
export const ID_GAP = 10_000;

/**
 * Fills a migrated MariaDB with verified domains whose ids have large gaps, `ID_GAP` to `domains * ID_GAP`, and with
 * none of their derived rows.
 */
export async function fillSparseDomains(database: Database, domains: number): Promise<void> {
  const inserts = [
    `INSERT INTO partner (id, ref, domain_count, last_created_at, suspensions) VALUES (${PARTNER}, 'sparse', ${domains}, 0, '')`,
    `INSERT INTO domain (id, name, partner_id, created_at, retention_days, retention_days_before, transfer_monthly_mb, suspension_causes, outbound_status, wildcard_mode, inbound, mailbox_count, alias_count)
     SELECT seq * ${ID_GAP}, CONCAT('d', seq, '.example'), ${PARTNER}, seq, 0, 0, 0, '', 'active', 'none', 'open', 0, 0 FROM seq_1_to_${domains}`,
    `INSERT INTO verification (domain_id, partner_id, status, dkim_status, check_attempt, ownership_token, ownership_required)
     SELECT seq * ${ID_GAP}, ${PARTNER}, 'verified', '', 0, 't', 0 FROM seq_1_to_${domains}`,
  ];
  for (const sql of inserts) await database.write(sql, [], []);
}

/** @returns the ids of the domains whose row for the mail servers is missing or was made wrong */
export async function wrongRowsOf(database: Database): Promise<number[]> {
  const rows = await database.read(
    'SELECT d.id FROM domain d LEFT JOIN mta_domain m ON m.domain_id = d.id WHERE m.domain_id IS NULL OR m.held = 1 ORDER BY d.id',
  );
  return rows.map(({ id }) => Number(id));
}

/** Makes a row wrong that is right, as an older process could leave it. */
export async function makeWrong(database: Database, id: number): Promise<void> {
  const { affected } = await database.write('UPDATE mta_domain SET held = 1 WHERE domain_id = ?', [id]);
  if (affected !== 1) throw new Error(`The domain ${id} has no derived row`);
}
