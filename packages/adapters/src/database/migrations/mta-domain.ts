import type { Statement } from './step.js';

const SUSPENDED =
  "(d.suspension_causes <> '' OR COALESCE(FIND_IN_SET('abuse', p.suspension_causes), 0) > 0 OR COALESCE(pt.stage, '') = 'all')";
const STOPPED = `(${SUSPENDED} OR pt.stage IS NOT NULL OR d.outbound_status = 'blocked' OR COALESCE(p.outbound_status, '') = 'blocked')`;
const VERIFIED = "(v.status = 'verified' OR COALESCE(pv.status, '') = 'verified')";

/** The rows that `mta_domain` must have. Append a condition on the domain `d`. */
export const MTA_DOMAIN_ROWS = `SELECT d.id AS domain_id, d.name AS domain, ${SUSPENDED} AS suspended,
            (${STOPPED} OR (NOT ${VERIFIED} AND d.inherited_until IS NULL)) AS held,
            CASE WHEN ${VERIFIED} THEN NULL ELSE d.inherited_until END AS sends_until, d.retention_days, d.transfer_monthly_mb AS transfer_cap_mb
       FROM domain d JOIN verification v ON v.domain_id = d.id JOIN partner pt ON pt.id = d.partner_id
       LEFT JOIN domain p ON p.id = d.parent_id LEFT JOIN verification pv ON pv.domain_id = d.parent_id
      WHERE d.inbound = 'open'`;

/** Writes the rows of the domains `d` that meet the condition. Rows that exist are changed. */
export function writeMtaDomains(condition: string): string {
  return `INSERT INTO mta_domain (domain_id, domain, suspended, held, sends_until, retention_days, transfer_cap_mb)
     ${MTA_DOMAIN_ROWS} AND ${condition}
     ON DUPLICATE KEY UPDATE domain = VALUES(domain), suspended = VALUES(suspended), held = VALUES(held),
       sends_until = VALUES(sends_until), retention_days = VALUES(retention_days), transfer_cap_mb = VALUES(transfer_cap_mb)`;
}

const HELD = 'd.held = 1 OR COALESCE(d.sends_until <= UNIX_TIMESTAMP(NOW(3)) * 1000, 0)';

/** A counter of another month or epoch counts as 0. The API stores the setting TRANSFER_CAP_SCOPE in `installation`. */
const INBOUND_CAPPED = `(d.transfer_cap_mb > 0 AND EXISTS (
      SELECT 1 FROM outbound_counter c JOIN outbound_epoch e ON e.id = 1 JOIN installation i ON i.name = 'transfer_cap_scope'
       WHERE c.domain_id = d.domain_id AND c.month = DATE_FORMAT(UTC_TIMESTAMP(), '%Y-%m') AND c.month_epoch = e.month_epoch
         AND c.bytes_month >= d.transfer_cap_mb * 1048576 AND i.value = 'both'))`;

function view(name: string, body: string): Statement {
  const pascal = name.replaceAll(/(^|_)(\w)/g, (_, __, letter: string) => letter.toUpperCase());
  return [`Flat${pascal}`, `CREATE OR REPLACE SQL SECURITY DEFINER VIEW ${name} AS ${body}`];
}

/**
 * Keeps what the mail servers ask about a domain in one row, `mta_domain`, which the units of work that change it write
 * too (decision 0016). MariaDB parses a view and opens each of its tables for every look-up, so the views name as few
 * tables as they can. The rules of the views are those of the former ones; `mta-domain.test.ts` compares both.
 */
export const mysqlMtaDomain: Statement[] = [
  [
    'CreateMtaDomain',
    'CREATE TABLE `mta_domain` (`domain_id` bigint NOT NULL, `domain` varchar(253) CHARACTER SET ascii COLLATE ascii_general_ci NOT NULL, `suspended` tinyint NOT NULL, `held` tinyint NOT NULL, `sends_until` bigint NULL, `retention_days` int NOT NULL, `transfer_cap_mb` int NOT NULL, UNIQUE INDEX `uq_mta_domain` (`domain`), PRIMARY KEY (`domain_id`)) ENGINE=InnoDB',
  ],
  [
    'LinkMtaDomain',
    'ALTER TABLE `mta_domain` ADD CONSTRAINT `fk_mta_domain_domain` FOREIGN KEY (`domain_id`) REFERENCES `domain`(`id`) ON DELETE CASCADE ON UPDATE NO ACTION',
  ],
  ['FillMtaDomain', writeMtaDomains('d.id > 0')],
  view(
    'mta_domain_state',
    `SELECT d.domain, d.suspended, (${HELD}) AS outbound_held, d.transfer_cap_mb > 0 AS capped_possible, r.relayhost
       FROM mta_domain d LEFT JOIN mta_relay_host r ON r.domain = d.domain`,
  ),
  view('mta_alias_names', 'SELECT a.address FROM alias a'),
  view(
    'mta_domains',
    `SELECT d.domain, d.suspended, d.retention_days, d.transfer_cap_mb, (${HELD}) AS outbound_held,
            ${INBOUND_CAPPED} AS transfer_inbound_capped FROM mta_domain d`,
  ),
  view(
    'mta_mailboxes',
    `SELECT m.email AS address, d.domain, m.local_part, d.suspended, (${HELD}) AS outbound_held, m.quota_mb, m.active
       FROM mailbox m JOIN mta_domain d ON d.domain_id = m.domain_id`,
  ),
  view(
    // Lists what `ListDeliverableAliases` lists. The domain of a mailbox is that of its address, so one look-up tells
    // whether the destination's domain is open.
    'mta_aliases',
    `SELECT a.address, a.destination, d.domain
       FROM alias a JOIN mta_domain d ON d.domain_id = a.domain_id
       LEFT JOIN mta_domain o ON o.domain = SUBSTRING_INDEX(a.destination, '@', -1)
       LEFT JOIN mailbox m ON m.email = a.destination
       LEFT JOIN installation i ON i.name = 'forwarding'
      WHERE CASE WHEN o.domain_id IS NULL THEN a.destination_mailbox_id IS NULL AND i.value = 'on' ELSE m.id IS NOT NULL END`,
  ),
  view(
    // A disabled mailbox, and an alias without its own login, get a row with a login that cannot be used. Without the
    // row, the owner of the catch-all could send as them.
    'mta_sender_logins',
    `SELECT m.email AS address, m.email AS login FROM mailbox m JOIN mta_domain d ON d.domain_id = m.domain_id
     UNION ALL
     SELECT a.address, COALESCE(m.email, a.address) AS login
       FROM alias a JOIN mta_domain d ON d.domain_id = a.domain_id
       LEFT JOIN mailbox m ON m.id = a.destination_mailbox_id AND m.domain_id = a.domain_id AND m.active = 1
      WHERE m.id IS NOT NULL OR a.address NOT LIKE '@%'`,
  ),
  view('mta_relay', 'SELECT r.domain, r.relayhost FROM mta_relay_host r JOIN mta_domain d ON d.domain = r.domain'),
  view(
    'mda_users',
    `SELECT m.email AS user, d.domain, m.local_part, m.password_hash, m.quota_mb, d.suspended, m.active, m.home
       FROM mailbox m JOIN mta_domain d ON d.domain_id = m.domain_id`,
  ),
];
