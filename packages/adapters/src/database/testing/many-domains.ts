import type { Database } from '../driver/database.js';

/** The partner of nearly all domains, and of every eleventh. */
export const LARGE_PARTNER = 2;
const OTHER_PARTNER = 3;
const NOW = Date.UTC(2026, 2, 15, 12);
const HOUR = 3_600_000;
/**
 * Mailboxes of the first domain that sent today. Their list is sorted by what they sent, so each page reads all of
 * them.
 */
const SENDERS = 500;

/** The rows of one table: `seq` is the number of the domain, from 1 on; at most `most` rows. */
type Rows = [table: string, columns: string, values: string, most?: number];

/**
 * Fills a migrated database with `domains` domains, each with a mailbox, an alias, events and what else lists show.
 * What filters look for is spread over all rows. `d1.example` has as many mailboxes, aliases and bounces again.
 */
export async function fillManyDomains(database: Database, domains: number): Promise<void> {
  const { dialect } = database;
  const numbers =
    dialect.name === 'mysql'
      ? `(SELECT seq FROM seq_1_to_${domains}) AS n`
      : `(WITH RECURSIVE n(seq) AS (SELECT 1 UNION ALL SELECT seq + 1 FROM n WHERE seq < ${domains}) SELECT seq FROM n) AS n`;
  for (const [table, columns, values, most = domains] of rowsOf(domains)) {
    await database.write(
      `INSERT INTO ${table} (${columns}) SELECT ${values} FROM ${numbers} WHERE seq <= ${most}`,
      [],
      [],
    );
  }
  await database.write('UPDATE event_position SET last_position = ?, first_kept = 1 WHERE id = 1', [domains]);
  await database.write('UPDATE partner SET domain_count = ? WHERE id IN (2, 3)', [domains]);
}

const OWN = `CASE WHEN seq % 11 = 0 THEN ${OTHER_PARTNER} ELSE ${LARGE_PARTNER} END`;
const NAME = "CONCAT('d', seq, '.example')";

