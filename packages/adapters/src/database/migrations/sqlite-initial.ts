import type { Statement } from './step.js';

/** The first schema, generated from the entity schemas. */
export const sqliteInitial: Statement[] = [
  [
    'CreatePartner',
    'CREATE TABLE "partner" ("id" integer PRIMARY KEY AUTOINCREMENT NOT NULL, "ref" varchar(128) NOT NULL, "domain_count" integer NOT NULL, "last_created_at" integer NOT NULL, CONSTRAINT "uq_partner_ref" UNIQUE ("ref"))',
  ],
  [
    'CreateApiKey',
    'CREATE TABLE "api_key" ("id" integer PRIMARY KEY AUTOINCREMENT NOT NULL, "partner_id" integer NOT NULL, "token_hash" varchar(64) NOT NULL, "token_mask" varchar(16) NOT NULL, "domains_allowed" integer NOT NULL, "mailboxes_per_domain" integer NOT NULL, "aliases_per_mailbox" integer NOT NULL, "active" integer NOT NULL, "expires_at" integer, "created_at" integer NOT NULL, "last_used_at" integer, CONSTRAINT "uq_api_key_token_hash" UNIQUE ("token_hash"), CONSTRAINT "fk_api_key_partner" FOREIGN KEY ("partner_id") REFERENCES "partner" ("id") ON DELETE NO ACTION ON UPDATE NO ACTION)',
  ],
  ['IndexIxApiKeyPartner', 'CREATE INDEX "ix_api_key_partner" ON "api_key" ("partner_id", "id")'],
  [
    'CreateDomain',
    'CREATE TABLE "domain" ("id" integer PRIMARY KEY AUTOINCREMENT NOT NULL, "name" varchar(253) NOT NULL, "partner_id" integer NOT NULL, "created_at" integer NOT NULL, "plan" varchar(16), "retention_days" integer NOT NULL, "retention_days_before" integer NOT NULL, "retention_lowered_at" integer, "transfer_monthly_mb" integer NOT NULL, "suspension_causes" varchar(64) NOT NULL, "outbound_tier" varchar(16), "outbound_enforcement" varchar(16), "outbound_status" varchar(16) NOT NULL, "blocked_reason" varchar(32), "blocked_at" integer, "bounce_window_start" integer, "operator_daily_limit" integer, "operator_monthly_limit" integer, "client_daily_limit" integer, "client_monthly_limit" integer, "parent_id" integer, "wildcard_mode" varchar(8) NOT NULL, "inherited_until" integer, "inbound" varchar(8) NOT NULL, "mailbox_count" integer NOT NULL, "alias_count" integer NOT NULL, CONSTRAINT "uq_domain_name" UNIQUE ("name"), CONSTRAINT "fk_domain_partner" FOREIGN KEY ("partner_id") REFERENCES "partner" ("id") ON DELETE NO ACTION ON UPDATE NO ACTION, CONSTRAINT "fk_domain_parent" FOREIGN KEY ("parent_id") REFERENCES "domain" ("id") ON DELETE NO ACTION ON UPDATE NO ACTION)',
  ],
  ['IndexIxDomainPartner', 'CREATE INDEX "ix_domain_partner" ON "domain" ("partner_id", "id")'],
  ['IndexIxDomainParent', 'CREATE INDEX "ix_domain_parent" ON "domain" ("parent_id")'],
  [
    'CreateVerification',
    'CREATE TABLE "verification" ("domain_id" integer PRIMARY KEY NOT NULL, "status" varchar(16) NOT NULL, "dkim_status" varchar(32) NOT NULL, "dkim_tokens" varchar(512) NOT NULL, "dkim_zone" varchar(253) NOT NULL, "started_at" integer, "verified_at" integer, "lost_at" integer, "last_checked_at" integer, "last_asked_at" integer, "last_error" varchar(500), "next_check_at" integer, "check_attempt" integer NOT NULL, "ownership_token" varchar(64) NOT NULL, "ownership_required" integer NOT NULL, "ownership_seen_at" integer, CONSTRAINT "fk_verification_domain" FOREIGN KEY ("domain_id") REFERENCES "domain" ("id") ON DELETE CASCADE ON UPDATE NO ACTION)',
  ],
  ['IndexIxVerificationPoll', 'CREATE INDEX "ix_verification_poll" ON "verification" ("status", "last_checked_at")'],
  [
    'CreateMailbox',
    'CREATE TABLE "mailbox" ("id" integer PRIMARY KEY AUTOINCREMENT NOT NULL, "domain_id" integer NOT NULL, "email" varchar(254) NOT NULL, "local_part" varchar(64) NOT NULL, "name" varchar(128), "password_hash" varchar(255) NOT NULL, "quota_mb" integer NOT NULL, "outbound_daily_limit" integer NOT NULL, "active" integer NOT NULL, "home" varchar(32) NOT NULL, "created_at" integer NOT NULL, CONSTRAINT "uq_mailbox_email" UNIQUE ("email"), CONSTRAINT "fk_mailbox_domain" FOREIGN KEY ("domain_id") REFERENCES "domain" ("id") ON DELETE NO ACTION ON UPDATE NO ACTION)',
  ],
  ['IndexIxMailboxDomain', 'CREATE INDEX "ix_mailbox_domain" ON "mailbox" ("domain_id", "id")'],
  [
    'CreateAlias',
    'CREATE TABLE "alias" ("id" integer PRIMARY KEY AUTOINCREMENT NOT NULL, "domain_id" integer NOT NULL, "address" varchar(254) NOT NULL, "destination" varchar(254) NOT NULL, "destination_mailbox_id" integer, "created_at" integer NOT NULL, CONSTRAINT "uq_alias_address_destination" UNIQUE ("address", "destination"), CONSTRAINT "fk_alias_domain" FOREIGN KEY ("domain_id") REFERENCES "domain" ("id") ON DELETE NO ACTION ON UPDATE NO ACTION, CONSTRAINT "fk_alias_mailbox" FOREIGN KEY ("destination_mailbox_id") REFERENCES "mailbox" ("id") ON DELETE CASCADE ON UPDATE NO ACTION)',
  ],
  ['IndexIxAliasDomain', 'CREATE INDEX "ix_alias_domain" ON "alias" ("domain_id", "id")'],
  ['IndexIxAliasDestination', 'CREATE INDEX "ix_alias_destination" ON "alias" ("destination")'],
  ['IndexIxAliasMailbox', 'CREATE INDEX "ix_alias_mailbox" ON "alias" ("destination_mailbox_id")'],
  [
    'CreateAuditLog',
    'CREATE TABLE "audit_log" ("id" integer PRIMARY KEY AUTOINCREMENT NOT NULL, "changed_at" integer NOT NULL, "actor_kind" varchar(16) NOT NULL, "actor" varchar(128) NOT NULL, "action" varchar(64) NOT NULL, "partner_ref" varchar(128), "domain" varchar(253), "subject" varchar(255) NOT NULL, "value_before" text, "value_after" text, "request_id" varchar(128))',
  ],
  ['IndexIxAuditPartner', 'CREATE INDEX "ix_audit_partner" ON "audit_log" ("partner_ref", "id")'],
  ['IndexIxAuditDomain', 'CREATE INDEX "ix_audit_domain" ON "audit_log" ("domain", "id")'],
  ['IndexIxAuditActor', 'CREATE INDEX "ix_audit_actor" ON "audit_log" ("actor", "id")'],
  [
    'CreateDomainTombstone',
    'CREATE TABLE "domain_tombstone" ("id" integer PRIMARY KEY AUTOINCREMENT NOT NULL, "name" varchar(253) NOT NULL, "partner_id" integer NOT NULL, "deleted_at" integer NOT NULL, "domain_id" integer NOT NULL, "suspension_causes" varchar(64) NOT NULL, "outbound_status" varchar(16) NOT NULL, "blocked_reason" varchar(32), "blocked_at" integer, "bounce_window_start" integer)',
  ],
  [
    'IndexIxDomainTombstoneName',
    'CREATE INDEX "ix_domain_tombstone_name" ON "domain_tombstone" ("name", "deleted_at")',
  ],
  ['IndexIxDomainTombstoneDeleted', 'CREATE INDEX "ix_domain_tombstone_deleted" ON "domain_tombstone" ("deleted_at")'],
  [
    'CreateMailboxTombstone',
    'CREATE TABLE "mailbox_tombstone" ("id" integer PRIMARY KEY AUTOINCREMENT NOT NULL, "email" varchar(254) NOT NULL, "home" varchar(32) NOT NULL, "deleted_at" integer NOT NULL)',
  ],
  [
    'IndexIxMailboxTombstoneDeleted',
    'CREATE INDEX "ix_mailbox_tombstone_deleted" ON "mailbox_tombstone" ("deleted_at", "id")',
  ],
  [
    'CreateOutboundTier',
    'CREATE TABLE "outbound_tier" ("tier" varchar(16) PRIMARY KEY NOT NULL, "daily_limit" integer NOT NULL, "monthly_limit" integer NOT NULL)',
  ],
  [
    'CreateOutboundCounter',
    'CREATE TABLE "outbound_counter" ("domain_id" integer PRIMARY KEY NOT NULL, "day" varchar(10) NOT NULL, "day_epoch" integer NOT NULL, "sent_today" integer NOT NULL, "month" varchar(7) NOT NULL, "month_epoch" integer NOT NULL, "period_start" integer NOT NULL, "sent_month" integer NOT NULL, "bytes_month" integer NOT NULL, "bounces_month" integer NOT NULL, "complaints_month" integer NOT NULL)',
  ],
  [
    'IndexIxOutboundCounterMonth',
    'CREATE INDEX "ix_outbound_counter_month" ON "outbound_counter" ("month_epoch", "month", "domain_id")',
  ],
  ['IndexIxOutboundCounterDay', 'CREATE INDEX "ix_outbound_counter_day" ON "outbound_counter" ("day", "day_epoch")'],
  [
    'CreateOutboundDay',
    'CREATE TABLE "outbound_day" ("domain_id" integer NOT NULL, "day" varchar(10) NOT NULL, "sent" integer NOT NULL, "bounces" integer NOT NULL, "complaints" integer NOT NULL, PRIMARY KEY ("domain_id", "day"))',
  ],
  ['IndexIxOutboundDayDay', 'CREATE INDEX "ix_outbound_day_day" ON "outbound_day" ("day")'],
  [
    'CreateOutboundSender',
    'CREATE TABLE "outbound_sender" ("domain_id" integer NOT NULL, "day" varchar(10) NOT NULL, "sender" varchar(254) NOT NULL, "day_epoch" integer NOT NULL, "sent" integer NOT NULL, PRIMARY KEY ("domain_id", "day", "sender"))',
  ],
  ['IndexIxOutboundSenderDay', 'CREATE INDEX "ix_outbound_sender_day" ON "outbound_sender" ("day")'],
  [
    'CreateOutboundIncrement',
    'CREATE TABLE "outbound_increment" ("domain_id" integer NOT NULL, "id_hash" varchar(32) NOT NULL, "message_count" integer NOT NULL, "verdict" text NOT NULL, "counted_at" integer NOT NULL, PRIMARY KEY ("domain_id", "id_hash"))',
  ],
  [
    'IndexIxOutboundIncrementCounted',
    'CREATE INDEX "ix_outbound_increment_counted" ON "outbound_increment" ("counted_at")',
  ],
  [
    'CreateOutboundHistory',
    'CREATE TABLE "outbound_history" ("id" integer PRIMARY KEY AUTOINCREMENT NOT NULL, "domain_id" integer NOT NULL, "period_start" integer NOT NULL, "period_end" integer NOT NULL, "sent" integer NOT NULL, "bytes" integer NOT NULL, "bounces" integer NOT NULL, "complaints" integer NOT NULL)',
  ],
  [
    'IndexIxOutboundHistoryDomain',
    'CREATE INDEX "ix_outbound_history_domain" ON "outbound_history" ("domain_id", "id")',
  ],
  [
    'CreateOutboundEpoch',
    'CREATE TABLE "outbound_epoch" ("id" integer PRIMARY KEY NOT NULL, "day_epoch" integer NOT NULL, "month_epoch" integer NOT NULL, "month_started_at" integer NOT NULL)',
  ],
  [
    'CreateJob',
    'CREATE TABLE "job" ("id" integer PRIMARY KEY AUTOINCREMENT NOT NULL, "name" varchar(64) NOT NULL, "payload" text NOT NULL, "unique_key" varchar(160), "state" varchar(8) NOT NULL, "run_at" integer NOT NULL, "leased_by" varchar(64), "leased_until" integer, "attempts" integer NOT NULL, "reason" varchar(500), "request_id" varchar(128), "created_at" integer NOT NULL, CONSTRAINT "uq_job_unique_key" UNIQUE ("unique_key"))',
  ],
  ['IndexIxJobDue', 'CREATE INDEX "ix_job_due" ON "job" ("state", "run_at")'],
  ['IndexIxJobName', 'CREATE INDEX "ix_job_name" ON "job" ("name", "state")'],
  [
    'CreateJobRun',
    'CREATE TABLE "job_run" ("name" varchar(64) NOT NULL, "period" varchar(32) NOT NULL, "outcome" varchar(8) NOT NULL, "started_at" integer NOT NULL, "ended_at" integer, "attempts" integer NOT NULL, "leased_until" integer, "reason" varchar(500), "counts" text, "resume_after" integer NOT NULL, PRIMARY KEY ("name", "period"))',
  ],
  ['IndexIxJobRunOutcome', 'CREATE INDEX "ix_job_run_outcome" ON "job_run" ("outcome", "name")'],
  [
    'CreateRelayEvent',
    'CREATE TABLE "relay_event" ("id" integer PRIMARY KEY AUTOINCREMENT NOT NULL, "provider_id" varchar(128) NOT NULL, "event" text NOT NULL, "received_at" integer NOT NULL, "processed_at" integer, "outcome" varchar(32), "request_id" varchar(128), CONSTRAINT "uq_relay_event_provider_id" UNIQUE ("provider_id"))',
  ],
  ['IndexIxRelayEventPending', 'CREATE INDEX "ix_relay_event_pending" ON "relay_event" ("processed_at", "id")'],
  ['IndexIxRelayEventReceived', 'CREATE INDEX "ix_relay_event_received" ON "relay_event" ("received_at")'],
  [
    'CreateRelayEffect',
    'CREATE TABLE "relay_effect" ("effect_hash" varchar(64) PRIMARY KEY NOT NULL, "counted_at" integer NOT NULL)',
  ],
  ['IndexIxRelayEffectCounted', 'CREATE INDEX "ix_relay_effect_counted" ON "relay_effect" ("counted_at")'],
  [
    'CreateNotification',
    'CREATE TABLE "notification" ("id" integer PRIMARY KEY AUTOINCREMENT NOT NULL, "notification_id" varchar(64) NOT NULL, "channel" varchar(16) NOT NULL, "type" varchar(40) NOT NULL, "happened_at" integer NOT NULL, "data" text NOT NULL, "state" varchar(10) NOT NULL, "attempts" integer NOT NULL, "next_attempt_at" integer NOT NULL, "leased_until" integer, "reason" varchar(500), CONSTRAINT "uq_notification" UNIQUE ("notification_id", "channel"))',
  ],
  ['IndexIxNotificationDue', 'CREATE INDEX "ix_notification_due" ON "notification" ("state", "next_attempt_at")'],
  [
    'CreateIdempotency',
    'CREATE TABLE "idempotency" ("key_hash" varchar(64) PRIMARY KEY NOT NULL, "body_hmac" varchar(64) NOT NULL, "leased_until" integer, "status" integer, "answer" text, "subject_table" varchar(16), "subject_id" integer, "created_at" integer NOT NULL)',
  ],
  ['IndexIxIdempotencyCreated', 'CREATE INDEX "ix_idempotency_created" ON "idempotency" ("created_at")'],
  [
    'CreateInstallation',
    'CREATE TABLE "installation" ("name" varchar(64) PRIMARY KEY NOT NULL, "value" varchar(500) NOT NULL)',
  ],
];
