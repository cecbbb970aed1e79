-- The schema of release 5.2.0, up to the step DropIxWebhookAttemptAt1772324076001. Written by `npm run schema`.

CREATE TABLE IF NOT EXISTS "migration" (
  "id" integer PRIMARY KEY AUTOINCREMENT NOT NULL,
  "timestamp" bigint NOT NULL,
  "name" varchar NOT NULL
);

CREATE TABLE "alias" (
  "id" integer PRIMARY KEY AUTOINCREMENT NOT NULL,
  "domain_id" integer NOT NULL,
  "address" varchar(254) NOT NULL,
  "destination" varchar(254) NOT NULL,
  "destination_mailbox_id" integer,
  "created_at" integer NOT NULL,
  "partner_id" integer,
  "restored_at" integer,
  CONSTRAINT "uq_alias_address_destination" UNIQUE ("address", "destination"),
  CONSTRAINT "fk_alias_domain" FOREIGN KEY ("domain_id") REFERENCES "domain" ("id") ON DELETE NO ACTION ON UPDATE NO ACTION,
  CONSTRAINT "fk_alias_mailbox" FOREIGN KEY ("destination_mailbox_id") REFERENCES "mailbox" ("id") ON DELETE CASCADE ON UPDATE NO ACTION
);

CREATE INDEX "ix_alias_destination" ON "alias" ("destination");

CREATE INDEX "ix_alias_domain" ON "alias" ("domain_id", "id");

CREATE INDEX "ix_alias_mailbox" ON "alias" ("destination_mailbox_id");

CREATE INDEX "ix_alias_partner" ON "alias" ("partner_id");

CREATE INDEX "ix_alias_partner_address" ON "alias" ("partner_id", "address");

CREATE TABLE "api_key" (
  "id" integer PRIMARY KEY AUTOINCREMENT NOT NULL,
  "partner_id" integer NOT NULL,
  "token_hash" varchar(64) NOT NULL,
  "token_mask" varchar(16) NOT NULL,
  "domains_allowed" integer NOT NULL,
  "mailboxes_per_domain" integer NOT NULL,
  "aliases_per_mailbox" integer NOT NULL,
  "active" integer NOT NULL,
  "expires_at" integer,
  "created_at" integer NOT NULL,
  "last_used_at" integer,
  "name" varchar(128),
  "scope" varchar(8) NOT NULL DEFAULT ('manage'),
  "is_limited" integer NOT NULL DEFAULT (0),
  "maker_id" integer,
  "successor_id" integer,
  "revision" integer NOT NULL DEFAULT (1),
  CONSTRAINT "uq_api_key_token_hash" UNIQUE ("token_hash"),
  CONSTRAINT "fk_api_key_partner" FOREIGN KEY ("partner_id") REFERENCES "partner" ("id") ON DELETE NO ACTION ON UPDATE NO ACTION
);

CREATE INDEX "ix_api_key_maker" ON "api_key" ("maker_id");

CREATE INDEX "ix_api_key_name" ON "api_key" ("name");

CREATE INDEX "ix_api_key_partner" ON "api_key" ("partner_id", "id");

CREATE TABLE "api_key_domain" (
  "key_id" integer NOT NULL,
  "domain_id" integer NOT NULL,
  CONSTRAINT "fk_api_key_domain_key" FOREIGN KEY ("key_id") REFERENCES "api_key" ("id") ON DELETE CASCADE ON UPDATE NO ACTION,
  CONSTRAINT "fk_api_key_domain_domain" FOREIGN KEY ("domain_id") REFERENCES "domain" ("id") ON DELETE CASCADE ON UPDATE NO ACTION,
  PRIMARY KEY ("key_id", "domain_id")
);

CREATE INDEX "ix_api_key_domain_domain" ON "api_key_domain" ("domain_id");

CREATE TABLE "audit_log" (
  "id" integer PRIMARY KEY AUTOINCREMENT NOT NULL,
  "changed_at" integer NOT NULL,
  "actor_kind" varchar(16) NOT NULL,
  "actor" varchar(128) NOT NULL,
  "action" varchar(64) NOT NULL,
  "partner_ref" varchar(128),
  "domain" varchar(253),
  "subject" varchar(255) NOT NULL,
  "value_before" text,
  "value_after" text,
  "request_id" varchar(128),
  "request_uid" varchar(36),
  "partner_id" integer,
  "domain_id" integer,
  "event_type" varchar(64),
  "position" integer
);

CREATE INDEX "ix_audit_actor" ON "audit_log" ("actor", "id");

CREATE INDEX "ix_audit_domain" ON "audit_log" ("domain", "id");

CREATE INDEX "ix_audit_domain_position" ON "audit_log" ("domain", "position");

CREATE INDEX "ix_audit_partner" ON "audit_log" ("partner_ref", "id");

CREATE INDEX "ix_audit_partner_position" ON "audit_log" ("partner_id", "position");

CREATE UNIQUE INDEX "ix_audit_position" ON "audit_log" ("position");

CREATE TABLE "bounce" (
  "id" integer PRIMARY KEY AUTOINCREMENT NOT NULL,
  "domain_id" integer NOT NULL,
  "partner_id" integer NOT NULL,
  "at" integer NOT NULL,
  "kind" varchar(16) NOT NULL,
  "recipient" varchar(320) NOT NULL,
  "sender" varchar(320),
  "subtype" varchar(64),
  "diagnostic" varchar(500),
  "message_id" varchar(200) NOT NULL
);

