import { addColumn, addIndex, document, time } from './alterations.js';
import type { Migration } from './step.js';

/** As release 5.0 has it. Migrations run in a session in UTC, where it has one value. */
const NOW_MS = 'CAST(UNIX_TIMESTAMP(NOW(3)) * 1000 AS SIGNED)';

/**
 * Domains that wait already are counted from the upgrade on. A domain is included only when its history shows that a
 * client created it and that it was never open.
 */
const PENDING = `inbound = 'pending'
  AND id IN (SELECT domain_id FROM verification WHERE verified_at IS NULL AND ownership_seen_at IS NULL)
  AND (SELECT actor_kind FROM audit_log WHERE audit_log.domain = domain.name AND action = 'domain.create' ORDER BY audit_log.id DESC LIMIT 1) = 'client'
  AND NOT EXISTS (SELECT 1 FROM audit_log WHERE audit_log.domain = domain.name AND action = 'domain.set_inbound')`;

/**
 * Adds to domains the lowerings of their retention with the next reminder, and since when a client's domain waits to be
 * opened for the first time. Every column may be null, because processes of the former release insert rows without
 * them.
 */
export const waitingDomains: Migration['statements'] = [
  ...['domain', 'deleted_domain'].flatMap((table) => [
    addColumn(table, 'retention_lowerings', document()),
    addColumn(table, 'retention_reminder_at', time()),
    addColumn(table, 'pending_since', time()),
    addColumn(table, 'expiry_notified_at', time()),
  ]),
  addIndex('ix_domain_pending_since', 'domain', ['pending_since']),
  addIndex('ix_domain_retention_reminder', 'domain', ['retention_reminder_at']),
  {
    mysql: [['FillDomainPendingSince', `UPDATE domain SET pending_since = ${NOW_MS} WHERE ${PENDING}`]],
    sqlite: [
      [
        'FillDomainPendingSince',
        `UPDATE domain SET pending_since = CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER) WHERE ${PENDING}`,
      ],
    ],
  },
];
