-- The schema of release 5.2.0, up to the step DropIxWebhookAttemptAt1772324076001. Written by `npm run schema`.

CREATE TABLE IF NOT EXISTS `migration` (
  `id` int(11) NOT NULL AUTO_INCREMENT,
  `timestamp` bigint(20) NOT NULL,
  `name` varchar(255) NOT NULL,
  PRIMARY KEY (`id`)
) ENGINE=InnoDB;

CREATE TABLE `alias` (
  `id` bigint(20) NOT NULL AUTO_INCREMENT,
  `domain_id` bigint(20) NOT NULL,
  `address` varchar(254) CHARACTER SET ascii COLLATE ascii_general_ci NOT NULL,
  `destination` varchar(254) CHARACTER SET ascii COLLATE ascii_general_ci NOT NULL,
  `destination_mailbox_id` bigint(20) DEFAULT NULL,
  `created_at` bigint(20) NOT NULL,
  `partner_id` bigint(20) DEFAULT NULL,
  `restored_at` bigint(20) DEFAULT NULL,
  PRIMARY KEY (`id`),
  UNIQUE KEY `uq_alias_address_destination` (`address`,`destination`),
  KEY `ix_alias_domain` (`domain_id`,`id`),
  KEY `ix_alias_destination` (`destination`),
  KEY `ix_alias_mailbox` (`destination_mailbox_id`),
  KEY `ix_alias_partner` (`partner_id`),
  KEY `ix_alias_partner_address` (`partner_id`,`address`),
  CONSTRAINT `fk_alias_domain` FOREIGN KEY (`domain_id`) REFERENCES `domain` (`id`) ON DELETE NO ACTION ON UPDATE NO ACTION,
  CONSTRAINT `fk_alias_mailbox` FOREIGN KEY (`destination_mailbox_id`) REFERENCES `mailbox` (`id`) ON DELETE CASCADE ON UPDATE NO ACTION
) ENGINE=InnoDB;

