import type { DialectName } from '../driver/dialect.js';
import type { Statement } from './step.js';

/**
 * The configuration set of each identity, since when the provider misses its DNS records, and the one row about the
 * account at the provider; and an index that finds whether any domain has a retention. Identities of the former release
 * are compared with the setting soon (`align_at` 0).
 */
export function relayConfiguration(dialect: DialectName): Statement[] {
  return [
    ...(dialect === 'mysql' ? MYSQL : SQLITE),
    ['FillRelayState', 'INSERT INTO relay_state (id, counted_since_heard) VALUES (1, 0)'],
    ['FillVerificationAlignAt', 'UPDATE verification SET align_at = 0 WHERE dns_records IS NOT NULL'],
    ['IndexIxDomainRetention', 'CREATE INDEX ix_domain_retention ON domain (retention_days)'],
  ];
}

const COLUMNS: [column: string, type: 'set' | 'time'][] = [
  ['configuration_set', 'set'],
  ['align_at', 'time'],
  ['at_risk_since', 'time'],
  ['at_risk_announced_at', 'time'],
];

const TABLES: [table: string, name: string][] = [
  ['verification', 'Verification'],
  ['deleted_verification', 'DeletedVerification'],
];

const STATE_TIMES = ['checked_at', 'first_counted_at', 'heard_at', 'first_event_at', 'last_event_at'];

const MYSQL_TYPES = { set: 'varchar(64) CHARACTER SET ascii COLLATE ascii_bin', time: 'bigint' };
const SQLITE_TYPES = { set: 'varchar(64)', time: 'integer' };

const MYSQL: Statement[] = [
  ...TABLES.flatMap(([table, name]) =>
    COLUMNS.map(
      ([column, type]): Statement => [
        `Add${name}${camel(column)}`,
        `ALTER TABLE \`${table}\` ADD COLUMN \`${column}\` ${MYSQL_TYPES[type]} NULL`,
      ],
    ),
  ),
  [
    'IndexIxVerificationAlign',
    'CREATE INDEX `ix_verification_align` ON `verification` (`partner_id`, `align_at`, `status`, `configuration_set`)',
  ],
  [
    'CreateRelayState',
    `CREATE TABLE \`relay_state\` (\`id\` int NOT NULL, \`report\` mediumtext CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NULL, \`warnings\` varchar(500) CHARACTER SET ascii COLLATE ascii_bin NULL, ${STATE_TIMES.map((column) => `\`${column}\` bigint NULL`).join(', ')}, \`counted_since_heard\` bigint NOT NULL, PRIMARY KEY (\`id\`)) ENGINE=InnoDB`,
  ],
];

const SQLITE: Statement[] = [
  ...TABLES.flatMap(([table, name]) =>
    COLUMNS.map(
      ([column, type]): Statement => [
        `Add${name}${camel(column)}`,
        `ALTER TABLE "${table}" ADD COLUMN "${column}" ${SQLITE_TYPES[type]}`,
      ],
    ),
  ),
  [
    'IndexIxVerificationAlign',
    'CREATE INDEX "ix_verification_align" ON "verification" ("partner_id", "align_at", "status", "configuration_set")',
  ],
  [
    'CreateRelayState',
    `CREATE TABLE "relay_state" ("id" integer PRIMARY KEY NOT NULL, "report" text, "warnings" varchar(500), ${STATE_TIMES.map((column) => `"${column}" integer`).join(', ')}, "counted_since_heard" integer NOT NULL)`,
  ],
];

function camel(column: string): string {
  return column.replaceAll(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