CREATE INDEX "ix_bounce_at" ON "bounce" ("at");

CREATE INDEX "ix_bounce_domain" ON "bounce" ("domain_id", "partner_id", "id");

CREATE TABLE "database_writer" (
  "process_id" varchar(36) NOT NULL,
  "node_name" varchar(255) NOT NULL,
  "node_address" varchar(255) NOT NULL,
  "process" varchar(300) NOT NULL,
  "first_seen_at" integer NOT NULL,
  "seen_at" integer NOT NULL,
  PRIMARY KEY ("process_id", "node_name", "node_address")
);

CREATE INDEX "ix_database_writer_seen" ON "database_writer" ("seen_at");

CREATE TABLE "deleted_alias" (
  "tombstone_id" integer NOT NULL,
  "id" integer NOT NULL,
  "domain_id" integer NOT NULL,
  "address" varchar(254) NOT NULL,
  "destination" varchar(254) NOT NULL,
  "destination_mailbox_id" integer,
  "created_at" integer NOT NULL,
  "partner_id" integer,
  "restored_at" integer,
  PRIMARY KEY ("tombstone_id", "id")
);

CREATE TABLE "deleted_domain" (
  "tombstone_id" integer PRIMARY KEY NOT NULL,
  "id" integer NOT NULL,
  "name" varchar(253) NOT NULL,
  "partner_id" integer NOT NULL,
  "created_at" integer NOT NULL,
  "plan" varchar(16),
  "retention_days" integer NOT NULL,
  "retention_days_before" integer NOT NULL,
  "retention_lowered_at" integer,
  "transfer_monthly_mb" integer NOT NULL,
  "suspension_causes" varchar(64) NOT NULL,
  "outbound_tier" varchar(16),
  "outbound_enforcement" varchar(16),
  "outbound_status" varchar(16) NOT NULL,
  "blocked_reason" varchar(32),
  "blocked_at" integer,
  "bounce_window_start" integer,
  "operator_daily_limit" integer,
  "operator_monthly_limit" integer,
  "client_daily_limit" integer,
  "client_monthly_limit" integer,
  "parent_id" integer,
  "wildcard_mode" varchar(8) NOT NULL,
  "inherited_until" integer,
  "inbound" varchar(8) NOT NULL,
  "mailbox_count" integer NOT NULL,
  "alias_count" integer NOT NULL,
  "retention_lowerings" text,
  "retention_reminder_at" integer,
  "pending_since" integer,
  "expiry_notified_at" integer,
  "external_ref" varchar(128),
  "held_since" integer,
  "temporary_daily_limit" integer,
  "temporary_monthly_limit" integer,
  "temporary_limits_until" integer,
  "restored_at" integer,
  "billing_ref" varchar(128),
  "usage_day" varchar(10),
  "usage_mailboxes" integer NOT NULL DEFAULT (0),
  "external_senders" varchar(8) NOT NULL DEFAULT ('allow'),
  "stop_messages" text,
  "revision" integer NOT NULL DEFAULT (1)
);

CREATE TABLE "deleted_mailbox" (
  "tombstone_id" integer NOT NULL,
  "id" integer NOT NULL,
  "domain_id" integer NOT NULL,
  "email" varchar(254) NOT NULL,
  "local_part" varchar(64) NOT NULL,
  "name" varchar(128),
  "password_hash" varchar(255) NOT NULL,
  "quota_mb" integer NOT NULL,
  "outbound_daily_limit" integer NOT NULL,
  "active" integer NOT NULL,
  "home" varchar(32) NOT NULL,
  "created_at" integer NOT NULL,
  "external_ref" varchar(128),
  "partner_id" integer,
  "restored_at" integer,
  "revoked_at" integer,
  "revision" integer NOT NULL DEFAULT (1),
  PRIMARY KEY ("tombstone_id", "id")
);

CREATE INDEX "ix_deleted_mailbox_email" ON "deleted_mailbox" ("email");

CREATE TABLE "deleted_verification" (
  "tombstone_id" integer PRIMARY KEY NOT NULL,
  "domain_id" integer NOT NULL,
  "status" varchar(16) NOT NULL,
  "dkim_status" varchar(32) NOT NULL,
  "started_at" integer,
  "verified_at" integer,
  "lost_at" integer,
  "last_checked_at" integer,
  "last_asked_at" integer,
  "last_error" varchar(500),
  "next_check_at" integer,
  "check_attempt" integer NOT NULL,
  "ownership_token" varchar(64) NOT NULL,
  "ownership_required" integer NOT NULL,
  "ownership_seen_at" integer,
  "dns_records" text,
  "partner_id" integer,
  "configuration_set" varchar(64),
  "align_at" integer,
  "at_risk_since" integer,
  "at_risk_announced_at" integer,
  "tenant_partner_id" integer
);

CREATE TABLE "dns_look" (
  "domain_id" integer PRIMARY KEY NOT NULL,
  "partner_id" integer NOT NULL,
  "due_at" integer NOT NULL,
  "lacks" varchar(32) NOT NULL,
  "suspected" varchar(32) NOT NULL,
  "suspected_at" integer,
  "hold" varchar(8),
  CONSTRAINT "fk_dns_look_domain" FOREIGN KEY ("domain_id") REFERENCES "domain" ("id") ON DELETE CASCADE ON UPDATE NO ACTION
);

CREATE INDEX "ix_dns_look_due" ON "dns_look" ("partner_id", "due_at");

CREATE INDEX "ix_dns_look_hold" ON "dns_look" ("hold");

