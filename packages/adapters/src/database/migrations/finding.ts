import type { DialectName } from '../driver/dialect.js';
import type { Statement } from './step.js';

/**
 * Adds references, and what the filters of lists look in: the suffixes of domain names, and the partner of mailboxes,
 * aliases and verifications. The partner may be null, because processes of the former release insert rows without it.
 */
export function finding(dialect: DialectName): Statement[] {
  return [...(dialect === 'mysql' ? MYSQL : SQLITE), ...FILL];
}

const WITH_PARTNER = ['verification', 'mailbox', 'alias'] as const;
const WITH_REFERENCE = ['domain', 'deleted_domain', 'mailbox', 'deleted_mailbox', 'partner'] as const;

/** `deleted_mailbox` → `DeletedMailbox`. */
function pascal(name: string): string {
  return name.replaceAll(/(^|_)(\w)/g, (_, __, letter: string) => letter.toUpperCase());
}

/** Name, table and columns. */
const INDEXES: [string, string, string[]][] = [
  ['ix_domain_suspension', 'domain', ['suspension_causes', 'partner_id']],
  ['ix_domain_outbound_status', 'domain', ['outbound_status', 'partner_id']],
  ['ix_domain_inbound', 'domain', ['inbound', 'partner_id']],
  ['ix_domain_plan', 'domain', ['plan', 'partner_id']],
  ['ix_domain_external_ref', 'domain', ['external_ref', 'partner_id']],
  ['ix_verification_status', 'verification', ['status', 'partner_id']],
  ['ix_mailbox_partner', 'mailbox', ['partner_id']],
  ['ix_mailbox_partner_email', 'mailbox', ['partner_id', 'email']],
  ['ix_mailbox_active', 'mailbox', ['active', 'partner_id']],
  ['ix_mailbox_external_ref', 'mailbox', ['external_ref', 'partner_id']],
  ['ix_alias_partner', 'alias', ['partner_id']],
  ['ix_alias_partner_address', 'alias', ['partner_id', 'address']],
];

const BOTH_OF = (table: string): string[] => [table, `deleted_${table}`];

const MYSQL_TEXT = 'varchar(128) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NULL';

const MYSQL: Statement[] = [
  ...WITH_REFERENCE.map(
    (table): Statement => [
      `Add${pascal(table)}ExternalRef`,
      `ALTER TABLE \`${table}\` ADD \`external_ref\` ${MYSQL_TEXT}`,
    ],
  ),
  ['AddPartnerName', `ALTER TABLE \`partner\` ADD \`name\` ${MYSQL_TEXT}`],
  ...WITH_PARTNER.flatMap(BOTH_OF).map(
    (table): Statement => [`Add${pascal(table)}PartnerId`, `ALTER TABLE \`${table}\` ADD \`partner_id\` bigint NULL`],
  ),
  [
    'CreateDomainSuffix',
    'CREATE TABLE `domain_suffix` (`partner_id` bigint NOT NULL, `suffix` varchar(253) CHARACTER SET ascii COLLATE ascii_bin NOT NULL, `domain_id` bigint NOT NULL, INDEX `ix_domain_suffix` (`suffix`), INDEX `ix_domain_suffix_domain` (`domain_id`), PRIMARY KEY (`partner_id`, `suffix`, `domain_id`)) ENGINE=InnoDB',
  ],
  [
    'LinkFkDomainSuffixDomain',
    'ALTER TABLE `domain_suffix` ADD CONSTRAINT `fk_domain_suffix_domain` FOREIGN KEY (`domain_id`) REFERENCES `domain`(`id`) ON DELETE CASCADE ON UPDATE NO ACTION',
  ],
  ...INDEXES.map(
    ([name, table, columns]): Statement => [
      `Index${pascal(name)}`,
      `CREATE INDEX \`${name}\` ON \`${table}\` (${columns.map((column) => `\`${column}\``).join(', ')})`,
    ],
  ),
];

const SQLITE: Statement[] = [
  ...WITH_REFERENCE.map(
    (table): Statement => [
      `Add${pascal(table)}ExternalRef`,
      `ALTER TABLE "${table}" ADD COLUMN "external_ref" varchar(128)`,
    ],
  ),
  ['AddPartnerName', 'ALTER TABLE "partner" ADD COLUMN "name" varchar(128)'],
  ...WITH_PARTNER.flatMap(BOTH_OF).map(
    (table): Statement => [`Add${pascal(table)}PartnerId`, `ALTER TABLE "${table}" ADD COLUMN "partner_id" integer`],
  ),
  [
    'CreateDomainSuffix',
    'CREATE TABLE "domain_suffix" ("partner_id" integer NOT NULL, "suffix" varchar(253) NOT NULL, "domain_id" integer NOT NULL, CONSTRAINT "fk_domain_suffix_domain" FOREIGN KEY ("domain_id") REFERENCES "domain" ("id") ON DELETE CASCADE ON UPDATE NO ACTION, PRIMARY KEY ("partner_id", "suffix", "domain_id"))',
  ],
  ['IndexIxDomainSuffix', 'CREATE INDEX "ix_domain_suffix" ON "domain_suffix" ("suffix")'],
  ['IndexIxDomainSuffixDomain', 'CREATE INDEX "ix_domain_suffix_domain" ON "domain_suffix" ("domain_id")'],
  ...INDEXES.map(
    ([name, table, columns]): Statement => [
      `Index${pascal(name)}`,
      `CREATE INDEX "${name}" ON "${table}" (${columns.map((column) => `"${column}"`).join(', ')})`,
    ],
  ),
];

/** Each fills all rows with one statement. 200,000 domains have about 500,000 suffixes. */
const FILL: Statement[] = [
  [
    'FillDomainSuffix',
    `INSERT INTO domain_suffix (partner_id, suffix, domain_id)
     WITH RECURSIVE label (partner_id, suffix, domain_id) AS (
       SELECT partner_id, name, id FROM domain
       UNION ALL
       SELECT partner_id, SUBSTR(suffix, INSTR(suffix, '.') + 1), domain_id FROM label WHERE INSTR(suffix, '.') > 0)
     SELECT partner_id, suffix, domain_id FROM label`,
  ],
  ...WITH_PARTNER.map(
    (table): Statement => [
      `Fill${pascal(table)}PartnerId`,
      `UPDATE ${table} SET partner_id = (SELECT d.partner_id FROM domain d WHERE d.id = ${table}.domain_id)`,
    ],
  ),
];