CREATE TABLE `api_key` (
  `id` bigint(20) NOT NULL AUTO_INCREMENT,
  `partner_id` bigint(20) NOT NULL,
  `token_hash` varchar(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `token_mask` varchar(16) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  `domains_allowed` int(11) NOT NULL,
  `mailboxes_per_domain` int(11) NOT NULL,
  `aliases_per_mailbox` int(11) NOT NULL,
  `active` tinyint(4) NOT NULL,
  `expires_at` bigint(20) DEFAULT NULL,
  `created_at` bigint(20) NOT NULL,
  `last_used_at` bigint(20) DEFAULT NULL,
  `name` varchar(128) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin DEFAULT NULL,
  `scope` varchar(8) CHARACTER SET ascii COLLATE ascii_bin NOT NULL DEFAULT 'manage',
  `is_limited` tinyint(4) NOT NULL DEFAULT 0,
  `maker_id` bigint(20) DEFAULT NULL,
  `successor_id` bigint(20) DEFAULT NULL,
  `revision` int(11) NOT NULL DEFAULT 1,
  PRIMARY KEY (`id`),
  UNIQUE KEY `uq_api_key_token_hash` (`token_hash`),
  KEY `ix_api_key_partner` (`partner_id`,`id`),
  KEY `ix_api_key_maker` (`maker_id`),
  KEY `ix_api_key_name` (`name`),
  CONSTRAINT `fk_api_key_partner` FOREIGN KEY (`partner_id`) REFERENCES `partner` (`id`) ON DELETE NO ACTION ON UPDATE NO ACTION
) ENGINE=InnoDB;

CREATE TABLE `api_key_domain` (
  `key_id` bigint(20) NOT NULL,
  `domain_id` bigint(20) NOT NULL,
  PRIMARY KEY (`key_id`,`domain_id`),
  KEY `ix_api_key_domain_domain` (`domain_id`),
  CONSTRAINT `fk_api_key_domain_domain` FOREIGN KEY (`domain_id`) REFERENCES `domain` (`id`) ON DELETE CASCADE ON UPDATE NO ACTION,
  CONSTRAINT `fk_api_key_domain_key` FOREIGN KEY (`key_id`) REFERENCES `api_key` (`id`) ON DELETE CASCADE ON UPDATE NO ACTION
) ENGINE=InnoDB;

CREATE TABLE `audit_log` (
  `id` bigint(20) NOT NULL AUTO_INCREMENT,
  `changed_at` bigint(20) NOT NULL,
  `actor_kind` varchar(16) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `actor` varchar(128) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `action` varchar(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `partner_ref` varchar(128) CHARACTER SET ascii COLLATE ascii_bin DEFAULT NULL,
  `domain` varchar(253) CHARACTER SET ascii COLLATE ascii_general_ci DEFAULT NULL,
  `subject` varchar(255) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  `value_before` mediumtext CHARACTER SET utf8mb4 COLLATE utf8mb4_bin DEFAULT NULL,
  `value_after` mediumtext CHARACTER SET utf8mb4 COLLATE utf8mb4_bin DEFAULT NULL,
  `request_id` varchar(128) CHARACTER SET ascii COLLATE ascii_bin DEFAULT NULL,
  `request_uid` varchar(36) CHARACTER SET ascii COLLATE ascii_bin DEFAULT NULL,
  `partner_id` bigint(20) DEFAULT NULL,
  `domain_id` bigint(20) DEFAULT NULL,
  `event_type` varchar(64) CHARACTER SET ascii COLLATE ascii_bin DEFAULT NULL,
  `position` bigint(20) DEFAULT NULL,
  PRIMARY KEY (`id`),
  UNIQUE KEY `ix_audit_position` (`position`),
  KEY `ix_audit_partner` (`partner_ref`,`id`),
  KEY `ix_audit_domain` (`domain`,`id`),
  KEY `ix_audit_actor` (`actor`,`id`),
  KEY `ix_audit_partner_position` (`partner_id`,`position`),
  KEY `ix_audit_domain_position` (`domain`,`position`)
) ENGINE=InnoDB;

CREATE TABLE `bounce` (
  `id` bigint(20) NOT NULL AUTO_INCREMENT,
  `domain_id` bigint(20) NOT NULL,
  `partner_id` bigint(20) NOT NULL,
  `at` bigint(20) NOT NULL,
  `kind` varchar(16) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `recipient` varchar(320) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  `sender` varchar(320) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin DEFAULT NULL,
  `subtype` varchar(64) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin DEFAULT NULL,
  `diagnostic` varchar(500) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin DEFAULT NULL,
  `message_id` varchar(200) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  PRIMARY KEY (`id`),
  KEY `ix_bounce_domain` (`domain_id`,`partner_id`,`id`),
  KEY `ix_bounce_at` (`at`)
) ENGINE=InnoDB;

CREATE TABLE `database_writer` (
  `process_id` varchar(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `node_name` varchar(255) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  `node_address` varchar(255) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  `process` varchar(300) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  `first_seen_at` bigint(20) NOT NULL,
  `seen_at` bigint(20) NOT NULL,
  PRIMARY KEY (`process_id`,`node_name`,`node_address`),
  KEY `ix_database_writer_seen` (`seen_at`)
) ENGINE=InnoDB;

CREATE TABLE `deleted_alias` (
  `tombstone_id` bigint(20) NOT NULL,
  `id` bigint(20) NOT NULL,
  `domain_id` bigint(20) NOT NULL,
  `address` varchar(254) CHARACTER SET ascii COLLATE ascii_general_ci NOT NULL,
  `destination` varchar(254) CHARACTER SET ascii COLLATE ascii_general_ci NOT NULL,
  `destination_mailbox_id` bigint(20) DEFAULT NULL,
  `created_at` bigint(20) NOT NULL,
  `partner_id` bigint(20) DEFAULT NULL,
  `restored_at` bigint(20) DEFAULT NULL,
  PRIMARY KEY (`tombstone_id`,`id`)
) ENGINE=InnoDB;

CREATE TABLE `deleted_domain` (
  `tombstone_id` bigint(20) NOT NULL,
  `id` bigint(20) NOT NULL,
  `name` varchar(253) CHARACTER SET ascii COLLATE ascii_general_ci NOT NULL,
  `partner_id` bigint(20) NOT NULL,
  `created_at` bigint(20) NOT NULL,
  `plan` varchar(16) CHARACTER SET ascii COLLATE ascii_bin DEFAULT NULL,
  `retention_days` int(11) NOT NULL,
  `retention_days_before` int(11) NOT NULL,
  `retention_lowered_at` bigint(20) DEFAULT NULL,
  `transfer_monthly_mb` int(11) NOT NULL,
  `suspension_causes` varchar(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `outbound_tier` varchar(16) CHARACTER SET ascii COLLATE ascii_bin DEFAULT NULL,
  `outbound_enforcement` varchar(16) CHARACTER SET ascii COLLATE ascii_bin DEFAULT NULL,
  `outbound_status` varchar(16) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `blocked_reason` varchar(32) CHARACTER SET ascii COLLATE ascii_bin DEFAULT NULL,
  `blocked_at` bigint(20) DEFAULT NULL,
  `bounce_window_start` bigint(20) DEFAULT NULL,
  `operator_daily_limit` int(11) DEFAULT NULL,
  `operator_monthly_limit` int(11) DEFAULT NULL,
  `client_daily_limit` int(11) DEFAULT NULL,
  `client_monthly_limit` int(11) DEFAULT NULL,
  `parent_id` bigint(20) DEFAULT NULL,
  `wildcard_mode` varchar(8) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `inherited_until` bigint(20) DEFAULT NULL,
  `inbound` varchar(8) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `mailbox_count` int(11) NOT NULL,
  `alias_count` int(11) NOT NULL,
  `retention_lowerings` mediumtext CHARACTER SET utf8mb4 COLLATE utf8mb4_bin DEFAULT NULL,
  `retention_reminder_at` bigint(20) DEFAULT NULL,
  `pending_since` bigint(20) DEFAULT NULL,
  `expiry_notified_at` bigint(20) DEFAULT NULL,
  `external_ref` varchar(128) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin DEFAULT NULL,
  `held_since` bigint(20) DEFAULT NULL,
  `temporary_daily_limit` int(11) DEFAULT NULL,
  `temporary_monthly_limit` int(11) DEFAULT NULL,
  `temporary_limits_until` bigint(20) DEFAULT NULL,
  `restored_at` bigint(20) DEFAULT NULL,
  `billing_ref` varchar(128) CHARACTER SET ascii COLLATE ascii_bin DEFAULT NULL,
  `usage_day` varchar(10) CHARACTER SET ascii COLLATE ascii_bin DEFAULT NULL,
  `usage_mailboxes` int(11) NOT NULL DEFAULT 0,
  `external_senders` varchar(8) CHARACTER SET ascii COLLATE ascii_bin NOT NULL DEFAULT 'allow',
  `stop_messages` mediumtext CHARACTER SET utf8mb4 COLLATE utf8mb4_bin DEFAULT NULL,
  `revision` int(11) NOT NULL DEFAULT 1,
  PRIMARY KEY (`tombstone_id`)
) ENGINE=InnoDB;

CREATE TABLE `deleted_mailbox` (
  `tombstone_id` bigint(20) NOT NULL,
  `id` bigint(20) NOT NULL,
  `domain_id` bigint(20) NOT NULL,
  `email` varchar(254) CHARACTER SET ascii COLLATE ascii_general_ci NOT NULL,
  `local_part` varchar(64) CHARACTER SET ascii COLLATE ascii_general_ci NOT NULL,
  `name` varchar(128) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin DEFAULT NULL,
  `password_hash` varchar(255) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `quota_mb` int(11) NOT NULL,
  `outbound_daily_limit` int(11) NOT NULL,
  `active` tinyint(4) NOT NULL,
  `home` varchar(32) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `created_at` bigint(20) NOT NULL,
  `external_ref` varchar(128) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin DEFAULT NULL,
  `partner_id` bigint(20) DEFAULT NULL,
  `restored_at` bigint(20) DEFAULT NULL,
  `revoked_at` bigint(20) DEFAULT NULL,
  `revision` int(11) NOT NULL DEFAULT 1,
  PRIMARY KEY (`tombstone_id`,`id`),
  KEY `ix_deleted_mailbox_email` (`email`)
) ENGINE=InnoDB;

CREATE TABLE `deleted_verification` (
  `tombstone_id` bigint(20) NOT NULL,
  `domain_id` bigint(20) NOT NULL,
  `status` varchar(16) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `dkim_status` varchar(32) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `dkim_tokens` varchar(512) CHARACTER SET ascii COLLATE ascii_bin NOT NULL DEFAULT '',
  `dkim_zone` varchar(253) CHARACTER SET ascii COLLATE ascii_general_ci NOT NULL DEFAULT '',
  `started_at` bigint(20) DEFAULT NULL,
  `verified_at` bigint(20) DEFAULT NULL,
  `lost_at` bigint(20) DEFAULT NULL,
  `last_checked_at` bigint(20) DEFAULT NULL,
  `last_asked_at` bigint(20) DEFAULT NULL,
  `last_error` varchar(500) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin DEFAULT NULL,
  `next_check_at` bigint(20) DEFAULT NULL,
  `check_attempt` int(11) NOT NULL,
  `ownership_token` varchar(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `ownership_required` tinyint(4) NOT NULL,
  `ownership_seen_at` bigint(20) DEFAULT NULL,
  `dns_records` mediumtext CHARACTER SET utf8mb4 COLLATE utf8mb4_bin DEFAULT NULL,
  `partner_id` bigint(20) DEFAULT NULL,
  `configuration_set` varchar(64) CHARACTER SET ascii COLLATE ascii_bin DEFAULT NULL,
  `align_at` bigint(20) DEFAULT NULL,
  `at_risk_since` bigint(20) DEFAULT NULL,
  `at_risk_announced_at` bigint(20) DEFAULT NULL,
  `tenant_partner_id` bigint(20) DEFAULT NULL,
  PRIMARY KEY (`tombstone_id`)
) ENGINE=InnoDB;

CREATE TABLE `dns_look` (
  `domain_id` bigint(20) NOT NULL,
  `partner_id` bigint(20) NOT NULL,
  `due_at` bigint(20) NOT NULL,
  `lacks` varchar(32) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `suspected` varchar(32) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `suspected_at` bigint(20) DEFAULT NULL,
  `hold` varchar(8) CHARACTER SET ascii COLLATE ascii_bin DEFAULT NULL,
  PRIMARY KEY (`domain_id`),
  KEY `ix_dns_look_due` (`partner_id`,`due_at`),
  KEY `ix_dns_look_hold` (`hold`),
  CONSTRAINT `fk_dns_look_domain` FOREIGN KEY (`domain_id`) REFERENCES `domain` (`id`) ON DELETE CASCADE ON UPDATE NO ACTION
) ENGINE=InnoDB;

CREATE TABLE `dns_look_state` (
  `id` int(11) NOT NULL,
  `day` varchar(10) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `new_lacks` int(11) NOT NULL,
  `round` varchar(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `round_until` bigint(20) NOT NULL,
  `problem` varchar(500) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin DEFAULT NULL,
  PRIMARY KEY (`id`)
) ENGINE=InnoDB;

CREATE TABLE `domain` (
  `id` bigint(20) NOT NULL AUTO_INCREMENT,
  `name` varchar(253) CHARACTER SET ascii COLLATE ascii_general_ci NOT NULL,
  `partner_id` bigint(20) NOT NULL,
  `created_at` bigint(20) NOT NULL,
  `plan` varchar(16) CHARACTER SET ascii COLLATE ascii_bin DEFAULT NULL,
  `retention_days` int(11) NOT NULL,
  `retention_days_before` int(11) NOT NULL,
  `retention_lowered_at` bigint(20) DEFAULT NULL,
  `transfer_monthly_mb` int(11) NOT NULL,
  `suspension_causes` varchar(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `outbound_tier` varchar(16) CHARACTER SET ascii COLLATE ascii_bin DEFAULT NULL,
  `outbound_enforcement` varchar(16) CHARACTER SET ascii COLLATE ascii_bin DEFAULT NULL,
  `outbound_status` varchar(16) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `blocked_reason` varchar(32) CHARACTER SET ascii COLLATE ascii_bin DEFAULT NULL,
  `blocked_at` bigint(20) DEFAULT NULL,
  `bounce_window_start` bigint(20) DEFAULT NULL,
  `operator_daily_limit` int(11) DEFAULT NULL,
  `operator_monthly_limit` int(11) DEFAULT NULL,
  `client_daily_limit` int(11) DEFAULT NULL,
  `client_monthly_limit` int(11) DEFAULT NULL,
  `parent_id` bigint(20) DEFAULT NULL,
  `wildcard_mode` varchar(8) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `inherited_until` bigint(20) DEFAULT NULL,
  `inbound` varchar(8) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `mailbox_count` int(11) NOT NULL,
  `alias_count` int(11) NOT NULL,
  `retention_lowerings` mediumtext CHARACTER SET utf8mb4 COLLATE utf8mb4_bin DEFAULT NULL,
  `retention_reminder_at` bigint(20) DEFAULT NULL,
  `pending_since` bigint(20) DEFAULT NULL,
  `expiry_notified_at` bigint(20) DEFAULT NULL,
  `external_ref` varchar(128) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin DEFAULT NULL,
  `held_since` bigint(20) DEFAULT NULL,
  `temporary_daily_limit` int(11) DEFAULT NULL,
  `temporary_monthly_limit` int(11) DEFAULT NULL,
  `temporary_limits_until` bigint(20) DEFAULT NULL,
  `restored_at` bigint(20) DEFAULT NULL,
  `billing_ref` varchar(128) CHARACTER SET ascii COLLATE ascii_bin DEFAULT NULL,
  `usage_day` varchar(10) CHARACTER SET ascii COLLATE ascii_bin DEFAULT NULL,
  `usage_mailboxes` int(11) NOT NULL DEFAULT 0,
  `external_senders` varchar(8) CHARACTER SET ascii COLLATE ascii_bin NOT NULL DEFAULT 'allow',
  `stop_messages` mediumtext CHARACTER SET utf8mb4 COLLATE utf8mb4_bin DEFAULT NULL,
  `revision` int(11) NOT NULL DEFAULT 1,
  PRIMARY KEY (`id`),
  UNIQUE KEY `uq_domain_name` (`name`),
  KEY `ix_domain_partner` (`partner_id`,`id`),
  KEY `ix_domain_parent` (`parent_id`),
  KEY `ix_domain_pending_since` (`pending_since`),
  KEY `ix_domain_retention_reminder` (`retention_reminder_at`),
  KEY `ix_domain_partner_counts` (`partner_id`,`mailbox_count`,`alias_count`),
  KEY `ix_domain_suspension` (`suspension_causes`,`partner_id`),
  KEY `ix_domain_outbound_status` (`outbound_status`,`partner_id`),
  KEY `ix_domain_inbound` (`inbound`,`partner_id`),
  KEY `ix_domain_plan` (`plan`,`partner_id`),
  KEY `ix_domain_external_ref` (`external_ref`,`partner_id`),
  KEY `ix_domain_retention` (`retention_days`),
  KEY `ix_domain_partner_external_ref` (`partner_id`,`external_ref`),
  CONSTRAINT `fk_domain_parent` FOREIGN KEY (`parent_id`) REFERENCES `domain` (`id`) ON DELETE NO ACTION ON UPDATE NO ACTION,
  CONSTRAINT `fk_domain_partner` FOREIGN KEY (`partner_id`) REFERENCES `partner` (`id`) ON DELETE NO ACTION ON UPDATE NO ACTION
) ENGINE=InnoDB;

CREATE TABLE `domain_attention` (
  `domain_id` bigint(20) NOT NULL,
  `reason` varchar(16) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `partner_id` bigint(20) NOT NULL,
  `period` varchar(24) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  PRIMARY KEY (`domain_id`,`reason`),
  KEY `ix_domain_attention` (`partner_id`,`domain_id`),
  KEY `ix_domain_attention_reason` (`reason`,`period`,`domain_id`),
  KEY `ix_domain_attention_partner` (`partner_id`,`reason`,`period`,`domain_id`)
) ENGINE=InnoDB;

CREATE TABLE `domain_deletion` (
  `domain_id` bigint(20) NOT NULL,
  `tombstone_id` bigint(20) NOT NULL,
  `expires_at` bigint(20) NOT NULL,
  PRIMARY KEY (`domain_id`)
) ENGINE=InnoDB;

CREATE TABLE `domain_suffix` (
  `partner_id` bigint(20) NOT NULL,
  `suffix` varchar(253) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `domain_id` bigint(20) NOT NULL,
  PRIMARY KEY (`partner_id`,`suffix`,`domain_id`),
  KEY `ix_domain_suffix` (`suffix`),
  KEY `ix_domain_suffix_domain` (`domain_id`),
  CONSTRAINT `fk_domain_suffix_domain` FOREIGN KEY (`domain_id`) REFERENCES `domain` (`id`) ON DELETE CASCADE ON UPDATE NO ACTION
) ENGINE=InnoDB;

CREATE TABLE `event_gap` (
  `after_position` bigint(20) NOT NULL,
  `last_position` bigint(20) NOT NULL,
  PRIMARY KEY (`after_position`)
) ENGINE=InnoDB;

CREATE TABLE `event_position` (
  `id` int(11) NOT NULL,
  `last_position` bigint(20) NOT NULL,
  `first_kept` bigint(20) NOT NULL,
  `before_audit_id` bigint(20) NOT NULL,
  PRIMARY KEY (`id`)
) ENGINE=InnoDB;

CREATE TABLE `front_hosts` (
  `domain_id` bigint(20) NOT NULL,
  `hosts` varchar(5080) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `said_at` bigint(20) NOT NULL,
  PRIMARY KEY (`domain_id`),
  CONSTRAINT `fk_front_hosts_domain` FOREIGN KEY (`domain_id`) REFERENCES `domain` (`id`) ON DELETE CASCADE ON UPDATE NO ACTION
) ENGINE=InnoDB;

CREATE TABLE `idempotency` (
  `key_hash` varchar(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `body_hmac` varchar(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `leased_until` bigint(20) DEFAULT NULL,
  `status` int(11) DEFAULT NULL,
  `answer` mediumtext CHARACTER SET utf8mb4 COLLATE utf8mb4_bin DEFAULT NULL,
  `subject_table` varchar(16) CHARACTER SET ascii COLLATE ascii_bin DEFAULT NULL,
  `subject_id` bigint(20) DEFAULT NULL,
  `created_at` bigint(20) NOT NULL,
  PRIMARY KEY (`key_hash`),
  KEY `ix_idempotency_created` (`created_at`)
) ENGINE=InnoDB;

CREATE TABLE `installation` (
  `name` varchar(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `value` varchar(500) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  PRIMARY KEY (`name`)
) ENGINE=InnoDB;

CREATE TABLE `job` (
  `id` bigint(20) NOT NULL AUTO_INCREMENT,
  `name` varchar(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `payload` mediumtext CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  `unique_key` varchar(160) CHARACTER SET ascii COLLATE ascii_bin DEFAULT NULL,
  `state` varchar(8) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `run_at` bigint(20) NOT NULL,
  `leased_by` varchar(64) CHARACTER SET ascii COLLATE ascii_bin DEFAULT NULL,
  `leased_until` bigint(20) DEFAULT NULL,
  `attempts` int(11) NOT NULL,
  `reason` varchar(500) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin DEFAULT NULL,
  `request_id` varchar(128) CHARACTER SET ascii COLLATE ascii_bin DEFAULT NULL,
  `created_at` bigint(20) NOT NULL,
  `partner_id` bigint(20) NOT NULL DEFAULT 0,
  `trace_id` varchar(32) CHARACTER SET ascii COLLATE ascii_bin DEFAULT NULL,
  PRIMARY KEY (`id`),
  UNIQUE KEY `uq_job_unique_key` (`unique_key`),
  KEY `ix_job_name` (`name`,`state`),
  KEY `ix_job_turn` (`state`,`run_at`,`id`,`partner_id`)
) ENGINE=InnoDB;

CREATE TABLE `job_run` (
  `name` varchar(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `period` varchar(32) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `outcome` varchar(8) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `started_at` bigint(20) NOT NULL,
  `ended_at` bigint(20) DEFAULT NULL,
  `attempts` int(11) NOT NULL,
  `leased_until` bigint(20) DEFAULT NULL,
  `reason` varchar(500) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin DEFAULT NULL,
  `counts` mediumtext CHARACTER SET utf8mb4 COLLATE utf8mb4_bin DEFAULT NULL,
  `resume_after` bigint(20) NOT NULL,
  PRIMARY KEY (`name`,`period`),
  KEY `ix_job_run_outcome` (`outcome`,`name`),
  KEY `ix_job_run_started` (`started_at`)
) ENGINE=InnoDB;

CREATE TABLE `mailbox` (
  `id` bigint(20) NOT NULL AUTO_INCREMENT,
  `domain_id` bigint(20) NOT NULL,
  `email` varchar(254) CHARACTER SET ascii COLLATE ascii_general_ci NOT NULL,
  `local_part` varchar(64) CHARACTER SET ascii COLLATE ascii_general_ci NOT NULL,
  `name` varchar(128) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin DEFAULT NULL,
  `password_hash` varchar(255) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `quota_mb` int(11) NOT NULL,
  `outbound_daily_limit` int(11) NOT NULL,
  `active` tinyint(4) NOT NULL,
  `home` varchar(32) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `created_at` bigint(20) NOT NULL,
  `external_ref` varchar(128) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin DEFAULT NULL,
  `partner_id` bigint(20) DEFAULT NULL,
  `restored_at` bigint(20) DEFAULT NULL,
  `revoked_at` bigint(20) DEFAULT NULL,
  `revision` int(11) NOT NULL DEFAULT 1,
  PRIMARY KEY (`id`),
  UNIQUE KEY `uq_mailbox_email` (`email`),
  KEY `ix_mailbox_domain` (`domain_id`,`id`),
  KEY `ix_mailbox_partner` (`partner_id`),
  KEY `ix_mailbox_partner_email` (`partner_id`,`email`),
  KEY `ix_mailbox_active` (`active`,`partner_id`),
  KEY `ix_mailbox_external_ref` (`external_ref`,`partner_id`),
  KEY `ix_mailbox_partner_external_ref` (`partner_id`,`external_ref`),
  CONSTRAINT `fk_mailbox_domain` FOREIGN KEY (`domain_id`) REFERENCES `domain` (`id`) ON DELETE NO ACTION ON UPDATE NO ACTION
) ENGINE=InnoDB;

CREATE TABLE `mta_domain` (
  `domain_id` bigint(20) NOT NULL,
  `domain` varchar(253) CHARACTER SET ascii COLLATE ascii_general_ci NOT NULL,
  `suspended` tinyint(4) NOT NULL,
  `held` tinyint(4) NOT NULL,
  `sends_until` bigint(20) DEFAULT NULL,
  `retention_days` int(11) NOT NULL,
  `transfer_cap_mb` int(11) NOT NULL,
  PRIMARY KEY (`domain_id`),
  UNIQUE KEY `uq_mta_domain` (`domain`),
  CONSTRAINT `fk_mta_domain_domain` FOREIGN KEY (`domain_id`) REFERENCES `domain` (`id`) ON DELETE CASCADE ON UPDATE NO ACTION
) ENGINE=InnoDB;

CREATE TABLE `mta_relay_host` (
  `domain` varchar(253) CHARACTER SET ascii COLLATE ascii_general_ci NOT NULL,
  `relayhost` varchar(255) CHARACTER SET ascii COLLATE ascii_general_ci NOT NULL,
  PRIMARY KEY (`domain`)
) ENGINE=InnoDB;

CREATE TABLE `notification` (
  `id` bigint(20) NOT NULL AUTO_INCREMENT,
  `notification_id` varchar(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `channel` varchar(16) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `type` varchar(40) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `happened_at` bigint(20) NOT NULL,
  `data` mediumtext CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  `state` varchar(10) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `attempts` int(11) NOT NULL,
  `next_attempt_at` bigint(20) NOT NULL,
  `leased_until` bigint(20) DEFAULT NULL,
  `reason` varchar(500) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin DEFAULT NULL,
  PRIMARY KEY (`id`),
  UNIQUE KEY `uq_notification` (`notification_id`,`channel`),
  KEY `ix_notification_due` (`state`,`next_attempt_at`)
) ENGINE=InnoDB;

CREATE TABLE `outbound_counted_id` (
  `domain_id` bigint(20) NOT NULL,
  `id_hash` varbinary(16) NOT NULL,
  `outcome` varbinary(400) NOT NULL,
  `counted_at` bigint(20) NOT NULL,
  PRIMARY KEY (`domain_id`,`id_hash`),
  KEY `ix_outbound_counted_id_at` (`counted_at`)
) ENGINE=InnoDB;

CREATE TABLE `outbound_counter` (
  `domain_id` bigint(20) NOT NULL,
  `day` varchar(10) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `day_epoch` int(11) NOT NULL,
  `sent_today` int(11) NOT NULL,
  `month` varchar(7) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `month_epoch` int(11) NOT NULL,
  `period_start` bigint(20) NOT NULL,
  `sent_month` int(11) NOT NULL,
  `bytes_month` bigint(20) NOT NULL,
  `bounces_month` int(11) NOT NULL,
  `complaints_month` int(11) NOT NULL,
  `forwarded_today` int(11) NOT NULL DEFAULT 0,
  `partner_day` varchar(10) CHARACTER SET ascii COLLATE ascii_bin NOT NULL DEFAULT '',
  `partner_sent` int(11) NOT NULL DEFAULT 0,
  `bytes_in_month` bigint(20) NOT NULL DEFAULT 0,
  PRIMARY KEY (`domain_id`),
  KEY `ix_outbound_counter_month` (`month_epoch`,`month`,`domain_id`),
  KEY `ix_outbound_counter_day` (`day`,`day_epoch`)
) ENGINE=InnoDB;

CREATE TABLE `outbound_day` (
  `domain_id` bigint(20) NOT NULL,
  `day` varchar(10) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `sent` int(11) NOT NULL,
  `bounces` int(11) NOT NULL,
  `complaints` int(11) NOT NULL,
  `partner_sent` int(11) NOT NULL DEFAULT 0,
  `partner_bounces` int(11) NOT NULL DEFAULT 0,
  `partner_complaints` int(11) NOT NULL DEFAULT 0,
  PRIMARY KEY (`domain_id`,`day`),
  KEY `ix_outbound_day_day` (`day`)
) ENGINE=InnoDB;

CREATE TABLE `outbound_epoch` (
  `id` int(11) NOT NULL,
  `day_epoch` int(11) NOT NULL,
  `month_epoch` int(11) NOT NULL,
  `month_started_at` bigint(20) NOT NULL,
  PRIMARY KEY (`id`)
) ENGINE=InnoDB;

CREATE TABLE `outbound_history` (
  `id` bigint(20) NOT NULL AUTO_INCREMENT,
  `domain_id` bigint(20) NOT NULL,
  `period_start` bigint(20) NOT NULL,
  `period_end` bigint(20) NOT NULL,
  `sent` int(11) NOT NULL,
  `bytes` bigint(20) NOT NULL,
  `bounces` int(11) NOT NULL,
  `complaints` int(11) NOT NULL,
  `bytes_in` bigint(20) NOT NULL DEFAULT 0,
  PRIMARY KEY (`id`),
  KEY `ix_outbound_history_domain` (`domain_id`,`id`)
) ENGINE=InnoDB;

CREATE TABLE `outbound_increment` (
  `domain_id` bigint(20) NOT NULL,
  `id_hash` varchar(32) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `message_count` int(11) NOT NULL,
  `verdict` mediumtext CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  `counted_at` bigint(20) NOT NULL,
  PRIMARY KEY (`domain_id`,`id_hash`),
  KEY `ix_outbound_increment_counted` (`counted_at`)
) ENGINE=InnoDB;

CREATE TABLE `outbound_partner_day` (
  `partner_id` bigint(20) NOT NULL,
  `day` varchar(10) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `sent` bigint(20) NOT NULL,
  `bounces` bigint(20) NOT NULL,
  `complaints` bigint(20) NOT NULL,
  PRIMARY KEY (`partner_id`,`day`),
  KEY `ix_outbound_partner_day_day` (`day`)
) ENGINE=InnoDB;

CREATE TABLE `outbound_sender` (
  `domain_id` bigint(20) NOT NULL,
  `day` varchar(10) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `sender` varchar(254) CHARACTER SET ascii COLLATE ascii_general_ci NOT NULL,
  `day_epoch` int(11) NOT NULL,
  `sent` int(11) NOT NULL,
  `sent_elsewhere` int(11) NOT NULL DEFAULT 0,
  `receipts` int(11) NOT NULL DEFAULT 0,
  PRIMARY KEY (`domain_id`,`day`,`sender`),
  KEY `ix_outbound_sender_day` (`day`)
) ENGINE=InnoDB;

CREATE TABLE `outbound_tier` (
  `tier` varchar(16) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `daily_limit` int(11) NOT NULL,
  `monthly_limit` int(11) NOT NULL,
  PRIMARY KEY (`tier`)
) ENGINE=InnoDB;

CREATE TABLE `partner` (
  `id` bigint(20) NOT NULL AUTO_INCREMENT,
  `ref` varchar(128) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `domain_count` int(11) NOT NULL,
  `last_created_at` bigint(20) NOT NULL,
  `external_ref` varchar(128) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin DEFAULT NULL,
  `name` varchar(128) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin DEFAULT NULL,
  `suspensions` varchar(64) CHARACTER SET ascii COLLATE ascii_bin DEFAULT NULL,
  `stage` varchar(8) CHARACTER SET ascii COLLATE ascii_bin DEFAULT NULL,
  `suppression_mode` varchar(8) CHARACTER SET ascii COLLATE ascii_bin NOT NULL DEFAULT 'list',
  `suppression_count` int(11) NOT NULL DEFAULT 0,
  `stop_messages` mediumtext CHARACTER SET utf8mb4 COLLATE utf8mb4_bin DEFAULT NULL,
  `revision` int(11) NOT NULL DEFAULT 1,
  `brand_revision` int(11) NOT NULL DEFAULT 1,
  PRIMARY KEY (`id`),
  UNIQUE KEY `uq_partner_ref` (`ref`),
  KEY `ix_partner_stage` (`stage`)
) ENGINE=InnoDB;

CREATE TABLE `partner_brand` (
  `partner_id` bigint(20) NOT NULL,
  `name` varchar(64) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin DEFAULT NULL,
  `logo` mediumtext CHARACTER SET utf8mb4 COLLATE utf8mb4_bin DEFAULT NULL,
  `colour` varchar(7) CHARACTER SET ascii COLLATE ascii_bin DEFAULT NULL,
  `support_email` varchar(254) CHARACTER SET ascii COLLATE ascii_bin DEFAULT NULL,
  `support_url` varchar(500) CHARACTER SET ascii COLLATE ascii_bin DEFAULT NULL,
  `language` varchar(2) CHARACTER SET ascii COLLATE ascii_bin DEFAULT NULL,
  `locked` tinyint(4) NOT NULL,
  PRIMARY KEY (`partner_id`)
) ENGINE=InnoDB;

CREATE TABLE `partner_word` (
  `partner_id` bigint(20) NOT NULL,
  `word` varchar(64) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  PRIMARY KEY (`partner_id`,`word`),
  KEY `ix_partner_word` (`word`,`partner_id`)
) ENGINE=InnoDB;

CREATE TABLE `portal_link` (
  `id` bigint(20) NOT NULL AUTO_INCREMENT,
  `code_hash` varchar(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `kind` varchar(8) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `domain_id` bigint(20) NOT NULL,
  `partner_id` bigint(20) NOT NULL,
  `key_id` bigint(20) DEFAULT NULL,
  `operator_hash` varchar(64) CHARACTER SET ascii COLLATE ascii_bin DEFAULT NULL,
  `created_at` bigint(20) NOT NULL,
  `expires_at` bigint(20) NOT NULL,
  `used_at` bigint(20) DEFAULT NULL,
  PRIMARY KEY (`id`),
  UNIQUE KEY `uq_portal_link_code_hash` (`code_hash`),
  KEY `ix_portal_link_domain` (`domain_id`),
  KEY `ix_portal_link_key` (`key_id`),
  KEY `ix_portal_link_partner` (`partner_id`,`id`),
  KEY `ix_portal_link_expires` (`expires_at`),
  CONSTRAINT `fk_portal_link_domain` FOREIGN KEY (`domain_id`) REFERENCES `domain` (`id`) ON DELETE CASCADE ON UPDATE NO ACTION,
  CONSTRAINT `fk_portal_link_key` FOREIGN KEY (`key_id`) REFERENCES `api_key` (`id`) ON DELETE CASCADE ON UPDATE NO ACTION,
  CONSTRAINT `fk_portal_link_partner` FOREIGN KEY (`partner_id`) REFERENCES `partner` (`id`) ON DELETE NO ACTION ON UPDATE NO ACTION
) ENGINE=InnoDB;

CREATE TABLE `portal_session` (
  `id` bigint(20) NOT NULL AUTO_INCREMENT,
  `token_hash` varchar(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `key_id` bigint(20) DEFAULT NULL,
  `operator_hash` varchar(64) CHARACTER SET ascii COLLATE ascii_bin DEFAULT NULL,
  `link_id` bigint(20) DEFAULT NULL,
  `created_at` bigint(20) NOT NULL,
  `last_used_at` bigint(20) NOT NULL,
  `expires_at` bigint(20) NOT NULL,
  PRIMARY KEY (`id`),
  UNIQUE KEY `uq_portal_session_token_hash` (`token_hash`),
  KEY `ix_portal_session_key` (`key_id`,`id`),
  KEY `ix_portal_session_operator` (`operator_hash`,`id`),
  KEY `ix_portal_session_link` (`link_id`,`id`),
  KEY `ix_portal_session_expires` (`expires_at`),
  CONSTRAINT `fk_portal_session_key` FOREIGN KEY (`key_id`) REFERENCES `api_key` (`id`) ON DELETE CASCADE ON UPDATE NO ACTION,
  CONSTRAINT `fk_portal_session_link` FOREIGN KEY (`link_id`) REFERENCES `portal_link` (`id`) ON DELETE CASCADE ON UPDATE NO ACTION
) ENGINE=InnoDB;

CREATE TABLE `process_heartbeat` (
  `process_id` varchar(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `kind` varchar(8) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `process` varchar(300) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  `seen_at` bigint(20) NOT NULL,
  `has_ended` tinyint(4) NOT NULL,
  `software_version` varchar(20) CHARACTER SET ascii COLLATE ascii_bin DEFAULT NULL,
  PRIMARY KEY (`process_id`),
  KEY `ix_process_heartbeat_seen` (`kind`,`seen_at`)
) ENGINE=InnoDB;

CREATE TABLE `purge_mark` (
  `domain_id` bigint(20) NOT NULL,
  `purged_days` int(11) NOT NULL,
  `held_days` int(11) DEFAULT NULL,
  PRIMARY KEY (`domain_id`),
  KEY `ix_purge_mark_held` (`held_days`),
  CONSTRAINT `fk_purge_mark_domain` FOREIGN KEY (`domain_id`) REFERENCES `domain` (`id`) ON DELETE CASCADE ON UPDATE NO ACTION
) ENGINE=InnoDB;

CREATE TABLE `relay_call` (
  `outcome` varchar(8) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `at` bigint(20) NOT NULL,
  `operation` varchar(32) CHARACTER SET ascii COLLATE ascii_bin DEFAULT NULL,
  `reason` varchar(500) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin DEFAULT NULL,
  PRIMARY KEY (`outcome`)
) ENGINE=InnoDB;

CREATE TABLE `relay_effect` (
  `effect_hash` varchar(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `counted_at` bigint(20) NOT NULL,
  PRIMARY KEY (`effect_hash`),
  KEY `ix_relay_effect_counted` (`counted_at`)
) ENGINE=InnoDB;

CREATE TABLE `relay_event` (
  `id` bigint(20) NOT NULL AUTO_INCREMENT,
  `provider_id` varchar(128) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `event` mediumtext CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  `received_at` bigint(20) NOT NULL,
  `processed_at` bigint(20) DEFAULT NULL,
  `outcome` varchar(32) CHARACTER SET ascii COLLATE ascii_bin DEFAULT NULL,
  `request_id` varchar(128) CHARACTER SET ascii COLLATE ascii_bin DEFAULT NULL,
  `attempts` int(11) NOT NULL DEFAULT 0,
  `next_attempt_at` bigint(20) DEFAULT 0,
  `reason` varchar(500) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin DEFAULT NULL,
  PRIMARY KEY (`id`),
  UNIQUE KEY `uq_relay_event_provider_id` (`provider_id`),
  KEY `ix_relay_event_received` (`received_at`),
  KEY `ix_relay_event_due` (`processed_at`,`next_attempt_at`,`id`)
) ENGINE=InnoDB;

CREATE TABLE `relay_state` (
  `id` int(11) NOT NULL,
  `report` mediumtext CHARACTER SET utf8mb4 COLLATE utf8mb4_bin DEFAULT NULL,
  `warnings` varchar(500) CHARACTER SET ascii COLLATE ascii_bin DEFAULT NULL,
  `checked_at` bigint(20) DEFAULT NULL,
  `first_counted_at` bigint(20) DEFAULT NULL,
  `heard_at` bigint(20) DEFAULT NULL,
  `first_event_at` bigint(20) DEFAULT NULL,
  `last_event_at` bigint(20) DEFAULT NULL,
  `counted_since_heard` bigint(20) NOT NULL,
  `certificate` mediumtext CHARACTER SET utf8mb4 COLLATE utf8mb4_bin DEFAULT NULL,
  PRIMARY KEY (`id`)
) ENGINE=InnoDB;

CREATE TABLE `relay_tenant` (
  `partner_id` bigint(20) NOT NULL,
  `name` varchar(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `arn` varchar(255) CHARACTER SET ascii COLLATE ascii_bin DEFAULT NULL,
  `configuration_set` varchar(64) CHARACTER SET ascii COLLATE ascii_bin DEFAULT NULL,
  `policy` varchar(8) CHARACTER SET ascii COLLATE ascii_bin DEFAULT NULL,
  `status` varchar(8) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `status_since` bigint(20) DEFAULT NULL,
  `own_status` varchar(10) CHARACTER SET ascii COLLATE ascii_bin DEFAULT NULL,
  `wanted` varchar(8) CHARACTER SET ascii COLLATE ascii_bin DEFAULT NULL,
  `is_asked` tinyint(4) NOT NULL,
  `cause` varchar(500) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin DEFAULT NULL,
  `problem` varchar(16) CHARACTER SET ascii COLLATE ascii_bin DEFAULT NULL,
  `retry_at` bigint(20) DEFAULT NULL,
  `read_at` bigint(20) DEFAULT NULL,
  `empty_since` bigint(20) DEFAULT NULL,
  PRIMARY KEY (`partner_id`),
  KEY `ix_relay_tenant_arn` (`arn`),
  KEY `ix_relay_tenant_status` (`status`,`partner_id`)
) ENGINE=InnoDB;

CREATE TABLE `relay_tenant_identity` (
  `partner_id` bigint(20) NOT NULL,
  `name` varchar(253) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `leave_at` bigint(20) DEFAULT NULL,
  PRIMARY KEY (`partner_id`,`name`),
  KEY `ix_relay_tenant_identity_name` (`name`),
  KEY `ix_relay_tenant_identity_leave` (`leave_at`)
) ENGINE=InnoDB;

CREATE TABLE `suppression` (
  `id` bigint(20) NOT NULL AUTO_INCREMENT,
  `partner_id` bigint(20) NOT NULL,
  `domain_id` bigint(20) NOT NULL,
  `address` varchar(254) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `reason` varchar(9) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `note` varchar(128) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin DEFAULT NULL,
  `since` bigint(20) NOT NULL,
  `expires_at` bigint(20) DEFAULT NULL,
  `spelling` varchar(254) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin DEFAULT NULL,
  `lift` varchar(7) CHARACTER SET ascii COLLATE ascii_bin DEFAULT NULL,
  PRIMARY KEY (`id`),
  UNIQUE KEY `uq_suppression_address` (`partner_id`,`domain_id`,`address`),
  KEY `ix_suppression_partner` (`partner_id`,`id`),
  KEY `ix_suppression_domain` (`domain_id`,`id`),
  KEY `ix_suppression_beginning` (`partner_id`,`address`),
  KEY `ix_suppression_address` (`address`),
  KEY `ix_suppression_reason` (`partner_id`,`reason`,`expires_at`),
  KEY `ix_suppression_since` (`since`,`domain_id`,`reason`),
  KEY `ix_suppression_expiry` (`expires_at`,`partner_id`)
) ENGINE=InnoDB;

CREATE TABLE `tombstone` (
  `id` bigint(20) NOT NULL AUTO_INCREMENT,
  `kind` varchar(8) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `name` varchar(254) CHARACTER SET ascii COLLATE ascii_general_ci NOT NULL,
  `partner_id` bigint(20) NOT NULL,
  `actor_kind` varchar(16) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `actor` varchar(128) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `deleted_at` bigint(20) NOT NULL,
  `expires_at` bigint(20) NOT NULL,
  `domain_id` bigint(20) NOT NULL,
  `counters_id` bigint(20) DEFAULT NULL,
  `mailboxes` int(11) NOT NULL,
  `aliases` int(11) NOT NULL,
  `heir_id` bigint(20) DEFAULT NULL,
  `other_holder_at` bigint(20) DEFAULT NULL,
  `erased_at` bigint(20) DEFAULT NULL,
  `mail_removed_at` bigint(20) DEFAULT NULL,
  `restored_at` bigint(20) DEFAULT NULL,
  `closed_at` bigint(20) DEFAULT NULL,
  PRIMARY KEY (`id`),
  KEY `ix_tombstone_name` (`name`,`deleted_at`),
  KEY `ix_tombstone_name_partner` (`name`,`partner_id`,`deleted_at`),
  KEY `ix_tombstone_partner` (`partner_id`,`id`),
  KEY `ix_tombstone_domain` (`domain_id`),
  KEY `ix_tombstone_erasure` (`erased_at`,`expires_at`),
  KEY `ix_tombstone_mail` (`mail_removed_at`,`id`),
  KEY `ix_tombstone_deleted` (`deleted_at`),
  KEY `ix_tombstone_restorable` (`erased_at`,`partner_id`,`id`)
) ENGINE=InnoDB;

CREATE TABLE `trail` (
  `day` int(11) NOT NULL,
  `id` varchar(33) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `row_key` varchar(22) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `at` bigint(20) NOT NULL,
  `last_at` bigint(20) NOT NULL,
  `direction` varchar(3) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `partner_id` bigint(20) NOT NULL,
  `domain_id` bigint(20) NOT NULL,
  `domain` varchar(253) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `mailbox` varchar(320) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  `sender` varchar(320) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  `recipient` varchar(320) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  `size` bigint(20) DEFAULT NULL,
  `state` varchar(12) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `state_at` bigint(20) NOT NULL,
  `reason` varchar(64) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin DEFAULT NULL,
  `message_id` varchar(250) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin DEFAULT NULL,
  `relay_id` varchar(100) CHARACTER SET ascii COLLATE ascii_bin DEFAULT NULL,
  `times` int(11) NOT NULL,
  `steps` mediumtext CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  PRIMARY KEY (`day`,`id`),
  KEY `ix_trail_key` (`row_key`),
  KEY `ix_trail_domain` (`domain`,`id`),
  KEY `ix_trail_mailbox` (`mailbox`,`id`),
  KEY `ix_trail_recipient` (`recipient`,`partner_id`,`id`),
  KEY `ix_trail_message` (`message_id`,`partner_id`,`id`),
  KEY `ix_trail_partner` (`partner_id`,`id`),
  KEY `ix_trail_relay` (`relay_id`)
) ENGINE=InnoDB
 PARTITION BY RANGE (`day`)
(PARTITION `rest` VALUES LESS THAN MAXVALUE ENGINE = InnoDB);

CREATE TABLE `trail_gap` (
  `partner_id` bigint(20) NOT NULL,
  `since` bigint(20) NOT NULL,
  `until` bigint(20) NOT NULL,
  PRIMARY KEY (`partner_id`)
) ENGINE=InnoDB;

CREATE TABLE `trail_host` (
  `host` varchar(255) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `seen_at` bigint(20) NOT NULL,
  `behind_s` int(11) NOT NULL,
  PRIMARY KEY (`host`)
) ENGINE=InnoDB;

CREATE TABLE `trail_reading` (
  `operator` varchar(128) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `partner_id` bigint(20) NOT NULL,
  `hour` bigint(20) NOT NULL,
  PRIMARY KEY (`operator`,`partner_id`,`hour`),
  KEY `ix_trail_reading_hour` (`hour`)
) ENGINE=InnoDB;

CREATE TABLE `usage_counted` (
  `domain_id` bigint(20) NOT NULL,
  `month` varchar(7) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `sent` bigint(20) NOT NULL,
  `bytes` bigint(20) NOT NULL,
  `bounces` bigint(20) NOT NULL,
  `bytes_in` bigint(20) NOT NULL DEFAULT 0,
  PRIMARY KEY (`domain_id`)
) ENGINE=InnoDB;

CREATE TABLE `usage_day` (
  `month` varchar(7) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `name` varchar(253) CHARACTER SET ascii COLLATE ascii_general_ci NOT NULL,
  `day` varchar(10) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `partner_id` bigint(20) NOT NULL,
  `plan` varchar(16) CHARACTER SET ascii COLLATE ascii_bin DEFAULT NULL,
  `external_ref` varchar(128) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin DEFAULT NULL,
  `billing_ref` varchar(128) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin DEFAULT NULL,
  `held` tinyint(4) NOT NULL,
  `mailboxes` int(11) NOT NULL,
  `storage_mb` int(11) DEFAULT NULL,
  `sent` bigint(20) NOT NULL,
  `bytes` bigint(20) NOT NULL,
  `bounces` bigint(20) NOT NULL,
  `bytes_in` bigint(20) NOT NULL DEFAULT 0,
  PRIMARY KEY (`month`,`name`,`day`,`partner_id`),
  KEY `ix_usage_day_partner` (`partner_id`,`month`,`name`),
  KEY `ix_usage_day_day` (`day`,`name`)
) ENGINE=InnoDB;

CREATE TABLE `usage_month` (
  `month` varchar(7) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `position` int(11) NOT NULL,
  `partner_id` bigint(20) NOT NULL,
  `name` varchar(253) CHARACTER SET ascii COLLATE ascii_general_ci NOT NULL,
  `plan` varchar(16) CHARACTER SET ascii COLLATE ascii_bin DEFAULT NULL,
  `external_ref` varchar(128) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  `billing_ref` varchar(128) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  `first_day` varchar(10) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `last_day` varchar(10) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `last_held_day` varchar(10) CHARACTER SET ascii COLLATE ascii_bin DEFAULT NULL,
  `days` int(11) NOT NULL,
  `mailboxes_max` int(11) NOT NULL,
  `mailbox_days` bigint(20) NOT NULL,
  `storage_mb_max` int(11) DEFAULT NULL,
  `storage_mb_days` bigint(20) DEFAULT NULL,
  `sent` bigint(20) NOT NULL,
  `bytes` bigint(20) NOT NULL,
  `bytes_in` bigint(20) NOT NULL,
  `bounces` bigint(20) NOT NULL,
  PRIMARY KEY (`month`,`position`),
  KEY `ix_usage_month_partner` (`partner_id`,`month`,`position`)
) ENGINE=InnoDB;

CREATE TABLE `verification` (
  `domain_id` bigint(20) NOT NULL,
  `status` varchar(16) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `dkim_status` varchar(32) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `dkim_tokens` varchar(512) CHARACTER SET ascii COLLATE ascii_bin NOT NULL DEFAULT '',
  `dkim_zone` varchar(253) CHARACTER SET ascii COLLATE ascii_general_ci NOT NULL DEFAULT '',
  `started_at` bigint(20) DEFAULT NULL,
  `verified_at` bigint(20) DEFAULT NULL,
  `lost_at` bigint(20) DEFAULT NULL,
  `last_checked_at` bigint(20) DEFAULT NULL,
  `last_asked_at` bigint(20) DEFAULT NULL,
  `last_error` varchar(500) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin DEFAULT NULL,
  `next_check_at` bigint(20) DEFAULT NULL,
  `check_attempt` int(11) NOT NULL,
  `ownership_token` varchar(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `ownership_required` tinyint(4) NOT NULL,
  `ownership_seen_at` bigint(20) DEFAULT NULL,
  `dns_records` mediumtext CHARACTER SET utf8mb4 COLLATE utf8mb4_bin DEFAULT NULL,
  `partner_id` bigint(20) DEFAULT NULL,
  `configuration_set` varchar(64) CHARACTER SET ascii COLLATE ascii_bin DEFAULT NULL,
  `align_at` bigint(20) DEFAULT NULL,
  `at_risk_since` bigint(20) DEFAULT NULL,
  `at_risk_announced_at` bigint(20) DEFAULT NULL,
  `tenant_partner_id` bigint(20) DEFAULT NULL,
  PRIMARY KEY (`domain_id`),
  KEY `ix_verification_poll` (`status`,`last_checked_at`),
  KEY `ix_verification_status` (`status`,`partner_id`),
  KEY `ix_verification_align` (`partner_id`,`align_at`,`status`,`configuration_set`),
  CONSTRAINT `fk_verification_domain` FOREIGN KEY (`domain_id`) REFERENCES `domain` (`id`) ON DELETE CASCADE ON UPDATE NO ACTION
) ENGINE=InnoDB;

CREATE TABLE `webhook_attempt` (
  `id` bigint(20) NOT NULL AUTO_INCREMENT,
  `endpoint_id` bigint(20) NOT NULL,
  `position` bigint(20) DEFAULT NULL,
  `type` varchar(40) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `at` bigint(20) NOT NULL,
  `outcome` varchar(10) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `status` int(11) DEFAULT NULL,
  `is_failed` tinyint(4) NOT NULL,
  PRIMARY KEY (`id`),
  KEY `ix_webhook_attempt_endpoint` (`endpoint_id`,`is_failed`,`id`),
  KEY `ix_webhook_attempt_failed` (`is_failed`,`at`)
) ENGINE=InnoDB;

CREATE TABLE `webhook_delivery` (
  `endpoint_id` bigint(20) NOT NULL,
  `position` bigint(20) NOT NULL,
  `attempts` int(11) NOT NULL,
  `next_at` bigint(20) NOT NULL,
  `is_held` tinyint(4) NOT NULL,
  PRIMARY KEY (`endpoint_id`,`position`),
  KEY `ix_webhook_delivery_due` (`endpoint_id`,`is_held`,`next_at`)
) ENGINE=InnoDB;

CREATE TABLE `webhook_endpoint` (
  `id` bigint(20) NOT NULL AUTO_INCREMENT,
  `partner_id` bigint(20) DEFAULT NULL,
  `key_id` bigint(20) DEFAULT NULL,
  `url` varchar(2048) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `types` mediumtext CHARACTER SET utf8mb4 COLLATE utf8mb4_bin DEFAULT NULL,
  `description` varchar(128) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin DEFAULT NULL,
  `status` varchar(12) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `disabled_reason` varchar(20) CHARACTER SET ascii COLLATE ascii_bin DEFAULT NULL,
  `secret` varchar(160) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `former_secret` varchar(160) CHARACTER SET ascii COLLATE ascii_bin DEFAULT NULL,
  `former_until` bigint(20) DEFAULT NULL,
  `confirmed_at` bigint(20) DEFAULT NULL,
  `challenge_at` bigint(20) DEFAULT NULL,
  `cursor_at` bigint(20) NOT NULL,
  `is_behind` tinyint(4) NOT NULL,
  `failing_since` bigint(20) DEFAULT NULL,
  `redeliver_after` bigint(20) DEFAULT NULL,
  `redeliver_until` bigint(20) DEFAULT NULL,
  `created_at` bigint(20) NOT NULL,
  `wake_at` bigint(20) DEFAULT NULL,
  `claimed_until` bigint(20) DEFAULT NULL,
  PRIMARY KEY (`id`),
  KEY `ix_webhook_endpoint_partner` (`partner_id`,`id`),
  KEY `ix_webhook_endpoint_key` (`key_id`),
  KEY `ix_webhook_endpoint_cursor` (`status`,`cursor_at`),
  KEY `ix_webhook_endpoint_wake` (`wake_at`)
) ENGINE=InnoDB;

CREATE TABLE `webhook_feed` (
  `id` int(11) NOT NULL,
  `position` bigint(20) NOT NULL,
  PRIMARY KEY (`id`)
) ENGINE=InnoDB;

CREATE TABLE `webhook_turn` (
  `holder` varchar(300) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `times` mediumtext CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  `ends_at` bigint(20) NOT NULL,
  PRIMARY KEY (`holder`),
  KEY `ix_webhook_turn_end` (`ends_at`)
) ENGINE=InnoDB;

CREATE TABLE `write_probe` (
  `id` bigint(20) NOT NULL AUTO_INCREMENT,
  `filler` varchar(1000) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  PRIMARY KEY (`id`)
) ENGINE=InnoDB;

CREATE OR REPLACE SQL SECURITY DEFINER VIEW mda_users AS SELECT m.email AS user, d.domain, m.local_part, m.password_hash, m.quota_mb, d.suspended, m.active, m.home
       FROM mailbox m JOIN mta_domain d ON d.domain_id = m.domain_id;

CREATE OR REPLACE SQL SECURITY DEFINER VIEW mta_aliases AS SELECT a.address, a.destination, d.domain
       FROM alias a JOIN mta_domain d ON d.domain_id = a.domain_id
       LEFT JOIN mta_domain o ON o.domain = SUBSTRING_INDEX(a.destination, '@', -1)
       LEFT JOIN mailbox m ON m.email = a.destination
       LEFT JOIN installation i ON i.name = 'forwarding'
      WHERE CASE WHEN o.domain_id IS NULL THEN a.destination_mailbox_id IS NULL AND i.value = 'on' ELSE m.id IS NOT NULL END;

CREATE OR REPLACE SQL SECURITY DEFINER VIEW mta_alias_names AS SELECT a.address FROM alias a;

CREATE OR REPLACE SQL SECURITY DEFINER VIEW mta_domains AS SELECT d.domain, d.suspended, d.retention_days, d.transfer_cap_mb, (d.held = 1 OR COALESCE(d.sends_until <= (TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000), 0)) AS outbound_held,
            (d.transfer_cap_mb > 0 AND EXISTS (
      SELECT 1 FROM outbound_counter c JOIN outbound_epoch e ON e.id = 1 JOIN installation i ON i.name = 'transfer_cap_scope'
       WHERE c.domain_id = d.domain_id AND c.month = DATE_FORMAT(UTC_TIMESTAMP(), '%Y-%m') AND c.month_epoch = e.month_epoch
         AND c.bytes_month >= d.transfer_cap_mb * 1048576 AND i.value = 'both')) AS transfer_inbound_capped FROM mta_domain d;

CREATE OR REPLACE SQL SECURITY DEFINER VIEW mta_domain_state AS SELECT d.domain, d.suspended, (d.held = 1 OR COALESCE(d.sends_until <= (TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000), 0)) AS outbound_held, d.transfer_cap_mb > 0 AS capped_possible, r.relayhost
       FROM mta_domain d LEFT JOIN mta_relay_host r ON r.domain = d.domain;

CREATE OR REPLACE SQL SECURITY DEFINER VIEW mta_forwarding AS
     SELECT EXISTS (SELECT 1 FROM installation i WHERE i.name = 'allow_external_forward' AND i.value = 'true') AS allowed,
            EXISTS (SELECT 1 FROM installation i WHERE i.name = 'forwarding' AND i.value = 'on') AS set_up,
            (SELECT COALESCE(MAX(h.seen_at), 0) FROM process_heartbeat h) AS changed_at;

CREATE OR REPLACE SQL SECURITY DEFINER VIEW mta_mailboxes AS SELECT m.email AS address, d.domain, m.local_part, d.suspended, (d.held = 1 OR COALESCE(d.sends_until <= (TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000), 0)) AS outbound_held, m.quota_mb, m.active
       FROM mailbox m JOIN mta_domain d ON d.domain_id = m.domain_id;

CREATE OR REPLACE SQL SECURITY DEFINER VIEW mta_refused_senders AS SELECT d.name AS domain FROM domain d WHERE d.inbound = 'open' AND d.external_senders = 'refuse';

CREATE OR REPLACE SQL SECURITY DEFINER VIEW mta_relay AS SELECT r.domain, r.relayhost FROM mta_relay_host r JOIN mta_domain d ON d.domain = r.domain;

CREATE OR REPLACE SQL SECURITY DEFINER VIEW mta_sender_logins AS SELECT m.email AS address, m.email AS login FROM mailbox m JOIN mta_domain d ON d.domain_id = m.domain_id
     UNION ALL
     SELECT a.address, COALESCE(m.email, a.address) AS login
       FROM alias a JOIN mta_domain d ON d.domain_id = a.domain_id
       LEFT JOIN mailbox m ON m.id = a.destination_mailbox_id AND m.domain_id = a.domain_id AND m.active = 1
      WHERE m.id IS NOT NULL OR a.address NOT LIKE '@%';

INSERT INTO dns_look_state (id, day, new_lacks, round, round_until, problem) VALUES
  (1, '', 0, '', 0, null);

INSERT INTO event_position (id, last_position, first_kept, before_audit_id) VALUES
  (1, 0, 1, 0);

INSERT INTO installation (name, value) VALUES
  ('served_from', '5.1.0'),
  ('usage_months_from', '');

INSERT INTO outbound_epoch (id, day_epoch, month_epoch, month_started_at) VALUES
  (1, 0, 0, 0);

INSERT INTO outbound_tier (tier, daily_limit, monthly_limit) VALUES
  ('basic', 200, 3000),
  ('high', 20000, 400000),
  ('standard', 2000, 40000),
  ('unlimited', 0, 0);

INSERT INTO partner (id, ref, domain_count, last_created_at, external_ref, name, suspensions, stage, suppression_mode, suppression_count, stop_messages, revision, brand_revision) VALUES
  (1, '', 0, 0, null, null, null, null, 'list', 0, null, 1, 1);

INSERT INTO relay_call (outcome, at, operation, reason) VALUES
  ('failure', 0, null, null),
  ('success', 0, null, null);

INSERT INTO relay_state (id, report, warnings, checked_at, first_counted_at, heard_at, first_event_at, last_event_at, counted_since_heard, certificate) VALUES
  (1, null, null, null, null, null, null, null, 0, null);

INSERT INTO webhook_feed (id, position) VALUES
  (1, 0);
