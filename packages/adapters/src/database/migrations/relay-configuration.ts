import { addColumn, addIndex, exact, time } from './alterations.js';
import type { Migration } from './step.js';

const STATE_TIMES = ['checked_at', 'first_counted_at', 'heard_at', 'first_event_at', 'last_event_at'];

/**
 * The configuration set of each identity, since when the provider misses its DNS records, and the one row about the
 * account at the provider; and an index that finds whether any domain has a retention. Identities of the former release
 * are compared with the setting soon (`align_at` 0).
 */
export const relayConfiguration: Migration['statements'] = [
  ...['verification', 'deleted_verification'].flatMap((table) => [
    addColumn(table, 'configuration_set', exact(64)),
    addColumn(table, 'align_at', time()),
    addColumn(table, 'at_risk_since', time()),
    addColumn(table, 'at_risk_announced_at', time()),
  ]),
  addIndex('ix_verification_align', 'verification', ['partner_id', 'align_at', 'status', 'configuration_set']),
  {
    mysql: [
      [
        'CreateRelayState',
        `CREATE TABLE \`relay_state\` (\`id\` int NOT NULL, \`report\` mediumtext CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NULL, \`warnings\` varchar(500) CHARACTER SET ascii COLLATE ascii_bin NULL, ${STATE_TIMES.map((column) => `\`${column}\` bigint NULL`).join(', ')}, \`counted_since_heard\` bigint NOT NULL, PRIMARY KEY (\`id\`)) ENGINE=InnoDB`,
      ],
    ],
    sqlite: [
      [
        'CreateRelayState',
        `CREATE TABLE "relay_state" ("id" integer PRIMARY KEY NOT NULL, "report" text, "warnings" varchar(500), ${STATE_TIMES.map((column) => `"${column}" integer`).join(', ')}, "counted_since_heard" integer NOT NULL)`,
      ],
    ],
  },
  ['FillRelayState', 'INSERT INTO relay_state (id, counted_since_heard) VALUES (1, 0)'],
  ['FillVerificationAlignAt', 'UPDATE verification SET align_at = 0 WHERE dns_records IS NOT NULL'],
  ['IndexIxDomainRetention', 'CREATE INDEX ix_domain_retention ON domain (retention_days)'],
];
