import type { Statement } from './step.js';

const GRACE_MS = 604_800_000;
/** The new tombstone id for a row of `mailbox_tombstone` m: above those of the domains, which keep their ids. */
const MAILBOX_TOMBSTONE_ID = "m.id + (SELECT COALESCE(MAX(d.id), 0) FROM tombstone d WHERE d.kind = 'domain')";

/**
 * Copies the deletions of the former release. It kept neither hashes nor aliases, so they count as erased. Other values
 * that it did not keep are those of a new domain. The partner of a deleted mailbox is unknown (0).
 */
function moveTombstones(localPart: string): Statement[] {
  return [
    [
      'MoveDomainTombstones',
      `INSERT INTO tombstone (id, kind, name, partner_id, actor_kind, actor, deleted_at, expires_at, domain_id, counters_id, mailboxes, aliases, heir_id, other_holder_at, erased_at, mail_removed_at)
       SELECT id, 'domain', name, partner_id, 'system', 'upgrade', deleted_at, deleted_at, domain_id, domain_id, 0, 0, NULL, NULL, deleted_at, deleted_at FROM domain_tombstone`,
    ],
    [
      'MoveDeletedDomains',
      `INSERT INTO deleted_domain (tombstone_id, id, name, partner_id, created_at, plan, retention_days, retention_days_before, retention_lowered_at, transfer_monthly_mb, suspension_causes, outbound_tier, outbound_enforcement, outbound_status, blocked_reason, blocked_at, bounce_window_start, operator_daily_limit, operator_monthly_limit, client_daily_limit, client_monthly_limit, parent_id, wildcard_mode, inherited_until, inbound, mailbox_count, alias_count)
       SELECT id, domain_id, name, partner_id, deleted_at, NULL, 0, 0, NULL, 0, suspension_causes, NULL, NULL, outbound_status, blocked_reason, blocked_at, bounce_window_start, NULL, NULL, NULL, NULL, NULL, 'none', NULL, 'pending', 0, 0 FROM domain_tombstone`,
    ],
    [
      'MoveMailboxTombstones',
      `INSERT INTO tombstone (id, kind, name, partner_id, actor_kind, actor, deleted_at, expires_at, domain_id, counters_id, mailboxes, aliases, heir_id, other_holder_at, erased_at, mail_removed_at)
       SELECT ${MAILBOX_TOMBSTONE_ID}, 'mailbox', m.email, 0, 'system', 'upgrade', m.deleted_at, m.deleted_at + ${GRACE_MS}, 0, NULL, 1, 0, NULL, NULL, m.deleted_at, NULL FROM mailbox_tombstone m`,
    ],
    [
      'MoveDeletedMailboxes',
      `INSERT INTO deleted_mailbox (tombstone_id, id, domain_id, email, local_part, name, password_hash, quota_mb, outbound_daily_limit, active, home, created_at)
       SELECT ${MAILBOX_TOMBSTONE_ID}, m.id, 0, m.email, ${localPart}, NULL, '', 0, 0, 0, m.home, m.deleted_at FROM mailbox_tombstone m`,
    ],
    ['DropDomainTombstone', 'DROP TABLE domain_tombstone'],
    ['DropMailboxTombstone', 'DROP TABLE mailbox_tombstone'],
  ];
}