CREATE TABLE "dns_look_state" (
  "id" integer PRIMARY KEY NOT NULL,
  "day" varchar(10) NOT NULL,
  "new_lacks" integer NOT NULL,
  "round" varchar(36) NOT NULL,
  "round_until" integer NOT NULL,
  "problem" varchar(500)
);

CREATE TABLE "domain" (
  "id" integer PRIMARY KEY AUTOINCREMENT NOT NULL,
  "name" varchar(253) NOT NULL,
  "partner_id" integer NOT NULL,
  "created_at" integer NOT NULL,
  "plan" varchar(16),
  "retention_days" integer NOT NULL,
  "retention_days_before" integer NOT NULL,
  "retention_lowered_at" integer,
  "transfer_monthly_mb" integer NOT NULL,
  "suspension_causes" varchar(64) NOT NULL,
  "outbound_tier" varchar(16),
  "outbound_enforcement" varchar(16),
  "outbound_status" varchar(16) NOT NULL,
  "blocked_reason" varchar(32),
  "blocked_at" integer,
  "bounce_window_start" integer,
  "operator_daily_limit" integer,
  "operator_monthly_limit" integer,
  "client_daily_limit" integer,
  "client_monthly_limit" integer,
  "parent_id" integer,
  "wildcard_mode" varchar(8) NOT NULL,
  "inherited_until" integer,
  "inbound" varchar(8) NOT NULL,
  "mailbox_count" integer NOT NULL,
  "alias_count" integer NOT NULL,
  "retention_lowerings" text,
  "retention_reminder_at" integer,
  "pending_since" integer,
  "expiry_notified_at" integer,
  "external_ref" varchar(128),
  "held_since" integer,
  "temporary_daily_limit" integer,
  "temporary_monthly_limit" integer,
  "temporary_limits_until" integer,
  "restored_at" integer,
  "billing_ref" varchar(128),
  "usage_day" varchar(10),
  "usage_mailboxes" integer NOT NULL DEFAULT (0),
  "external_senders" varchar(8) NOT NULL DEFAULT ('allow'),
  "stop_messages" text,
  "revision" integer NOT NULL DEFAULT (1),
  CONSTRAINT "uq_domain_name" UNIQUE ("name"),
  CONSTRAINT "fk_domain_partner" FOREIGN KEY ("partner_id") REFERENCES "partner" ("id") ON DELETE NO ACTION ON UPDATE NO ACTION,
  CONSTRAINT "fk_domain_parent" FOREIGN KEY ("parent_id") REFERENCES "domain" ("id") ON DELETE NO ACTION ON UPDATE NO ACTION
);

CREATE INDEX "ix_domain_external_ref" ON "domain" ("external_ref", "partner_id");

CREATE INDEX "ix_domain_inbound" ON "domain" ("inbound", "partner_id");

CREATE INDEX "ix_domain_outbound_status" ON "domain" ("outbound_status", "partner_id");

CREATE INDEX "ix_domain_parent" ON "domain" ("parent_id");

CREATE INDEX "ix_domain_partner" ON "domain" ("partner_id", "id");

CREATE INDEX "ix_domain_partner_counts" ON "domain" ("partner_id", "mailbox_count", "alias_count");

CREATE INDEX "ix_domain_partner_external_ref" ON "domain" ("partner_id", "external_ref");

CREATE INDEX "ix_domain_pending_since" ON "domain" ("pending_since");

CREATE INDEX "ix_domain_plan" ON "domain" ("plan", "partner_id");

CREATE INDEX ix_domain_retention ON domain (retention_days);

CREATE INDEX "ix_domain_retention_reminder" ON "domain" ("retention_reminder_at");

CREATE INDEX "ix_domain_suspension" ON "domain" ("suspension_causes", "partner_id");

CREATE TABLE "domain_attention" (
  "domain_id" integer NOT NULL,
  "reason" varchar(16) NOT NULL,
  "partner_id" integer NOT NULL,
  "period" varchar(24) NOT NULL,
  PRIMARY KEY ("domain_id", "reason")
);

CREATE INDEX "ix_domain_attention" ON "domain_attention" ("partner_id", "domain_id");

CREATE INDEX "ix_domain_attention_partner" ON "domain_attention" ("partner_id", "reason", "period", "domain_id");

CREATE INDEX "ix_domain_attention_reason" ON "domain_attention" ("reason", "period", "domain_id");

CREATE TABLE "domain_deletion" (
  "domain_id" integer PRIMARY KEY NOT NULL,
  "tombstone_id" integer NOT NULL,
  "expires_at" integer NOT NULL
);

CREATE TABLE "domain_suffix" (
  "partner_id" integer NOT NULL,
  "suffix" varchar(253) NOT NULL,
  "domain_id" integer NOT NULL,
  CONSTRAINT "fk_domain_suffix_domain" FOREIGN KEY ("domain_id") REFERENCES "domain" ("id") ON DELETE CASCADE ON UPDATE NO ACTION,
  PRIMARY KEY ("partner_id", "suffix", "domain_id")
);

CREATE INDEX "ix_domain_suffix" ON "domain_suffix" ("suffix");

CREATE INDEX "ix_domain_suffix_domain" ON "domain_suffix" ("domain_id");

CREATE TABLE "event_gap" (
  "after_position" integer PRIMARY KEY NOT NULL,
  "last_position" integer NOT NULL
);

