import { addColumn, addIndex, ref, text } from './alterations.js';
import type { Migration, Statement } from './step.js';

const WITH_PARTNER = [
  ['verification', 'Verification'],
  ['mailbox', 'Mailbox'],
  ['alias', 'Alias'],
] as const;
const WITH_REFERENCE = ['domain', 'deleted_domain', 'mailbox', 'deleted_mailbox', 'partner'];

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
    ([table, name]): Statement => [
      `Fill${name}PartnerId`,
      `UPDATE ${table} SET partner_id = (SELECT d.partner_id FROM domain d WHERE d.id = ${table}.domain_id)`,
    ],
  ),
];

const MYSQL: Statement[] = [
  [
    'CreateDomainSuffix',
    'CREATE TABLE `domain_suffix` (`partner_id` bigint NOT NULL, `suffix` varchar(253) CHARACTER SET ascii COLLATE ascii_bin NOT NULL, `domain_id` bigint NOT NULL, INDEX `ix_domain_suffix` (`suffix`), INDEX `ix_domain_suffix_domain` (`domain_id`), PRIMARY KEY (`partner_id`, `suffix`, `domain_id`)) ENGINE=InnoDB',
  ],
  [
    'LinkFkDomainSuffixDomain',
    'ALTER TABLE `domain_suffix` ADD CONSTRAINT `fk_domain_suffix_domain` FOREIGN KEY (`domain_id`) REFERENCES `domain`(`id`) ON DELETE CASCADE ON UPDATE NO ACTION',
  ],
];

const SQLITE: Statement[] = [
  [
    'CreateDomainSuffix',
    'CREATE TABLE "domain_suffix" ("partner_id" integer NOT NULL, "suffix" varchar(253) NOT NULL, "domain_id" integer NOT NULL, CONSTRAINT "fk_domain_suffix_domain" FOREIGN KEY ("domain_id") REFERENCES "domain" ("id") ON DELETE CASCADE ON UPDATE NO ACTION, PRIMARY KEY ("partner_id", "suffix", "domain_id"))',
  ],
  ['IndexIxDomainSuffix', 'CREATE INDEX "ix_domain_suffix" ON "domain_suffix" ("suffix")'],
  ['IndexIxDomainSuffixDomain', 'CREATE INDEX "ix_domain_suffix_domain" ON "domain_suffix" ("domain_id")'],
];

/**
 * Adds references, and what the filters of lists look in: the suffixes of domain names, and the partner of mailboxes,
 * aliases and verifications. The partner may be null, because processes of the former release insert rows without it.
 */
export const finding: Migration['statements'] = [
  ...WITH_REFERENCE.map((table) => addColumn(table, 'external_ref', text(128))),
  addColumn('partner', 'name', text(128)),
  ...WITH_PARTNER.flatMap(([table]) => [
    addColumn(table, 'partner_id', ref()),
    addColumn(`deleted_${table}`, 'partner_id', ref()),
  ]),
  { mysql: MYSQL, sqlite: SQLITE },
  addIndex('ix_domain_suspension', 'domain', ['suspension_causes', 'partner_id']),
  addIndex('ix_domain_outbound_status', 'domain', ['outbound_status', 'partner_id']),
  addIndex('ix_domain_inbound', 'domain', ['inbound', 'partner_id']),
  addIndex('ix_domain_plan', 'domain', ['plan', 'partner_id']),
  addIndex('ix_domain_external_ref', 'domain', ['external_ref', 'partner_id']),
  addIndex('ix_verification_status', 'verification', ['status', 'partner_id']),
  addIndex('ix_mailbox_partner', 'mailbox', ['partner_id']),
  addIndex('ix_mailbox_partner_email', 'mailbox', ['partner_id', 'email']),
  addIndex('ix_mailbox_active', 'mailbox', ['active', 'partner_id']),
  addIndex('ix_mailbox_external_ref', 'mailbox', ['external_ref', 'partner_id']),
  addIndex('ix_alias_partner', 'alias', ['partner_id']),
  addIndex('ix_alias_partner_address', 'alias', ['partner_id', 'address']),
  ...FILL,
];