/** Creates the tables for deleted rows. Their SQL was generated from the entity schemas. */
export const mysqlTombstones: Statement[] = [
  [
    'CreateTombstone',
    'CREATE TABLE `tombstone` (`id` bigint NOT NULL AUTO_INCREMENT, `kind` varchar(8) CHARACTER SET ascii COLLATE ascii_bin NOT NULL, `name` varchar(254) CHARACTER SET ascii COLLATE ascii_general_ci NOT NULL, `partner_id` bigint NOT NULL, `actor_kind` varchar(16) CHARACTER SET ascii COLLATE ascii_bin NOT NULL, `actor` varchar(128) CHARACTER SET ascii COLLATE ascii_bin NOT NULL, `deleted_at` bigint NOT NULL, `expires_at` bigint NOT NULL, `domain_id` bigint NOT NULL, `counters_id` bigint NULL, `mailboxes` int NOT NULL, `aliases` int NOT NULL, `heir_id` bigint NULL, `other_holder_at` bigint NULL, `erased_at` bigint NULL, `mail_removed_at` bigint NULL, INDEX `ix_tombstone_name` (`name`, `deleted_at`), INDEX `ix_tombstone_name_partner` (`name`, `partner_id`, `deleted_at`), INDEX `ix_tombstone_partner` (`partner_id`, `id`), INDEX `ix_tombstone_domain` (`domain_id`), INDEX `ix_tombstone_erasure` (`erased_at`, `expires_at`), INDEX `ix_tombstone_mail` (`mail_removed_at`, `id`), INDEX `ix_tombstone_deleted` (`deleted_at`), PRIMARY KEY (`id`)) ENGINE=InnoDB',
  ],
  [
    'CreateDeletedDomain',
    'CREATE TABLE `deleted_domain` (`tombstone_id` bigint NOT NULL, `id` bigint NOT NULL, `name` varchar(253) CHARACTER SET ascii COLLATE ascii_general_ci NOT NULL, `partner_id` bigint NOT NULL, `created_at` bigint NOT NULL, `plan` varchar(16) CHARACTER SET ascii COLLATE ascii_bin NULL, `retention_days` int NOT NULL, `retention_days_before` int NOT NULL, `retention_lowered_at` bigint NULL, `transfer_monthly_mb` int NOT NULL, `suspension_causes` varchar(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL, `outbound_tier` varchar(16) CHARACTER SET ascii COLLATE ascii_bin NULL, `outbound_enforcement` varchar(16) CHARACTER SET ascii COLLATE ascii_bin NULL, `outbound_status` varchar(16) CHARACTER SET ascii COLLATE ascii_bin NOT NULL, `blocked_reason` varchar(32) CHARACTER SET ascii COLLATE ascii_bin NULL, `blocked_at` bigint NULL, `bounce_window_start` bigint NULL, `operator_daily_limit` int NULL, `operator_monthly_limit` int NULL, `client_daily_limit` int NULL, `client_monthly_limit` int NULL, `parent_id` bigint NULL, `wildcard_mode` varchar(8) CHARACTER SET ascii COLLATE ascii_bin NOT NULL, `inherited_until` bigint NULL, `inbound` varchar(8) CHARACTER SET ascii COLLATE ascii_bin NOT NULL, `mailbox_count` int NOT NULL, `alias_count` int NOT NULL, PRIMARY KEY (`tombstone_id`)) ENGINE=InnoDB',
  ],
  [
    'CreateDeletedVerification',
    'CREATE TABLE `deleted_verification` (`tombstone_id` bigint NOT NULL, `domain_id` bigint NOT NULL, `status` varchar(16) CHARACTER SET ascii COLLATE ascii_bin NOT NULL, `dkim_status` varchar(32) CHARACTER SET ascii COLLATE ascii_bin NOT NULL, `dkim_tokens` varchar(512) CHARACTER SET ascii COLLATE ascii_bin NOT NULL, `dkim_zone` varchar(253) CHARACTER SET ascii COLLATE ascii_general_ci NOT NULL, `started_at` bigint NULL, `verified_at` bigint NULL, `lost_at` bigint NULL, `last_checked_at` bigint NULL, `last_asked_at` bigint NULL, `last_error` varchar(500) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NULL, `next_check_at` bigint NULL, `check_attempt` int NOT NULL, `ownership_token` varchar(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL, `ownership_required` tinyint NOT NULL, `ownership_seen_at` bigint NULL, PRIMARY KEY (`tombstone_id`)) ENGINE=InnoDB',
  ],
  [
    'CreateDeletedMailbox',
    'CREATE TABLE `deleted_mailbox` (`tombstone_id` bigint NOT NULL, `id` bigint NOT NULL, `domain_id` bigint NOT NULL, `email` varchar(254) CHARACTER SET ascii COLLATE ascii_general_ci NOT NULL, `local_part` varchar(64) CHARACTER SET ascii COLLATE ascii_general_ci NOT NULL, `name` varchar(128) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NULL, `password_hash` varchar(255) CHARACTER SET ascii COLLATE ascii_bin NOT NULL, `quota_mb` int NOT NULL, `outbound_daily_limit` int NOT NULL, `active` tinyint NOT NULL, `home` varchar(32) CHARACTER SET ascii COLLATE ascii_bin NOT NULL, `created_at` bigint NOT NULL, INDEX `ix_deleted_mailbox_email` (`email`), PRIMARY KEY (`tombstone_id`, `id`)) ENGINE=InnoDB',
  ],
  [
    'CreateDeletedAlias',
    'CREATE TABLE `deleted_alias` (`tombstone_id` bigint NOT NULL, `id` bigint NOT NULL, `domain_id` bigint NOT NULL, `address` varchar(254) CHARACTER SET ascii COLLATE ascii_general_ci NOT NULL, `destination` varchar(254) CHARACTER SET ascii COLLATE ascii_general_ci NOT NULL, `destination_mailbox_id` bigint NULL, `created_at` bigint NOT NULL, PRIMARY KEY (`tombstone_id`, `id`)) ENGINE=InnoDB',
  ],
  ...moveTombstones("SUBSTRING_INDEX(m.email, '@', 1)"),
];

