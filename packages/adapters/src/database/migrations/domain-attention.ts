import type { Migration, Statement } from './step.js';

const MYSQL: Statement[] = [
  [
    'CreateDomainAttention',
    'CREATE TABLE `domain_attention` (`domain_id` bigint NOT NULL, `reason` varchar(16) CHARACTER SET ascii COLLATE ascii_bin NOT NULL, `partner_id` bigint NOT NULL, `period` varchar(24) CHARACTER SET ascii COLLATE ascii_bin NOT NULL, INDEX `ix_domain_attention` (`partner_id`, `domain_id`), PRIMARY KEY (`domain_id`, `reason`)) ENGINE=InnoDB',
  ],
];

const SQLITE: Statement[] = [
  [
    'CreateDomainAttention',
    'CREATE TABLE "domain_attention" ("domain_id" integer NOT NULL, "reason" varchar(16) NOT NULL, "partner_id" integer NOT NULL, "period" varchar(24) NOT NULL, PRIMARY KEY ("domain_id", "reason"))',
  ],
  ['IndexIxDomainAttention', 'CREATE INDEX "ix_domain_attention" ON "domain_attention" ("partner_id", "domain_id")'],
];

function fill(name: string, reason: string, condition: string): Statement {
  return [
    `Fill${name}DomainAttention`,
    `INSERT INTO domain_attention (domain_id, reason, partner_id, period) SELECT id, ${reason}, partner_id, '' FROM domain WHERE ${condition}`,
  ];
}

/** Adds the domains that need attention. The sweep adds those that are not verified for a day. */
export const domainAttention: Migration['statements'] = [
  { mysql: MYSQL, sqlite: SQLITE },
  fill('Suspended', "'suspended'", "suspension_causes <> ''"),
  fill('Blocked', "'blocked'", "outbound_status = 'blocked'"),
];
