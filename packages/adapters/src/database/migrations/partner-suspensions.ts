import { addColumn, exact } from './alterations.js';
import { INBOUND_CAPPED, MAY_SEND } from './mysql-views.js';
import type { Migration, Statement } from './step.js';

const PARTNER = 'JOIN partner pt ON pt.id = d.partner_id LEFT JOIN domain p ON p.id = d.parent_id';
const SUSPENDED =
  "(d.suspension_causes <> '' OR COALESCE(FIND_IN_SET('abuse', p.suspension_causes), 0) > 0 OR COALESCE(pt.stage, '') = 'all')";

/** What the views of the mail servers read of a partner. */
export const mysqlViewsSuspensions: Statement[] = [
  [
    'HoldDomainsOfSuspendedPartners',
    `CREATE OR REPLACE SQL SECURITY DEFINER VIEW mta_domains AS
     SELECT d.name AS domain, ${SUSPENDED} AS suspended, d.retention_days, d.transfer_monthly_mb AS transfer_cap_mb,
            (${SUSPENDED} OR pt.stage IS NOT NULL OR d.outbound_status = 'blocked' OR COALESCE(p.outbound_status, '') = 'blocked' OR NOT COALESCE(${MAY_SEND}, 0)) AS outbound_held,
            ${INBOUND_CAPPED} AS transfer_inbound_capped
       FROM domain d JOIN verification v ON v.domain_id = d.id ${PARTNER} LEFT JOIN verification pv ON pv.domain_id = p.id
      WHERE d.inbound = 'open'`,
  ],
  [
    'SuspendMailboxesOfSuspendedPartners',
    `CREATE OR REPLACE SQL SECURITY DEFINER VIEW mta_mailboxes AS
     SELECT m.email AS address, d.name AS domain, m.local_part, ${SUSPENDED} AS suspended, m.quota_mb, m.active
       FROM mailbox m JOIN domain d ON d.id = m.domain_id ${PARTNER}
      WHERE d.inbound = 'open'`,
  ],
  [
    'SuspendUsersOfSuspendedPartners',
    `CREATE OR REPLACE SQL SECURITY DEFINER VIEW mda_users AS
     SELECT m.email AS user, d.name AS domain, m.local_part, m.password_hash, m.quota_mb, ${SUSPENDED} AS suspended, m.active, m.home
       FROM mailbox m JOIN domain d ON d.id = m.domain_id ${PARTNER}
      WHERE d.inbound = 'open'`,
  ],
];

/**
 * Adds to partners the causes of their suspension and its stage, which the views of the mail servers read. A process of
 * the former release writes neither.
 */
export const partnerSuspensions: Migration['statements'] = [
  addColumn('partner', 'suspensions', exact(64)),
  addColumn('partner', 'stage', exact(8)),
  { mysql: mysqlViewsSuspensions, sqlite: [] },
];
