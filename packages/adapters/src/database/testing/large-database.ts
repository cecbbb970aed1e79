import type { Database } from '../driver/database.js';

export const DOMAINS = 2_000;
export const MAILBOXES = 6_000;
export const ALIASES = 60_000;
export const SUPPRESSIONS = 60_000;

/** Fills a migrated MariaDB with so many rows that its query plans are those of a large installation. */
export async function fillLargeDatabase(database: Database): Promise<void> {
  await database.write(
    "INSERT INTO partner (ref, domain_count, last_created_at) SELECT CONCAT('p', seq), 10, 0 FROM seq_1_to_200",
  );
  await database.write(
    `INSERT INTO domain (name, partner_id, created_at, retention_days, retention_days_before, transfer_monthly_mb, suspension_causes, outbound_status, wildcard_mode, inbound, mailbox_count, alias_count, pending_since, retention_reminder_at)
     SELECT CONCAT('d', seq, '.example'), 2 + (seq MOD 200), seq, 0, 0, 0, '', 'active', 'none', 'open', 0, 0, seq, seq FROM seq_1_to_${DOMAINS}`,
    [],
    [],
  );
  await database.write(
    `INSERT INTO verification (domain_id, status, dkim_status, check_attempt, ownership_token, ownership_required)
     SELECT id, 'verified', '', 0, 't', 0 FROM domain`,
    [],
    [],
  );
  await database.write(
    `INSERT INTO dns_look (domain_id, partner_id, due_at, lacks, suspected, hold)
     SELECT id, partner_id, id, '', '', IF(id MOD 300 = 0, 'held', NULL) FROM domain`,
  );
  await database.write(
    `INSERT INTO mailbox (domain_id, email, local_part, password_hash, quota_mb, outbound_daily_limit, active, home, created_at)
     SELECT 1 + (seq MOD ${DOMAINS}), CONCAT('m', seq, '@d', 1 + (seq MOD ${DOMAINS}), '.example'), CONCAT('m', seq), 'x', 1, seq MOD 2, 1, 'h', seq FROM seq_1_to_${MAILBOXES}`,
  );
  await database.write(
    `INSERT INTO relay_event (provider_id, event, received_at, processed_at, next_attempt_at)
     SELECT CONCAT('e', seq), '{}', seq, IF(seq MOD 100 = 0, NULL, seq), IF(seq MOD 300 = 0, NULL, seq MOD 2) FROM seq_1_to_${MAILBOXES}`,
  );
  await database.write(
    `INSERT INTO alias (domain_id, address, destination, created_at)
     SELECT 1 + (seq MOD ${DOMAINS}), CONCAT('a', seq, '@d', 1 + (seq MOD ${DOMAINS}), '.example'), CONCAT('r', seq, '@out', seq, '.example'), seq FROM seq_1_to_${ALIASES}`,
  );
  await database.write(
    `INSERT INTO outbound_sender (domain_id, day, sender, day_epoch, sent)
     SELECT domain_id, '2026-03-15', email, 0, 1 FROM mailbox UNION ALL SELECT domain_id, '2026-03-14', email, 0, 1 FROM mailbox`,
  );
  await database.write(
    `INSERT INTO outbound_day (domain_id, day, sent, bounces, complaints)
     SELECT id, CONCAT('2026-03-', LPAD(seq, 2, '0')), 1, 0, 0 FROM domain CROSS JOIN seq_1_to_28`,
  );
  await database.write(
    `INSERT INTO outbound_counter (domain_id, day, day_epoch, sent_today, month, month_epoch, period_start, sent_month, bytes_month, bounces_month, complaints_month)
     SELECT id, '2026-03-15', 0, 1, '2026-03', 0, 0, 1, 0, 0, 0 FROM domain`,
  );
  await database.write(
    `INSERT INTO outbound_partner_day (partner_id, day, sent, bounces, complaints)
     SELECT d.partner_id, n.day, SUM(n.sent), 0, 0 FROM outbound_day n JOIN domain d ON d.id = n.domain_id GROUP BY d.partner_id, n.day`,
  );
  await database.write(
    `INSERT INTO bounce (domain_id, partner_id, at, kind, recipient, message_id)
     SELECT 1 + (seq MOD 20), 2 + (seq MOD 2), seq, 'permanent', 'a', 'b' FROM seq_1_to_${MAILBOXES}`,
  );
  await database.write(
    `INSERT INTO relay_tenant (partner_id, name, arn, status, is_asked)
     SELECT seq, CONCAT('ms-1-', seq), CONCAT('arn:', seq), IF(seq MOD 50 = 0, 'paused', 'active'), 0 FROM seq_2_to_201`,
  );
  await database.write(
    `INSERT INTO suppression (partner_id, domain_id, address, reason, since, expires_at)
     SELECT 2 + ((1 + (seq MOD ${DOMAINS})) MOD 200), IF(seq MOD 5 = 0, 0, 1 + (seq MOD ${DOMAINS})), CONCAT('s', seq, '@out.example'), ELT(1 + (seq MOD 3), 'bounce', 'complaint', 'manual'), seq, IF(seq MOD 3 = 2, NULL, 9e12 + seq)
       FROM seq_1_to_${SUPPRESSIONS}`,
  );
  await database.write(
    `INSERT INTO domain_suffix (partner_id, suffix, domain_id) SELECT partner_id, name, id FROM domain UNION ALL SELECT partner_id, 'example', id FROM domain`,
  );
  for (const table of ['verification', 'mailbox', 'alias']) {
    await database.write(
      `UPDATE ${table} SET partner_id = (SELECT d.partner_id FROM domain d WHERE d.id = ${table}.domain_id)`,
    );
  }
  await database.write(
    "INSERT INTO domain_attention (domain_id, reason, partner_id, period) SELECT id, 'suspended', partner_id, '' FROM domain WHERE id MOD 3 = 0",
  );
  await database.write(
    'ANALYZE TABLE domain_suffix, domain_attention, partner, domain, verification, mailbox, alias, api_key, relay_event, outbound_sender, outbound_day, outbound_partner_day, outbound_counter, bounce, suppression',
  );
}
