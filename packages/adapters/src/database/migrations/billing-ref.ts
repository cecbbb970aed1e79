import type { DialectName } from '../driver/dialect.js';
import type { Statement } from './step.js';

/**
 * Adds the reference of the subscription that pays for a domain. Processes of the former release insert rows without
 * it.
 */
export function billingRef(dialect: DialectName): Statement[] {
  return dialect === 'mysql' ? MYSQL : SQLITE;
}

const TABLES = [
  ['domain', 'Domain'],
  ['deleted_domain', 'DeletedDomain'],
] as const;

const MYSQL = TABLES.map(
  ([table, name]): Statement => [
    `Add${name}BillingRef`,
    `ALTER TABLE \`${table}\` ADD \`billing_ref\` varchar(128) CHARACTER SET ascii COLLATE ascii_bin NULL`,
  ],
);

const SQLITE = TABLES.map(
  ([table, name]): Statement => [
    `Add${name}BillingRef`,
    `ALTER TABLE "${table}" ADD COLUMN "billing_ref" varchar(128)`,
  ],
);
