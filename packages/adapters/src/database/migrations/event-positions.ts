import { addColumn, addIndex, exact, ref } from './alterations.js';
import type { Migration } from './step.js';

/**
 * Makes each audit row an event: its type, the rows of its partner and domain, and its position in the feed. Rows from
 * before the upgrade get no position: those up to `before_audit_id`. The columns may be null, because processes of the
 * former release insert rows without them.
 */
export const eventPositions: Migration['statements'] = [
  addColumn('audit_log', 'partner_id', ref()),
  addColumn('audit_log', 'domain_id', ref()),
  addColumn('audit_log', 'event_type', exact(64)),
  addColumn('audit_log', 'position', ref()),
  addIndex('ix_audit_position', 'audit_log', ['position'], 'UNIQUE '),
  addIndex('ix_audit_partner_position', 'audit_log', ['partner_id', 'position']),
  addIndex('ix_audit_domain_position', 'audit_log', ['domain', 'position']),
  {
    mysql: [
      [
        'CreateEventPosition',
        'CREATE TABLE `event_position` (`id` int NOT NULL, `last_position` bigint NOT NULL, `first_kept` bigint NOT NULL, `before_audit_id` bigint NOT NULL, PRIMARY KEY (`id`)) ENGINE=InnoDB',
      ],
    ],
    sqlite: [
      [
        'CreateEventPosition',
        'CREATE TABLE "event_position" ("id" integer PRIMARY KEY NOT NULL, "last_position" integer NOT NULL, "first_kept" integer NOT NULL, "before_audit_id" integer NOT NULL)',
      ],
    ],
  },
  [
    'FillEventPosition',
    'INSERT INTO event_position (id, last_position, first_kept, before_audit_id) SELECT 1, 0, 1, COALESCE(MAX(id), 0) FROM audit_log',
  ],
];