CREATE TABLE "event_position" (
  "id" integer PRIMARY KEY NOT NULL,
  "last_position" integer NOT NULL,
  "first_kept" integer NOT NULL,
  "before_audit_id" integer NOT NULL
);

CREATE TABLE "front_hosts" (
  "domain_id" integer PRIMARY KEY NOT NULL,
  "hosts" varchar(5080) NOT NULL,
  "said_at" integer NOT NULL,
  CONSTRAINT "fk_front_hosts_domain" FOREIGN KEY ("domain_id") REFERENCES "domain" ("id") ON DELETE CASCADE ON UPDATE NO ACTION
);

CREATE TABLE "idempotency" (
  "key_hash" varchar(64) PRIMARY KEY NOT NULL,
  "body_hmac" varchar(64) NOT NULL,
  "leased_until" integer,
  "status" integer,
  "answer" text,
  "subject_table" varchar(16),
  "subject_id" integer,
  "created_at" integer NOT NULL
);

CREATE INDEX "ix_idempotency_created" ON "idempotency" ("created_at");

CREATE TABLE "installation" (
  "name" varchar(64) PRIMARY KEY NOT NULL,
  "value" varchar(500) NOT NULL
);

CREATE TABLE "job" (
  "id" integer PRIMARY KEY AUTOINCREMENT NOT NULL,
  "name" varchar(64) NOT NULL,
  "payload" text NOT NULL,
  "unique_key" varchar(160),
  "state" varchar(8) NOT NULL,
  "run_at" integer NOT NULL,
  "leased_by" varchar(64),
  "leased_until" integer,
  "attempts" integer NOT NULL,
  "reason" varchar(500),
  "request_id" varchar(128),
  "created_at" integer NOT NULL,
  "partner_id" integer NOT NULL DEFAULT (0),
  "trace_id" varchar(32),
  CONSTRAINT "uq_job_unique_key" UNIQUE ("unique_key")
);

CREATE INDEX "ix_job_name" ON "job" ("name", "state");

CREATE INDEX "ix_job_turn" ON "job" ("state", "run_at", "id", "partner_id");

CREATE TABLE "job_run" (
  "name" varchar(64) NOT NULL,
  "period" varchar(32) NOT NULL,
  "outcome" varchar(8) NOT NULL,
  "started_at" integer NOT NULL,
  "ended_at" integer,
  "attempts" integer NOT NULL,
  "leased_until" integer,
  "reason" varchar(500),
  "counts" text,
  "resume_after" integer NOT NULL,
  PRIMARY KEY ("name", "period")
);

CREATE INDEX "ix_job_run_outcome" ON "job_run" ("outcome", "name");

CREATE INDEX "ix_job_run_started" ON "job_run" ("started_at");

CREATE TABLE "mailbox" (
  "id" integer PRIMARY KEY AUTOINCREMENT NOT NULL,
  "domain_id" integer NOT NULL,
  "email" varchar(254) NOT NULL,
  "local_part" varchar(64) NOT NULL,
  "name" varchar(128),
  "password_hash" varchar(255) NOT NULL,
  "quota_mb" integer NOT NULL,
  "outbound_daily_limit" integer NOT NULL,
  "active" integer NOT NULL,
  "home" varchar(32) NOT NULL,
  "created_at" integer NOT NULL,
  "external_ref" varchar(128),
  "partner_id" integer,
  "restored_at" integer,
  "revoked_at" integer,
  "revision" integer NOT NULL DEFAULT (1),
  CONSTRAINT "uq_mailbox_email" UNIQUE ("email"),
  CONSTRAINT "fk_mailbox_domain" FOREIGN KEY ("domain_id") REFERENCES "domain" ("id") ON DELETE NO ACTION ON UPDATE NO ACTION
);

CREATE INDEX "ix_mailbox_active" ON "mailbox" ("active", "partner_id");

CREATE INDEX "ix_mailbox_domain" ON "mailbox" ("domain_id", "id");

CREATE INDEX "ix_mailbox_external_ref" ON "mailbox" ("external_ref", "partner_id");

CREATE INDEX "ix_mailbox_partner" ON "mailbox" ("partner_id");

CREATE INDEX "ix_mailbox_partner_email" ON "mailbox" ("partner_id", "email");

CREATE INDEX "ix_mailbox_partner_external_ref" ON "mailbox" ("partner_id", "external_ref");

CREATE TABLE "notification" (
  "id" integer PRIMARY KEY AUTOINCREMENT NOT NULL,
  "notification_id" varchar(64) NOT NULL,
  "channel" varchar(16) NOT NULL,
  "type" varchar(40) NOT NULL,
  "happened_at" integer NOT NULL,
  "data" text NOT NULL,
  "state" varchar(10) NOT NULL,
  "attempts" integer NOT NULL,
  "next_attempt_at" integer NOT NULL,
  "leased_until" integer,
  "reason" varchar(500),
  CONSTRAINT "uq_notification" UNIQUE ("notification_id", "channel")
);

CREATE INDEX "ix_notification_due" ON "notification" ("state", "next_attempt_at");

CREATE TABLE "outbound_counted_id" (
  "domain_id" integer NOT NULL,
  "id_hash" blob NOT NULL,
  "outcome" blob NOT NULL,
  "counted_at" integer NOT NULL,
  PRIMARY KEY ("domain_id", "id_hash")
);

CREATE INDEX "ix_outbound_counted_id_at" ON "outbound_counted_id" ("counted_at");