export const sqliteTombstones: Statement[] = [
  [
    'CreateTombstone',
    'CREATE TABLE "tombstone" ("id" integer PRIMARY KEY AUTOINCREMENT NOT NULL, "kind" varchar(8) NOT NULL, "name" varchar(254) NOT NULL, "partner_id" integer NOT NULL, "actor_kind" varchar(16) NOT NULL, "actor" varchar(128) NOT NULL, "deleted_at" integer NOT NULL, "expires_at" integer NOT NULL, "domain_id" integer NOT NULL, "counters_id" integer, "mailboxes" integer NOT NULL, "aliases" integer NOT NULL, "heir_id" integer, "other_holder_at" integer, "erased_at" integer, "mail_removed_at" integer)',
  ],
  ['IndexIxTombstoneName', 'CREATE INDEX "ix_tombstone_name" ON "tombstone" ("name", "deleted_at")'],
  [
    'IndexIxTombstoneNamePartner',
    'CREATE INDEX "ix_tombstone_name_partner" ON "tombstone" ("name", "partner_id", "deleted_at")',
  ],
  ['IndexIxTombstonePartner', 'CREATE INDEX "ix_tombstone_partner" ON "tombstone" ("partner_id", "id")'],
  ['IndexIxTombstoneDomain', 'CREATE INDEX "ix_tombstone_domain" ON "tombstone" ("domain_id")'],
  ['IndexIxTombstoneErasure', 'CREATE INDEX "ix_tombstone_erasure" ON "tombstone" ("erased_at", "expires_at")'],
  ['IndexIxTombstoneMail', 'CREATE INDEX "ix_tombstone_mail" ON "tombstone" ("mail_removed_at", "id")'],
  ['IndexIxTombstoneDeleted', 'CREATE INDEX "ix_tombstone_deleted" ON "tombstone" ("deleted_at")'],
  [
    'CreateDeletedDomain',
    'CREATE TABLE "deleted_domain" ("tombstone_id" integer PRIMARY KEY NOT NULL, "id" integer NOT NULL, "name" varchar(253) NOT NULL, "partner_id" integer NOT NULL, "created_at" integer NOT NULL, "plan" varchar(16), "retention_days" integer NOT NULL, "retention_days_before" integer NOT NULL, "retention_lowered_at" integer, "transfer_monthly_mb" integer NOT NULL, "suspension_causes" varchar(64) NOT NULL, "outbound_tier" varchar(16), "outbound_enforcement" varchar(16), "outbound_status" varchar(16) NOT NULL, "blocked_reason" varchar(32), "blocked_at" integer, "bounce_window_start" integer, "operator_daily_limit" integer, "operator_monthly_limit" integer, "client_daily_limit" integer, "client_monthly_limit" integer, "parent_id" integer, "wildcard_mode" varchar(8) NOT NULL, "inherited_until" integer, "inbound" varchar(8) NOT NULL, "mailbox_count" integer NOT NULL, "alias_count" integer NOT NULL)',
  ],
  [
    'CreateDeletedVerification',
    'CREATE TABLE "deleted_verification" ("tombstone_id" integer PRIMARY KEY NOT NULL, "domain_id" integer NOT NULL, "status" varchar(16) NOT NULL, "dkim_status" varchar(32) NOT NULL, "dkim_tokens" varchar(512) NOT NULL, "dkim_zone" varchar(253) NOT NULL, "started_at" integer, "verified_at" integer, "lost_at" integer, "last_checked_at" integer, "last_asked_at" integer, "last_error" varchar(500), "next_check_at" integer, "check_attempt" integer NOT NULL, "ownership_token" varchar(64) NOT NULL, "ownership_required" integer NOT NULL, "ownership_seen_at" integer)',
  ],
  [
    'CreateDeletedMailbox',
    'CREATE TABLE "deleted_mailbox" ("tombstone_id" integer NOT NULL, "id" integer NOT NULL, "domain_id" integer NOT NULL, "email" varchar(254) NOT NULL, "local_part" varchar(64) NOT NULL, "name" varchar(128), "password_hash" varchar(255) NOT NULL, "quota_mb" integer NOT NULL, "outbound_daily_limit" integer NOT NULL, "active" integer NOT NULL, "home" varchar(32) NOT NULL, "created_at" integer NOT NULL, PRIMARY KEY ("tombstone_id", "id"))',
  ],
  ['IndexIxDeletedMailboxEmail', 'CREATE INDEX "ix_deleted_mailbox_email" ON "deleted_mailbox" ("email")'],
  [
    'CreateDeletedAlias',
    'CREATE TABLE "deleted_alias" ("tombstone_id" integer NOT NULL, "id" integer NOT NULL, "domain_id" integer NOT NULL, "address" varchar(254) NOT NULL, "destination" varchar(254) NOT NULL, "destination_mailbox_id" integer, "created_at" integer NOT NULL, PRIMARY KEY ("tombstone_id", "id"))',
  ],
  ...moveTombstones("substr(m.email, 1, instr(m.email, '@') - 1)"),
];
