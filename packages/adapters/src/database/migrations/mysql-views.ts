import type { Statement } from './step.js';

const SUSPENDED = "(d.suspension_causes <> '' OR COALESCE(FIND_IN_SET('abuse', p.suspension_causes), 0) > 0)";
const PARENT = 'LEFT JOIN domain p ON p.id = d.parent_id';
const NOW_MS = '(UNIX_TIMESTAMP(NOW(3)) * 1000)';
export const MAY_SEND = `(v.status = 'verified' OR pv.status = 'verified' OR d.inherited_until > ${NOW_MS})`;

/** A counter of another month or epoch counts as 0. The API stores the setting TRANSFER_CAP_SCOPE in `installation`. */
export const INBOUND_CAPPED = `(d.transfer_monthly_mb > 0
    AND EXISTS (SELECT 1 FROM installation i WHERE i.name = 'transfer_cap_scope' AND i.value = 'both')
    AND EXISTS (
      SELECT 1 FROM outbound_counter c JOIN outbound_epoch e ON e.id = 1
       WHERE c.domain_id = d.id AND c.month = DATE_FORMAT(UTC_TIMESTAMP(), '%Y-%m') AND c.month_epoch = e.month_epoch
         AND c.bytes_month >= d.transfer_monthly_mb * 1048576))`;

/**
 * The views that Postfix and Dovecot read. Their read-only users have access to these views only. A suspended domain is
 * listed, because otherwise its mail would bounce permanently. A domain whose inbound is pending is not listed, because
 * otherwise anyone could add a name and receive the platform's mail to it. A disabled mailbox is listed, so that its
 * mail does not go to a catch-all.
 */
export const mysqlViews: Statement[] = [
  [
    'CreateMtaDomains',
    `CREATE OR REPLACE SQL SECURITY DEFINER VIEW mta_domains AS
     SELECT d.name AS domain, ${SUSPENDED} AS suspended, d.retention_days, d.transfer_monthly_mb AS transfer_cap_mb,
            (${SUSPENDED} OR d.outbound_status = 'blocked' OR COALESCE(p.outbound_status, '') = 'blocked' OR NOT COALESCE(${MAY_SEND}, 0)) AS outbound_held,
            ${INBOUND_CAPPED} AS transfer_inbound_capped
       FROM domain d JOIN verification v ON v.domain_id = d.id ${PARENT} LEFT JOIN verification pv ON pv.domain_id = p.id
      WHERE d.inbound = 'open'`,
  ],
  [
    'CreateMtaMailboxes',
    `CREATE OR REPLACE SQL SECURITY DEFINER VIEW mta_mailboxes AS
     SELECT m.email AS address, d.name AS domain, m.local_part, ${SUSPENDED} AS suspended, m.quota_mb, m.active
       FROM mailbox m JOIN domain d ON d.id = m.domain_id ${PARENT}
      WHERE d.inbound = 'open'`,
  ],
  [
    'CreateMtaAliases',
    `CREATE OR REPLACE SQL SECURITY DEFINER VIEW mta_aliases AS
     SELECT a.address, a.destination, d.name AS domain
       FROM alias a JOIN domain d ON d.id = a.domain_id
      WHERE d.inbound = 'open'`,
  ],
  [
    // A disabled mailbox, and an alias without its own login, get a row with a login that cannot be used. Without the
    // row, the owner of the catch-all could send as them.
    'CreateMtaSenderLogins',
    `CREATE OR REPLACE SQL SECURITY DEFINER VIEW mta_sender_logins AS
     SELECT m.email AS address, m.email AS login
       FROM mailbox m JOIN domain d ON d.id = m.domain_id
      WHERE d.inbound = 'open'
     UNION ALL
     SELECT a.address, m.email AS login
       FROM alias a JOIN domain d ON d.id = a.domain_id
       JOIN mailbox m ON m.id = a.destination_mailbox_id AND m.domain_id = a.domain_id AND m.active = 1
      WHERE d.inbound = 'open'
     UNION ALL
     SELECT a.address, a.address AS login
       FROM alias a JOIN domain d ON d.id = a.domain_id
       LEFT JOIN mailbox m ON m.id = a.destination_mailbox_id AND m.domain_id = a.domain_id AND m.active = 1
      WHERE d.inbound = 'open' AND m.id IS NULL AND a.address NOT LIKE '@%'`,
  ],
  [
    'CreateMtaRelayHost',
    'CREATE TABLE mta_relay_host (domain VARCHAR(253) CHARACTER SET ascii COLLATE ascii_general_ci NOT NULL PRIMARY KEY, relayhost VARCHAR(255) CHARACTER SET ascii NOT NULL) ENGINE=InnoDB',
  ],
  [
    'CreateMtaRelay',
    `CREATE OR REPLACE SQL SECURITY DEFINER VIEW mta_relay AS
     SELECT r.domain, r.relayhost FROM mta_relay_host r`,
  ],
  [
    'CreateMdaUsers',
    `CREATE OR REPLACE SQL SECURITY DEFINER VIEW mda_users AS
     SELECT m.email AS user, d.name AS domain, m.local_part, m.password_hash, m.quota_mb, ${SUSPENDED} AS suspended, m.active, m.home
       FROM mailbox m JOIN domain d ON d.id = m.domain_id ${PARENT}
      WHERE d.inbound = 'open'`,
  ],
];