function rowsOf(domains: number): Rows[] {
  return [
    ['partner', 'id, ref, domain_count, last_created_at, suspensions', "seq + 1, CONCAT('p', seq + 1), 0, 0, ''"],
    [
      'domain',
      'id, name, partner_id, created_at, plan, retention_days, retention_days_before, transfer_monthly_mb, suspension_causes, outbound_status, wildcard_mode, inbound, external_ref, parent_id, mailbox_count, alias_count',
      `seq, ${NAME}, ${OWN}, seq, CASE seq % 3 WHEN 0 THEN 'starter' WHEN 1 THEN 'business' END, 0, 0, 0,
       CASE WHEN seq % 7 = 0 THEN 'billing' ELSE '' END, CASE WHEN seq % 5 = 0 THEN 'blocked' ELSE 'active' END, 'none',
       CASE WHEN seq % 4 = 0 THEN 'pending' ELSE 'open' END, CASE WHEN seq % 6 = 0 THEN 'ref' END,
       CASE WHEN seq % 9 = 0 AND seq % 11 <> 0 THEN 1 END, 1, 1`,
    ],
    [
      'verification',
      'domain_id, partner_id, status, dkim_status, check_attempt, ownership_token, ownership_required',
      `seq, ${OWN}, CASE seq % 3 WHEN 0 THEN 'verified' WHEN 1 THEN 'pending' ELSE 'failed' END, '', 0, 't', 0`,
    ],
    ['domain_suffix', 'partner_id, suffix, domain_id', `${OWN}, ${NAME}, seq`],
    ['domain_suffix', 'partner_id, suffix, domain_id', `${OWN}, 'example', seq`],
    [
      'domain_attention',
      'domain_id, reason, partner_id, period',
      `seq, CASE WHEN seq % 5 = 0 THEN 'blocked' ELSE 'unverified' END, ${OWN}, ''`,
    ],
    ...['', 'o'].flatMap((suffix): Rows[] => {
      const domain = suffix === '' ? 'seq' : '1';
      const partner = suffix === '' ? OWN : String(LARGE_PARTNER);
      const at = `CONCAT(${domain === 'seq' ? NAME : "'d1.example'"})`;
      return [
        [
          'mailbox',
          'domain_id, partner_id, email, local_part, password_hash, quota_mb, outbound_daily_limit, active, external_ref, home, created_at',
          `${domain}, ${partner}, CONCAT('m${suffix}', seq, '@', ${at}), CONCAT('m${suffix}', seq), 'x', 1, 0, CASE WHEN seq % 3 = 0 THEN 0 ELSE 1 END,
           CASE WHEN seq % 6 = 0 THEN 'ref' END, 'h', seq`,
        ],
        [
          'alias',
          'domain_id, partner_id, address, destination, created_at',
          `${domain}, ${partner}, CONCAT('a${suffix}', seq, '@', ${at}), 'all@elsewhere.example', seq`,
        ],
      ];
    }),
    [
      'audit_log',
      'changed_at, actor_kind, actor, action, partner_ref, partner_id, domain, domain_id, subject, event_type, position',
      `${NOW} - ${domains} + seq, 'client', 'key:1', 'domain.update', CONCAT('p', ${OWN}), ${OWN}, CASE WHEN seq % 2 = 0 AND seq % 11 <> 0 THEN 'd1.example' ELSE ${NAME} END,
       CASE WHEN seq % 2 = 0 AND seq % 11 <> 0 THEN 1 ELSE seq END, 's', 'domain.updated', seq`,
    ],
    [
      'suppression',
      'partner_id, domain_id, address, reason, note, since, expires_at',
      `${OWN}, CASE WHEN seq % 2 = 0 AND seq % 11 <> 0 THEN 1 ELSE seq END, CONCAT('s', seq, '@elsewhere.example'), 'bounce', NULL, ${NOW}, NULL`,
    ],
    [
      'tombstone',
      'kind, name, partner_id, actor_kind, actor, deleted_at, expires_at, domain_id, mailboxes, aliases',
      `'mailbox', CONCAT('gone', seq, '@', ${NAME}), ${OWN}, 'client', 'key:1', ${NOW - HOUR}, ${NOW + HOUR}, CASE WHEN seq % 2 = 0 AND seq % 11 <> 0 THEN 1 ELSE seq END, 1, 0`,
    ],
    [
      'tombstone',
      'kind, name, partner_id, actor_kind, actor, deleted_at, expires_at, erased_at, domain_id, counters_id, mailboxes, aliases',
      "'domain', 'd1.example', 2, 'client', 'key:1', 1, 1, 1, 1, 1, 0, 0",
      1,
    ],
    [
      'bounce',
      'domain_id, partner_id, at, kind, recipient, message_id',
      `1, ${LARGE_PARTNER}, seq, 'permanent', 'a@out.example', 'b'`,
    ],
    [
      'outbound_counter',
      'domain_id, day, day_epoch, sent_today, month, month_epoch, period_start, sent_month, bytes_month, bounces_month, complaints_month',
      "seq, '2026-03-15', 0, 1, '2026-03', 0, 0, 1, 0, 0, 0",
    ],
    ['outbound_day', 'domain_id, day, sent, bounces, complaints', "seq, '2026-03-14', 1, 0, 0"],
    [
      'outbound_history',
      'domain_id, period_start, period_end, sent, bytes, bounces, complaints',
      '1, seq, seq + 1, 1, 1, 0, 0',
    ],
    [
      'outbound_sender',
      'domain_id, day, sender, day_epoch, sent',
      `1, '2026-03-15', CONCAT('mo', seq, '@d1.example'), 0, 1`,
      SENDERS,
    ],
    [
      'usage_day',
      'month, name, day, partner_id, held, mailboxes, sent, bytes, bounces',
      `'2026-03', ${NAME}, '2026-03-14', ${OWN}, 1, 1, 1, 1, 0`,
    ],
    [
      'portal_link',
      'code_hash, kind, domain_id, partner_id, created_at, expires_at',
      `CONCAT('h', seq), 'dns', seq, ${OWN}, seq, ${NOW + HOUR}`,
    ],
    [
      'api_key',
      'partner_id, token_hash, token_mask, domains_allowed, mailboxes_per_domain, aliases_per_mailbox, active, created_at, scope',
      "seq + 1, CONCAT('h', seq), 'x', 0, 0, 0, 1, seq, 'manage'",
    ],
  ];
}
