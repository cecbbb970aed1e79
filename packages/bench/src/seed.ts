import { writeMtaDomains } from '@mailstead/adapters/database/migrations/mta-domain';
import { connectTo } from './database.js';

/** Fills a migrated MariaDB with domains of 1,000 partners and with mailboxes, in a few statements. */
export async function seed(
  url: string,
  {
    domains,
    mailboxesPerDomain,
    counters = false,
  }: { domains: number; mailboxesPerDomain: number; counters?: boolean },
): Promise<void> {
  const connection = await connectTo(url);
  await connection.query(
    "INSERT INTO partner (ref, domain_count, last_created_at) SELECT CONCAT('partner-', seq), ?, 0 FROM seq_1_to_1000",
    [Math.ceil(domains / 1_000)],
  );
  await connection.query(
    `INSERT INTO domain (name, partner_id, created_at, retention_days, retention_days_before, transfer_monthly_mb, suspension_causes, outbound_status, wildcard_mode, inbound, mailbox_count, alias_count)
     SELECT CONCAT('seed-', seq, '.example'), (SELECT MIN(id) FROM partner WHERE ref <> '') + (seq MOD 1000), seq, 0, 0, 0, '', 'active', 'none', 'open', ?, 0
       FROM seq_1_to_${domains}`,
    [mailboxesPerDomain],
  );
  await connection.query(
    `INSERT INTO domain_suffix (partner_id, suffix, domain_id)
     SELECT partner_id, name, id FROM domain UNION ALL SELECT partner_id, 'example', id FROM domain`,
  );
  await connection.query(
    `INSERT INTO verification (domain_id, partner_id, status, dkim_status, check_attempt, ownership_token, ownership_required)
     SELECT id, partner_id, 'verified', 'success', 0, 'seed', 0 FROM domain`,
  );
  await connection.query(writeMtaDomains('d.id > 0'));
  if (mailboxesPerDomain > 0) {
    await connection.query(
      `INSERT INTO mailbox (domain_id, partner_id, email, local_part, password_hash, quota_mb, outbound_daily_limit, active, home, created_at)
       SELECT d.id, d.partner_id, CONCAT('m', s.seq, '@', d.name), CONCAT('m', s.seq), 'x', 1024, 0, 1, MD5(CONCAT(s.seq, d.name)), d.created_at
         FROM domain d JOIN seq_1_to_${mailboxesPerDomain} s`,
    );
  }
  if (counters) {
    await connection.query(
      `INSERT INTO outbound_counter (domain_id, day, day_epoch, sent_today, month, month_epoch, period_start, sent_month, bytes_month, bounces_month, complaints_month)
       SELECT id, DATE_FORMAT(UTC_DATE(), '%Y-%m-%d'), 0, 1, DATE_FORMAT(UTC_DATE(), '%Y-%m'), 0, 0, 1, 2000, 0, 0 FROM domain`,
    );
  }
  await connection.query('ANALYZE TABLE partner, domain, domain_suffix, verification, mta_domain, mailbox');
  await connection.end();
}
