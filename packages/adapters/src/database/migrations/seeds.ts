import type { Statement } from './step.js';

/** The initial rows of both databases. */
export const seeds: Statement[] = [
  ['SeedNoPartner', "INSERT INTO partner (ref, domain_count, last_created_at) VALUES ('', 0, 0)"],
  [
    'SeedOutboundTier',
    "INSERT INTO outbound_tier (tier, daily_limit, monthly_limit) VALUES ('basic', 200, 3000), ('standard', 2000, 40000), ('high', 20000, 400000), ('unlimited', 0, 0)",
  ],
  [
    'SeedOutboundEpoch',
    'INSERT INTO outbound_epoch (id, day_epoch, month_epoch, month_started_at) VALUES (1, 0, 0, 0)',
  ],
];