CREATE TABLE "outbound_counter" (
  "domain_id" integer PRIMARY KEY NOT NULL,
  "day" varchar(10) NOT NULL,
  "day_epoch" integer NOT NULL,
  "sent_today" integer NOT NULL,
  "month" varchar(7) NOT NULL,
  "month_epoch" integer NOT NULL,
  "period_start" integer NOT NULL,
  "sent_month" integer NOT NULL,
  "bytes_month" integer NOT NULL,
  "bounces_month" integer NOT NULL,
  "complaints_month" integer NOT NULL,
  "forwarded_today" integer NOT NULL DEFAULT (0),
  "partner_day" varchar(10) NOT NULL DEFAULT (''),
  "partner_sent" integer NOT NULL DEFAULT (0),
  "bytes_in_month" integer NOT NULL DEFAULT (0)
);

CREATE INDEX "ix_outbound_counter_day" ON "outbound_counter" ("day", "day_epoch");

CREATE INDEX "ix_outbound_counter_month" ON "outbound_counter" ("month_epoch", "month", "domain_id");

CREATE TABLE "outbound_day" (
  "domain_id" integer NOT NULL,
  "day" varchar(10) NOT NULL,
  "sent" integer NOT NULL,
  "bounces" integer NOT NULL,
  "complaints" integer NOT NULL,
  "partner_sent" integer NOT NULL DEFAULT (0),
  "partner_bounces" integer NOT NULL DEFAULT (0),
  "partner_complaints" integer NOT NULL DEFAULT (0),
  PRIMARY KEY ("domain_id", "day")
);

CREATE INDEX "ix_outbound_day_day" ON "outbound_day" ("day");

CREATE TABLE "outbound_epoch" (
  "id" integer PRIMARY KEY NOT NULL,
  "day_epoch" integer NOT NULL,
  "month_epoch" integer NOT NULL,
  "month_started_at" integer NOT NULL
);

CREATE TABLE "outbound_history" (
  "id" integer PRIMARY KEY AUTOINCREMENT NOT NULL,
  "domain_id" integer NOT NULL,
  "period_start" integer NOT NULL,
  "period_end" integer NOT NULL,
  "sent" integer NOT NULL,
  "bytes" integer NOT NULL,
  "bounces" integer NOT NULL,
  "complaints" integer NOT NULL,
  "bytes_in" integer NOT NULL DEFAULT (0)
);

CREATE INDEX "ix_outbound_history_domain" ON "outbound_history" ("domain_id", "id");

CREATE TABLE "outbound_increment" (
  "domain_id" integer NOT NULL,
  "id_hash" varchar(32) NOT NULL,
  "message_count" integer NOT NULL,
  "verdict" text NOT NULL,
  "counted_at" integer NOT NULL,
  PRIMARY KEY ("domain_id", "id_hash")
);

CREATE INDEX "ix_outbound_increment_counted" ON "outbound_increment" ("counted_at");

CREATE TABLE "outbound_partner_day" (
  "partner_id" integer NOT NULL,
  "day" varchar(10) NOT NULL,
  "sent" integer NOT NULL,
  "bounces" integer NOT NULL,
  "complaints" integer NOT NULL,
  PRIMARY KEY ("partner_id", "day")
);

CREATE INDEX "ix_outbound_partner_day_day" ON "outbound_partner_day" ("day");

CREATE TABLE "outbound_sender" (
  "domain_id" integer NOT NULL,
  "day" varchar(10) NOT NULL,
  "sender" varchar(254) NOT NULL,
  "day_epoch" integer NOT NULL,
  "sent" integer NOT NULL,
  "sent_elsewhere" integer NOT NULL DEFAULT (0),
  "receipts" integer NOT NULL DEFAULT (0),
  PRIMARY KEY ("domain_id", "day", "sender")
);

CREATE INDEX "ix_outbound_sender_day" ON "outbound_sender" ("day");

CREATE TABLE "outbound_tier" (
  "tier" varchar(16) PRIMARY KEY NOT NULL,
  "daily_limit" integer NOT NULL,
  "monthly_limit" integer NOT NULL
);

CREATE TABLE "partner" (
  "id" integer PRIMARY KEY AUTOINCREMENT NOT NULL,
  "ref" varchar(128) NOT NULL,
  "domain_count" integer NOT NULL,
  "last_created_at" integer NOT NULL,
  "external_ref" varchar(128),
  "name" varchar(128),
  "suspensions" varchar(64),
  "stage" varchar(8),
  "suppression_mode" varchar(8) NOT NULL DEFAULT ('list'),
  "suppression_count" integer NOT NULL DEFAULT (0),
  "stop_messages" text,
  "revision" integer NOT NULL DEFAULT (1),
  "brand_revision" integer NOT NULL DEFAULT (1),
  CONSTRAINT "uq_partner_ref" UNIQUE ("ref")
);

CREATE INDEX "ix_partner_stage" ON "partner" ("stage");

CREATE TABLE "partner_brand" (
  "partner_id" integer PRIMARY KEY NOT NULL,
  "name" varchar(64),
  "logo" text,
  "colour" varchar(7),
  "support_email" varchar(254),
  "support_url" varchar(500),
  "language" varchar(2),
  "locked" integer NOT NULL
);

CREATE TABLE "partner_word" (
  "partner_id" integer NOT NULL,
  "word" varchar(64) NOT NULL,
  PRIMARY KEY ("partner_id", "word")
);

CREATE INDEX "ix_partner_word" ON "partner_word" ("word", "partner_id");

