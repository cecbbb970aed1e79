import type { Migration, Statement } from './step.js';

/**
 * The JSON of one DKIM record: a CNAME from `<token>._domainkey.<name>` to `<token>.<zone>`. The values need no
 * escaping.
 */
function mysqlRecord(token: string, name: string, zone: string): string {
  return `CONCAT('{"purpose":"dkim","type":"CNAME","name":"', ${token}, '._domainkey.', LOWER(${name}), '","value":"', ${token}, '.', LOWER(${zone}), '"}')`;
}

/** All records of a row `v` with up to three tokens, separated by commas. SES and the sandbox create three. */
function mysqlRecords(name: string): string {
  const tokens = 'v.dkim_tokens';
  const token = (index: number) => `SUBSTRING_INDEX(SUBSTRING_INDEX(${tokens}, ',', ${index}), ',', -1)`;
  const has = (count: number) => `CHAR_LENGTH(${tokens}) - CHAR_LENGTH(REPLACE(${tokens}, ',', '')) >= ${count - 1}`;
  const records = [1, 2, 3].map(
    (index) => `IF(${has(index)}, ${mysqlRecord(token(index), name, 'v.dkim_zone')}, NULL)`,
  );
  return `CONCAT('[', CONCAT_WS(',', ${records.join(', ')}), ']')`;
}

const MYSQL: Statement[] = [
  [
    'AddVerificationDnsRecords',
    'ALTER TABLE `verification` ADD `dns_records` mediumtext CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NULL',
  ],
  [
    'FillVerificationDnsRecords',
    `UPDATE verification v JOIN domain d ON d.id = v.domain_id SET v.dns_records = ${mysqlRecords('d.name')} WHERE v.dkim_tokens <> ''`,
  ],
  ['DefaultVerificationDkimTokens', "ALTER TABLE `verification` ALTER `dkim_tokens` SET DEFAULT ''"],
  ['DefaultVerificationDkimZone', "ALTER TABLE `verification` ALTER `dkim_zone` SET DEFAULT ''"],
  [
    'AddDeletedVerificationDnsRecords',
    'ALTER TABLE `deleted_verification` ADD `dns_records` mediumtext CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NULL',
  ],
  [
    'FillDeletedVerificationDnsRecords',
    `UPDATE deleted_verification v JOIN deleted_domain d ON d.tombstone_id = v.tombstone_id SET v.dns_records = ${mysqlRecords('d.name')} WHERE v.dkim_tokens <> ''`,
  ],
  ['DefaultDeletedVerificationDkimTokens', "ALTER TABLE `deleted_verification` ALTER `dkim_tokens` SET DEFAULT ''"],
  ['DefaultDeletedVerificationDkimZone', "ALTER TABLE `deleted_verification` ALTER `dkim_zone` SET DEFAULT ''"],
];

/** The tokens are split as a JSON list. */
function sqliteRecords(table: string, name: string): string {
  return `(SELECT json_group_array(json_object('purpose', 'dkim', 'type', 'CNAME', 'name', token.value || '._domainkey.' || lower(${name}), 'value', token.value || '.' || lower(${table}.dkim_zone)))
             FROM json_each('["' || replace(${table}.dkim_tokens, ',', '","') || '"]') AS token)`;
}

const SQLITE: Statement[] = [
  ['AddVerificationDnsRecords', 'ALTER TABLE "verification" ADD COLUMN "dns_records" text'],
  [
    'FillVerificationDnsRecords',
    `UPDATE verification SET dns_records = ${sqliteRecords('verification', '(SELECT d.name FROM domain d WHERE d.id = verification.domain_id)')} WHERE dkim_tokens <> ''`,
  ],
  ['DropVerificationDkimTokens', 'ALTER TABLE "verification" DROP COLUMN "dkim_tokens"'],
  ['DropVerificationDkimZone', 'ALTER TABLE "verification" DROP COLUMN "dkim_zone"'],
  ['AddDeletedVerificationDnsRecords', 'ALTER TABLE "deleted_verification" ADD COLUMN "dns_records" text'],
  [
    'FillDeletedVerificationDnsRecords',
    `UPDATE deleted_verification SET dns_records = ${sqliteRecords('deleted_verification', '(SELECT d.name FROM deleted_domain d WHERE d.tombstone_id = deleted_verification.tombstone_id)')} WHERE dkim_tokens <> ''`,
  ],
  ['DropDeletedVerificationDkimTokens', 'ALTER TABLE "deleted_verification" DROP COLUMN "dkim_tokens"'],
  ['DropDeletedVerificationDkimZone', 'ALTER TABLE "deleted_verification" DROP COLUMN "dkim_zone"'],
];

/**
 * Replaces the DKIM tokens and the zone of SES by the DNS records that the relay provider requires.
 *
 * MariaDB and MySQL keep the two old columns, with an empty default, for running processes of the former release. This
 * release neither reads nor writes them. Inserts of the former release leave `dns_records` null. SQLite has one process
 * at a time, so the old columns are dropped there. A later release may drop them everywhere.
 */
export const dnsRecords: Migration['statements'] = [{ mysql: MYSQL, sqlite: SQLITE }];
