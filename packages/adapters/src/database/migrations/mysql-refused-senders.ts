import type { Statement } from './step.js';

/** The domains whose senders Postfix refuses on port 25. Read for each message from outside, so it names one table. */
export const mysqlRefusedSenders: Statement[] = [
  [
    'CreateMtaRefusedSenders',
    "CREATE OR REPLACE SQL SECURITY DEFINER VIEW mta_refused_senders AS SELECT d.name AS domain FROM domain d WHERE d.inbound = 'open' AND d.external_senders = 'refuse'",
  ],
];