CREATE TABLE "portal_link" (
  "id" integer PRIMARY KEY AUTOINCREMENT NOT NULL,
  "code_hash" varchar(64) NOT NULL,
  "kind" varchar(8) NOT NULL,
  "domain_id" integer NOT NULL,
  "partner_id" integer NOT NULL,
  "key_id" integer,
  "operator_hash" varchar(64),
  "created_at" integer NOT NULL,
  "expires_at" integer NOT NULL,
  "used_at" integer,
  CONSTRAINT "uq_portal_link_code_hash" UNIQUE ("code_hash"),
  CONSTRAINT "fk_portal_link_domain" FOREIGN KEY ("domain_id") REFERENCES "domain" ("id") ON DELETE CASCADE ON UPDATE NO ACTION,
  CONSTRAINT "fk_portal_link_partner" FOREIGN KEY ("partner_id") REFERENCES "partner" ("id") ON DELETE NO ACTION ON UPDATE NO ACTION,
  CONSTRAINT "fk_portal_link_key" FOREIGN KEY ("key_id") REFERENCES "api_key" ("id") ON DELETE CASCADE ON UPDATE NO ACTION
);

CREATE INDEX "ix_portal_link_domain" ON "portal_link" ("domain_id");

CREATE INDEX "ix_portal_link_expires" ON "portal_link" ("expires_at");

CREATE INDEX "ix_portal_link_key" ON "portal_link" ("key_id");

CREATE INDEX "ix_portal_link_partner" ON "portal_link" ("partner_id", "id");

CREATE TABLE "portal_session" (
  "id" integer PRIMARY KEY AUTOINCREMENT NOT NULL,
  "token_hash" varchar(64) NOT NULL,
  "key_id" integer,
  "operator_hash" varchar(64),
  "link_id" integer,
  "created_at" integer NOT NULL,
  "last_used_at" integer NOT NULL,
  "expires_at" integer NOT NULL,
  CONSTRAINT "uq_portal_session_token_hash" UNIQUE ("token_hash"),
  CONSTRAINT "fk_portal_session_key" FOREIGN KEY ("key_id") REFERENCES "api_key" ("id") ON DELETE CASCADE ON UPDATE NO ACTION,
  CONSTRAINT "fk_portal_session_link" FOREIGN KEY ("link_id") REFERENCES "portal_link" ("id") ON DELETE CASCADE ON UPDATE NO ACTION
);

CREATE INDEX "ix_portal_session_expires" ON "portal_session" ("expires_at");

CREATE INDEX "ix_portal_session_key" ON "portal_session" ("key_id", "id");

CREATE INDEX "ix_portal_session_link" ON "portal_session" ("link_id", "id");

CREATE INDEX "ix_portal_session_operator" ON "portal_session" ("operator_hash", "id");

CREATE TABLE "process_heartbeat" (
  "process_id" varchar(36) PRIMARY KEY NOT NULL,
  "kind" varchar(8) NOT NULL,
  "process" varchar(300) NOT NULL,
  "seen_at" integer NOT NULL,
  "has_ended" integer NOT NULL,
  "software_version" varchar(20)
);

CREATE INDEX "ix_process_heartbeat_seen" ON "process_heartbeat" ("kind", "seen_at");

CREATE TABLE "purge_mark" (
  "domain_id" integer PRIMARY KEY NOT NULL,
  "purged_days" integer NOT NULL,
  "held_days" integer,
  CONSTRAINT "fk_purge_mark_domain" FOREIGN KEY ("domain_id") REFERENCES "domain" ("id") ON DELETE CASCADE ON UPDATE NO ACTION
);

CREATE INDEX "ix_purge_mark_held" ON "purge_mark" ("held_days");

CREATE TABLE "relay_call" (
  "outcome" varchar(8) PRIMARY KEY NOT NULL,
  "at" integer NOT NULL,
  "operation" varchar(32),
  "reason" varchar(500)
);

CREATE TABLE "relay_effect" (
  "effect_hash" varchar(64) PRIMARY KEY NOT NULL,
  "counted_at" integer NOT NULL
);

CREATE INDEX "ix_relay_effect_counted" ON "relay_effect" ("counted_at");

CREATE TABLE "relay_event" (
  "id" integer PRIMARY KEY AUTOINCREMENT NOT NULL,
  "provider_id" varchar(128) NOT NULL,
  "event" text NOT NULL,
  "received_at" integer NOT NULL,
  "processed_at" integer,
  "outcome" varchar(32),
  "request_id" varchar(128),
  "attempts" integer NOT NULL DEFAULT (0),
  "next_attempt_at" integer DEFAULT (0),
  "reason" varchar(500),
  CONSTRAINT "uq_relay_event_provider_id" UNIQUE ("provider_id")
);

CREATE INDEX "ix_relay_event_due" ON "relay_event" ("processed_at", "next_attempt_at", "id");

CREATE INDEX "ix_relay_event_received" ON "relay_event" ("received_at");

CREATE TABLE "relay_state" (
  "id" integer PRIMARY KEY NOT NULL,
  "report" text,
  "warnings" varchar(500),
  "checked_at" integer,
  "first_counted_at" integer,
  "heard_at" integer,
  "first_event_at" integer,
  "last_event_at" integer,
  "counted_since_heard" integer NOT NULL,
  "certificate" text
);

CREATE TABLE "relay_tenant" (
  "partner_id" integer PRIMARY KEY NOT NULL,
  "name" varchar(64) NOT NULL,
  "arn" varchar(255),
  "configuration_set" varchar(64),
  "policy" varchar(8),
  "status" varchar(8) NOT NULL,
  "status_since" integer,
  "own_status" varchar(10),
  "wanted" varchar(8),
  "is_asked" integer NOT NULL,
  "cause" varchar(500),
  "problem" varchar(16),
  "retry_at" integer,
  "read_at" integer,
  "empty_since" integer
);

