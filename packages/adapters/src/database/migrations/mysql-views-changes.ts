import { FORWARDING } from './mysql-views-destinations.js';
import type { Statement } from './step.js';

/**
 * Every process of Mailstead stores a heartbeat each 15 seconds, so its age is the age of what a mail server reads:
 * from it the doctor sees, without a privilege, how far a replica is behind.
 */
export const mysqlViewsChanges: Statement[] = [
  [
    'ShowNewestHeartbeatToTheDoctor',
    `CREATE OR REPLACE SQL SECURITY DEFINER VIEW mta_forwarding AS
     SELECT EXISTS (SELECT 1 FROM installation i WHERE i.name = 'allow_external_forward' AND i.value = 'true') AS allowed,
            ${FORWARDING} AS set_up,
            (SELECT COALESCE(MAX(h.seen_at), 0) FROM process_heartbeat h) AS changed_at`,
  ],
];
