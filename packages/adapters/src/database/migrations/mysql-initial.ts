import type { Statement } from './step.js';

/** The first schema, generated from the entity schemas. */
export const mysqlInitial: Statement[] = [
  [
    'CreatePartner',
    'CREATE TABLE `partner` (`id` bigint NOT NULL AUTO_INCREMENT, `ref` varchar(128) CHARACTER SET ascii COLLATE ascii_bin NOT NULL, `domain_count` int NOT NULL, `last_created_at` bigint NOT NULL, UNIQUE INDEX `uq_partner_ref` (`ref`), PRIMARY KEY (`id`)) ENGINE=InnoDB',
  ],
  [
    'CreateApiKey',
    'CREATE TABLE `api_key` (`id` bigint NOT NULL AUTO_INCREMENT, `partner_id` bigint NOT NULL, `token_hash` varchar(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL, `token_mask` varchar(16) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL, `domains_allowed` int NOT NULL, `mailboxes_per_domain` int NOT NULL, `aliases_per_mailbox` int NOT NULL, `active` tinyint NOT NULL, `expires_at` bigint NULL, `created_at` bigint NOT NULL, `last_used_at` bigint NULL, INDEX `ix_api_key_partner` (`partner_id`, `id`), UNIQUE INDEX `uq_api_key_token_hash` (`token_hash`), PRIMARY KEY (`id`)) ENGINE=InnoDB',
  ],
  [
    'CreateDomain',
    'CREATE TABLE `domain` (`id` bigint NOT NULL AUTO_INCREMENT, `name` varchar(253) CHARACTER SET ascii COLLATE ascii_general_ci NOT NULL, `partner_id` bigint NOT NULL, `created_at` bigint NOT NULL, `plan` varchar(16) CHARACTER SET ascii COLLATE ascii_bin NULL, `retention_days` int NOT NULL, `retention_days_before` int NOT NULL, `retention_lowered_at` bigint NULL, `transfer_monthly_mb` int NOT NULL, `suspension_causes` varchar(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL, `outbound_tier` varchar(16) CHARACTER SET ascii COLLATE ascii_bin NULL, `outbound_enforcement` varchar(16) CHARACTER SET ascii COLLATE ascii_bin NULL, `outbound_status` varchar(16) CHARACTER SET ascii COLLATE ascii_bin NOT NULL, `blocked_reason` varchar(32) CHARACTER SET ascii COLLATE ascii_bin NULL, `blocked_at` bigint NULL, `bounce_window_start` bigint NULL, `operator_daily_limit` int NULL, `operator_monthly_limit` int NULL, `client_daily_limit` int NULL, `client_monthly_limit` int NULL, `parent_id` bigint NULL, `wildcard_mode` varchar(8) CHARACTER SET ascii COLLATE ascii_bin NOT NULL, `inherited_until` bigint NULL, `inbound` varchar(8) CHARACTER SET ascii COLLATE ascii_bin NOT NULL, `mailbox_count` int NOT NULL, `alias_count` int NOT NULL, INDEX `ix_domain_partner` (`partner_id`, `id`), INDEX `ix_domain_parent` (`parent_id`), UNIQUE INDEX `uq_domain_name` (`name`), PRIMARY KEY (`id`)) ENGINE=InnoDB',
  ],
  [
    'CreateVerification',
    'CREATE TABLE `verification` (`domain_id` bigint NOT NULL, `status` varchar(16) CHARACTER SET ascii COLLATE ascii_bin NOT NULL, `dkim_status` varchar(32) CHARACTER SET ascii COLLATE ascii_bin NOT NULL, `dkim_tokens` varchar(512) CHARACTER SET ascii COLLATE ascii_bin NOT NULL, `dkim_zone` varchar(253) CHARACTER SET ascii COLLATE ascii_general_ci NOT NULL, `started_at` bigint NULL, `verified_at` bigint NULL, `lost_at` bigint NULL, `last_checked_at` bigint NULL, `last_asked_at` bigint NULL, `last_error` varchar(500) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NULL, `next_check_at` bigint NULL, `check_attempt` int NOT NULL, `ownership_token` varchar(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL, `ownership_required` tinyint NOT NULL, `ownership_seen_at` bigint NULL, INDEX `ix_verification_poll` (`status`, `last_checked_at`), PRIMARY KEY (`domain_id`)) ENGINE=InnoDB',
  ],
  [
    'CreateMailbox',
    'CREATE TABLE `mailbox` (`id` bigint NOT NULL AUTO_INCREMENT, `domain_id` bigint NOT NULL, `email` varchar(254) CHARACTER SET ascii COLLATE ascii_general_ci NOT NULL, `local_part` varchar(64) CHARACTER SET ascii COLLATE ascii_general_ci NOT NULL, `name` varchar(128) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NULL, `password_hash` varchar(255) CHARACTER SET ascii COLLATE ascii_bin NOT NULL, `quota_mb` int NOT NULL, `outbound_daily_limit` int NOT NULL, `active` tinyint NOT NULL, `home` varchar(32) CHARACTER SET ascii COLLATE ascii_bin NOT NULL, `created_at` bigint NOT NULL, INDEX `ix_mailbox_domain` (`domain_id`, `id`), UNIQUE INDEX `uq_mailbox_email` (`email`), PRIMARY KEY (`id`)) ENGINE=InnoDB',
  ],
  [
    'CreateAlias',
    'CREATE TABLE `alias` (`id` bigint NOT NULL AUTO_INCREMENT, `domain_id` bigint NOT NULL, `address` varchar(254) CHARACTER SET ascii COLLATE ascii_general_ci NOT NULL, `destination` varchar(254) CHARACTER SET ascii COLLATE ascii_general_ci NOT NULL, `destination_mailbox_id` bigint NULL, `created_at` bigint NOT NULL, INDEX `ix_alias_domain` (`domain_id`, `id`), INDEX `ix_alias_destination` (`destination`), INDEX `ix_alias_mailbox` (`destination_mailbox_id`), UNIQUE INDEX `uq_alias_address_destination` (`address`, `destination`), PRIMARY KEY (`id`)) ENGINE=InnoDB',
  ],
  [
    'CreateAuditLog',
    'CREATE TABLE `audit_log` (`id` bigint NOT NULL AUTO_INCREMENT, `changed_at` bigint NOT NULL, `actor_kind` varchar(16) CHARACTER SET ascii COLLATE ascii_bin NOT NULL, `actor` varchar(128) CHARACTER SET ascii COLLATE ascii_bin NOT NULL, `action` varchar(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL, `partner_ref` varchar(128) CHARACTER SET ascii COLLATE ascii_bin NULL, `domain` varchar(253) CHARACTER SET ascii COLLATE ascii_general_ci NULL, `subject` varchar(255) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL, `value_before` mediumtext CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NULL, `value_after` mediumtext CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NULL, `request_id` varchar(128) CHARACTER SET ascii COLLATE ascii_bin NULL, INDEX `ix_audit_partner` (`partner_ref`, `id`), INDEX `ix_audit_domain` (`domain`, `id`), INDEX `ix_audit_actor` (`actor`, `id`), PRIMARY KEY (`id`)) ENGINE=InnoDB',
  ],
  [
    'CreateDomainTombstone',
    'CREATE TABLE `domain_tombstone` (`id` bigint NOT NULL AUTO_INCREMENT, `name` varchar(253) CHARACTER SET ascii COLLATE ascii_general_ci NOT NULL, `partner_id` bigint NOT NULL, `deleted_at` bigint NOT NULL, `domain_id` bigint NOT NULL, `suspension_causes` varchar(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL, `outbound_status` varchar(16) CHARACTER SET ascii COLLATE ascii_bin NOT NULL, `blocked_reason` varchar(32) CHARACTER SET ascii COLLATE ascii_bin NULL, `blocked_at` bigint NULL, `bounce_window_start` bigint NULL, INDEX `ix_domain_tombstone_name` (`name`, `deleted_at`), INDEX `ix_domain_tombstone_deleted` (`deleted_at`), PRIMARY KEY (`id`)) ENGINE=InnoDB',
  ],
  [
    'CreateMailboxTombstone',
    'CREATE TABLE `mailbox_tombstone` (`id` bigint NOT NULL AUTO_INCREMENT, `email` varchar(254) CHARACTER SET ascii COLLATE ascii_general_ci NOT NULL, `home` varchar(32) CHARACTER SET ascii COLLATE ascii_bin NOT NULL, `deleted_at` bigint NOT NULL, INDEX `ix_mailbox_tombstone_deleted` (`deleted_at`, `id`), PRIMARY KEY (`id`)) ENGINE=InnoDB',
  ],
  [
    'CreateOutboundTier',
    'CREATE TABLE `outbound_tier` (`tier` varchar(16) CHARACTER SET ascii COLLATE ascii_bin NOT NULL, `daily_limit` int NOT NULL, `monthly_limit` int NOT NULL, PRIMARY KEY (`tier`)) ENGINE=InnoDB',
  ],
  [
    'CreateOutboundCounter',
    'CREATE TABLE `outbound_counter` (`domain_id` bigint NOT NULL, `day` varchar(10) CHARACTER SET ascii COLLATE ascii_bin NOT NULL, `day_epoch` int NOT NULL, `sent_today` int NOT NULL, `month` varchar(7) CHARACTER SET ascii COLLATE ascii_bin NOT NULL, `month_epoch` int NOT NULL, `period_start` bigint NOT NULL, `sent_month` int NOT NULL, `bytes_month` bigint NOT NULL, `bounces_month` int NOT NULL, `complaints_month` int NOT NULL, INDEX `ix_outbound_counter_month` (`month_epoch`, `month`, `domain_id`), INDEX `ix_outbound_counter_day` (`day`, `day_epoch`), PRIMARY KEY (`domain_id`)) ENGINE=InnoDB',
  ],
  [
    'CreateOutboundDay',
    'CREATE TABLE `outbound_day` (`domain_id` bigint NOT NULL, `day` varchar(10) CHARACTER SET ascii COLLATE ascii_bin NOT NULL, `sent` int NOT NULL, `bounces` int NOT NULL, `complaints` int NOT NULL, INDEX `ix_outbound_day_day` (`day`), PRIMARY KEY (`domain_id`, `day`)) ENGINE=InnoDB',
  ],
  [
    'CreateOutboundSender',
    'CREATE TABLE `outbound_sender` (`domain_id` bigint NOT NULL, `day` varchar(10) CHARACTER SET ascii COLLATE ascii_bin NOT NULL, `sender` varchar(254) CHARACTER SET ascii COLLATE ascii_general_ci NOT NULL, `day_epoch` int NOT NULL, `sent` int NOT NULL, INDEX `ix_outbound_sender_day` (`day`), PRIMARY KEY (`domain_id`, `day`, `sender`)) ENGINE=InnoDB',
  ],
  [
    'CreateOutboundIncrement',
    'CREATE TABLE `outbound_increment` (`domain_id` bigint NOT NULL, `id_hash` varchar(32) CHARACTER SET ascii COLLATE ascii_bin NOT NULL, `message_count` int NOT NULL, `verdict` mediumtext CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL, `counted_at` bigint NOT NULL, INDEX `ix_outbound_increment_counted` (`counted_at`), PRIMARY KEY (`domain_id`, `id_hash`)) ENGINE=InnoDB',
  ],
  [
    'CreateOutboundHistory',
    'CREATE TABLE `outbound_history` (`id` bigint NOT NULL AUTO_INCREMENT, `domain_id` bigint NOT NULL, `period_start` bigint NOT NULL, `period_end` bigint NOT NULL, `sent` int NOT NULL, `bytes` bigint NOT NULL, `bounces` int NOT NULL, `complaints` int NOT NULL, INDEX `ix_outbound_history_domain` (`domain_id`, `id`), PRIMARY KEY (`id`)) ENGINE=InnoDB',
  ],
  [
    'CreateOutboundEpoch',
    'CREATE TABLE `outbound_epoch` (`id` int NOT NULL, `day_epoch` int NOT NULL, `month_epoch` int NOT NULL, `month_started_at` bigint NOT NULL, PRIMARY KEY (`id`)) ENGINE=InnoDB',
  ],
  [
    'CreateJob',
    'CREATE TABLE `job` (`id` bigint NOT NULL AUTO_INCREMENT, `name` varchar(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL, `payload` mediumtext CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL, `unique_key` varchar(160) CHARACTER SET ascii COLLATE ascii_bin NULL, `state` varchar(8) CHARACTER SET ascii COLLATE ascii_bin NOT NULL, `run_at` bigint NOT NULL, `leased_by` varchar(64) CHARACTER SET ascii COLLATE ascii_bin NULL, `leased_until` bigint NULL, `attempts` int NOT NULL, `reason` varchar(500) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NULL, `request_id` varchar(128) CHARACTER SET ascii COLLATE ascii_bin NULL, `created_at` bigint NOT NULL, INDEX `ix_job_due` (`state`, `run_at`), INDEX `ix_job_name` (`name`, `state`), UNIQUE INDEX `uq_job_unique_key` (`unique_key`), PRIMARY KEY (`id`)) ENGINE=InnoDB',
  ],
  [
    'CreateJobRun',
    'CREATE TABLE `job_run` (`name` varchar(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL, `period` varchar(32) CHARACTER SET ascii COLLATE ascii_bin NOT NULL, `outcome` varchar(8) CHARACTER SET ascii COLLATE ascii_bin NOT NULL, `started_at` bigint NOT NULL, `ended_at` bigint NULL, `attempts` int NOT NULL, `leased_until` bigint NULL, `reason` varchar(500) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NULL, `counts` mediumtext CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NULL, `resume_after` bigint NOT NULL, INDEX `ix_job_run_outcome` (`outcome`, `name`), PRIMARY KEY (`name`, `period`)) ENGINE=InnoDB',
  ],
  [
    'CreateRelayEvent',
    'CREATE TABLE `relay_event` (`id` bigint NOT NULL AUTO_INCREMENT, `provider_id` varchar(128) CHARACTER SET ascii COLLATE ascii_bin NOT NULL, `event` mediumtext CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL, `received_at` bigint NOT NULL, `processed_at` bigint NULL, `outcome` varchar(32) CHARACTER SET ascii COLLATE ascii_bin NULL, `request_id` varchar(128) CHARACTER SET ascii COLLATE ascii_bin NULL, INDEX `ix_relay_event_pending` (`processed_at`, `id`), INDEX `ix_relay_event_received` (`received_at`), UNIQUE INDEX `uq_relay_event_provider_id` (`provider_id`), PRIMARY KEY (`id`)) ENGINE=InnoDB',
  ],
  [
    'CreateRelayEffect',
    'CREATE TABLE `relay_effect` (`effect_hash` varchar(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL, `counted_at` bigint NOT NULL, INDEX `ix_relay_effect_counted` (`counted_at`), PRIMARY KEY (`effect_hash`)) ENGINE=InnoDB',
  ],
  [
    'CreateNotification',
    'CREATE TABLE `notification` (`id` bigint NOT NULL AUTO_INCREMENT, `notification_id` varchar(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL, `channel` varchar(16) CHARACTER SET ascii COLLATE ascii_bin NOT NULL, `type` varchar(40) CHARACTER SET ascii COLLATE ascii_bin NOT NULL, `happened_at` bigint NOT NULL, `data` mediumtext CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL, `state` varchar(10) CHARACTER SET ascii COLLATE ascii_bin NOT NULL, `attempts` int NOT NULL, `next_attempt_at` bigint NOT NULL, `leased_until` bigint NULL, `reason` varchar(500) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NULL, INDEX `ix_notification_due` (`state`, `next_attempt_at`), UNIQUE INDEX `uq_notification` (`notification_id`, `channel`), PRIMARY KEY (`id`)) ENGINE=InnoDB',
  ],
  [
    'CreateIdempotency',
    'CREATE TABLE `idempotency` (`key_hash` varchar(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL, `body_hmac` varchar(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL, `leased_until` bigint NULL, `status` int NULL, `answer` mediumtext CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NULL, `subject_table` varchar(16) CHARACTER SET ascii COLLATE ascii_bin NULL, `subject_id` bigint NULL, `created_at` bigint NOT NULL, INDEX `ix_idempotency_created` (`created_at`), PRIMARY KEY (`key_hash`)) ENGINE=InnoDB',
  ],
  [
    'CreateInstallation',
    'CREATE TABLE `installation` (`name` varchar(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL, `value` varchar(500) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL, PRIMARY KEY (`name`)) ENGINE=InnoDB',
  ],
  [
    'LinkFkApiKeyPartner',
    'ALTER TABLE `api_key` ADD CONSTRAINT `fk_api_key_partner` FOREIGN KEY (`partner_id`) REFERENCES `partner`(`id`) ON DELETE NO ACTION ON UPDATE NO ACTION',
  ],
  [
    'LinkFkDomainPartner',
    'ALTER TABLE `domain` ADD CONSTRAINT `fk_domain_partner` FOREIGN KEY (`partner_id`) REFERENCES `partner`(`id`) ON DELETE NO ACTION ON UPDATE NO ACTION',
  ],
  [
    'LinkFkDomainParent',
    'ALTER TABLE `domain` ADD CONSTRAINT `fk_domain_parent` FOREIGN KEY (`parent_id`) REFERENCES `domain`(`id`) ON DELETE NO ACTION ON UPDATE NO ACTION',
  ],
  [
    'LinkFkVerificationDomain',
    'ALTER TABLE `verification` ADD CONSTRAINT `fk_verification_domain` FOREIGN KEY (`domain_id`) REFERENCES `domain`(`id`) ON DELETE CASCADE ON UPDATE NO ACTION',
  ],
  [
    'LinkFkMailboxDomain',
    'ALTER TABLE `mailbox` ADD CONSTRAINT `fk_mailbox_domain` FOREIGN KEY (`domain_id`) REFERENCES `domain`(`id`) ON DELETE NO ACTION ON UPDATE NO ACTION',
  ],
  [
    'LinkFkAliasDomain',
    'ALTER TABLE `alias` ADD CONSTRAINT `fk_alias_domain` FOREIGN KEY (`domain_id`) REFERENCES `domain`(`id`) ON DELETE NO ACTION ON UPDATE NO ACTION',
  ],
  [
    'LinkFkAliasMailbox',
    'ALTER TABLE `alias` ADD CONSTRAINT `fk_alias_mailbox` FOREIGN KEY (`destination_mailbox_id`) REFERENCES `mailbox`(`id`) ON DELETE CASCADE ON UPDATE NO ACTION',
  ],
];