CREATE INDEX "ix_relay_tenant_arn" ON "relay_tenant" ("arn");

CREATE INDEX "ix_relay_tenant_status" ON "relay_tenant" ("status", "partner_id");

CREATE TABLE "relay_tenant_identity" (
  "partner_id" integer NOT NULL,
  "name" varchar(253) NOT NULL,
  "leave_at" integer,
  PRIMARY KEY ("partner_id", "name")
);

CREATE INDEX "ix_relay_tenant_identity_leave" ON "relay_tenant_identity" ("leave_at");

CREATE INDEX "ix_relay_tenant_identity_name" ON "relay_tenant_identity" ("name");

CREATE TABLE "suppression" (
  "id" integer PRIMARY KEY AUTOINCREMENT NOT NULL,
  "partner_id" integer NOT NULL,
  "domain_id" integer NOT NULL,
  "address" varchar(254) NOT NULL,
  "reason" varchar(9) NOT NULL,
  "note" varchar(128),
  "since" integer NOT NULL,
  "expires_at" integer,
  "spelling" varchar(254),
  "lift" varchar(7),
  CONSTRAINT "uq_suppression_address" UNIQUE ("partner_id", "domain_id", "address")
);

CREATE INDEX "ix_suppression_address" ON "suppression" ("address");

CREATE INDEX "ix_suppression_beginning" ON "suppression" ("partner_id", "address");

CREATE INDEX "ix_suppression_domain" ON "suppression" ("domain_id", "id");

CREATE INDEX "ix_suppression_expiry" ON "suppression" ("expires_at", "partner_id");

CREATE INDEX "ix_suppression_partner" ON "suppression" ("partner_id", "id");

CREATE INDEX "ix_suppression_reason" ON "suppression" ("partner_id", "reason", "expires_at");

CREATE INDEX "ix_suppression_since" ON "suppression" ("since", "domain_id", "reason");

CREATE TABLE "tombstone" (
  "id" integer PRIMARY KEY AUTOINCREMENT NOT NULL,
  "kind" varchar(8) NOT NULL,
  "name" varchar(254) NOT NULL,
  "partner_id" integer NOT NULL,
  "actor_kind" varchar(16) NOT NULL,
  "actor" varchar(128) NOT NULL,
  "deleted_at" integer NOT NULL,
  "expires_at" integer NOT NULL,
  "domain_id" integer NOT NULL,
  "counters_id" integer,
  "mailboxes" integer NOT NULL,
  "aliases" integer NOT NULL,
  "heir_id" integer,
  "other_holder_at" integer,
  "erased_at" integer,
  "mail_removed_at" integer,
  "restored_at" integer,
  "closed_at" integer
);

CREATE INDEX "ix_tombstone_deleted" ON "tombstone" ("deleted_at");

CREATE INDEX "ix_tombstone_domain" ON "tombstone" ("domain_id");

CREATE INDEX "ix_tombstone_erasure" ON "tombstone" ("erased_at", "expires_at");

CREATE INDEX "ix_tombstone_mail" ON "tombstone" ("mail_removed_at", "id");

CREATE INDEX "ix_tombstone_name" ON "tombstone" ("name", "deleted_at");

CREATE INDEX "ix_tombstone_name_partner" ON "tombstone" ("name", "partner_id", "deleted_at");

CREATE INDEX "ix_tombstone_partner" ON "tombstone" ("partner_id", "id");

CREATE INDEX "ix_tombstone_restorable" ON "tombstone" ("erased_at", "partner_id", "id");

CREATE TABLE "trail_gap" (
  "partner_id" integer PRIMARY KEY NOT NULL,
  "since" integer NOT NULL,
  "until" integer NOT NULL
);

CREATE TABLE "trail_host" (
  "host" varchar(255) PRIMARY KEY NOT NULL,
  "seen_at" integer NOT NULL,
  "behind_s" integer NOT NULL
);

CREATE TABLE "trail_reading" (
  "operator" varchar(128) NOT NULL,
  "partner_id" integer NOT NULL,
  "hour" integer NOT NULL,
  PRIMARY KEY ("operator", "partner_id", "hour")
);

CREATE INDEX "ix_trail_reading_hour" ON "trail_reading" ("hour");

CREATE TABLE "usage_counted" (
  "domain_id" integer PRIMARY KEY NOT NULL,
  "month" varchar(7) NOT NULL,
  "sent" integer NOT NULL,
  "bytes" integer NOT NULL,
  "bounces" integer NOT NULL,
  "bytes_in" integer NOT NULL DEFAULT (0)
);

CREATE TABLE "usage_day" (
  "month" varchar(7) NOT NULL,
  "name" varchar(253) NOT NULL,
  "day" varchar(10) NOT NULL,
  "partner_id" integer NOT NULL,
  "plan" varchar(16),
  "external_ref" varchar(128),
  "billing_ref" varchar(128),
  "held" integer NOT NULL,
  "mailboxes" integer NOT NULL,
  "storage_mb" integer,
  "sent" integer NOT NULL,
  "bytes" integer NOT NULL,
  "bounces" integer NOT NULL,
  "bytes_in" integer NOT NULL DEFAULT (0),
  PRIMARY KEY ("month", "name", "day", "partner_id")
);

CREATE INDEX "ix_usage_day_day" ON "usage_day" ("day", "name");

CREATE INDEX "ix_usage_day_partner" ON "usage_day" ("partner_id", "month", "name");

CREATE TABLE "usage_month" (
  "month" varchar(7) NOT NULL,
  "position" integer NOT NULL,
  "partner_id" integer NOT NULL,
  "name" varchar(253) NOT NULL,
  "plan" varchar(16),
  "external_ref" varchar(128) NOT NULL,
  "billing_ref" varchar(128) NOT NULL,
  "first_day" varchar(10) NOT NULL,
  "last_day" varchar(10) NOT NULL,
  "last_held_day" varchar(10),
  "days" integer NOT NULL,
  "mailboxes_max" integer NOT NULL,
  "mailbox_days" integer NOT NULL,
  "storage_mb_max" integer,
  "storage_mb_days" integer,
  "sent" integer NOT NULL,
  "bytes" integer NOT NULL,
  "bytes_in" integer NOT NULL,
  "bounces" integer NOT NULL,
  PRIMARY KEY ("month", "position")
);

CREATE INDEX "ix_usage_month_partner" ON "usage_month" ("partner_id", "month", "position");

CREATE TABLE "verification" (
  "domain_id" integer PRIMARY KEY NOT NULL,
  "status" varchar(16) NOT NULL,
  "dkim_status" varchar(32) NOT NULL,
  "started_at" integer,
  "verified_at" integer,
  "lost_at" integer,
  "last_checked_at" integer,
  "last_asked_at" integer,
  "last_error" varchar(500),
  "next_check_at" integer,
  "check_attempt" integer NOT NULL,
  "ownership_token" varchar(64) NOT NULL,
  "ownership_required" integer NOT NULL,
  "ownership_seen_at" integer,
  "dns_records" text,
  "partner_id" integer,
  "configuration_set" varchar(64),
  "align_at" integer,
  "at_risk_since" integer,
  "at_risk_announced_at" integer,
  "tenant_partner_id" integer,
  CONSTRAINT "fk_verification_domain" FOREIGN KEY ("domain_id") REFERENCES "domain" ("id") ON DELETE CASCADE ON UPDATE NO ACTION
);

CREATE INDEX "ix_verification_align" ON "verification" ("partner_id", "align_at", "status", "configuration_set");

CREATE INDEX "ix_verification_poll" ON "verification" ("status", "last_checked_at");

CREATE INDEX "ix_verification_status" ON "verification" ("status", "partner_id");

CREATE TABLE "webhook_attempt" (
  "id" integer PRIMARY KEY AUTOINCREMENT NOT NULL,
  "endpoint_id" integer NOT NULL,
  "position" integer,
  "type" varchar(40) NOT NULL,
  "at" integer NOT NULL,
  "outcome" varchar(10) NOT NULL,
  "status" integer,
  "is_failed" integer NOT NULL
);

CREATE INDEX "ix_webhook_attempt_endpoint" ON "webhook_attempt" ("endpoint_id", "is_failed", "id");

CREATE INDEX "ix_webhook_attempt_failed" ON "webhook_attempt" ("is_failed", "at");

CREATE TABLE "webhook_delivery" (
  "endpoint_id" integer NOT NULL,
  "position" integer NOT NULL,
  "attempts" integer NOT NULL,
  "next_at" integer NOT NULL,
  "is_held" integer NOT NULL,
  PRIMARY KEY ("endpoint_id", "position")
);

CREATE INDEX "ix_webhook_delivery_due" ON "webhook_delivery" ("endpoint_id", "is_held", "next_at");

CREATE TABLE "webhook_endpoint" (
  "id" integer PRIMARY KEY AUTOINCREMENT NOT NULL,
  "partner_id" integer,
  "key_id" integer,
  "url" varchar(2048) NOT NULL,
  "types" text,
  "description" varchar(128),
  "status" varchar(12) NOT NULL,
  "disabled_reason" varchar(20),
  "secret" varchar(160) NOT NULL,
  "former_secret" varchar(160),
  "former_until" integer,
  "confirmed_at" integer,
  "challenge_at" integer,
  "cursor_at" integer NOT NULL,
  "is_behind" integer NOT NULL,
  "failing_since" integer,
  "redeliver_after" integer,
  "redeliver_until" integer,
  "created_at" integer NOT NULL,
  "wake_at" integer,
  "claimed_until" integer
);

CREATE INDEX "ix_webhook_endpoint_cursor" ON "webhook_endpoint" ("status", "cursor_at");

CREATE INDEX "ix_webhook_endpoint_key" ON "webhook_endpoint" ("key_id");

CREATE INDEX "ix_webhook_endpoint_partner" ON "webhook_endpoint" ("partner_id", "id");

CREATE INDEX "ix_webhook_endpoint_wake" ON "webhook_endpoint" ("wake_at");

CREATE TABLE "webhook_feed" (
  "id" integer PRIMARY KEY NOT NULL,
  "position" integer NOT NULL
);

CREATE TABLE "webhook_turn" (
  "holder" varchar(300) PRIMARY KEY NOT NULL,
  "times" text NOT NULL,
  "ends_at" integer NOT NULL
);

CREATE INDEX "ix_webhook_turn_end" ON "webhook_turn" ("ends_at");

CREATE TABLE "write_probe" (
  "id" integer PRIMARY KEY AUTOINCREMENT NOT NULL,
  "filler" varchar(1000) NOT NULL
);

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
