import { addIndex } from './alterations.js';
import type { Migration, Statement } from './step.js';

const MYSQL: Statement[] = [
  [
    'CreateWebhookEndpoint',
    'CREATE TABLE `webhook_endpoint` (`id` bigint NOT NULL AUTO_INCREMENT, `partner_id` bigint NULL, `key_id` bigint NULL, `url` varchar(2048) CHARACTER SET ascii COLLATE ascii_bin NOT NULL, `types` mediumtext CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NULL, `description` varchar(128) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NULL, `status` varchar(12) CHARACTER SET ascii COLLATE ascii_bin NOT NULL, `disabled_reason` varchar(20) CHARACTER SET ascii COLLATE ascii_bin NULL, `secret` varchar(160) CHARACTER SET ascii COLLATE ascii_bin NOT NULL, `former_secret` varchar(160) CHARACTER SET ascii COLLATE ascii_bin NULL, `former_until` bigint NULL, `confirmed_at` bigint NULL, `challenge_at` bigint NULL, `cursor_at` bigint NOT NULL, `is_behind` tinyint NOT NULL, `failing_since` bigint NULL, `redeliver_after` bigint NULL, `redeliver_until` bigint NULL, `created_at` bigint NOT NULL, `wake_at` bigint NULL, `claimed_until` bigint NULL, PRIMARY KEY (`id`)) ENGINE=InnoDB',
  ],
  [
    'CreateWebhookDelivery',
    'CREATE TABLE `webhook_delivery` (`endpoint_id` bigint NOT NULL, `position` bigint NOT NULL, `attempts` int NOT NULL, `next_at` bigint NOT NULL, `is_held` tinyint NOT NULL, PRIMARY KEY (`endpoint_id`, `position`)) ENGINE=InnoDB',
  ],
  [
    'CreateWebhookAttempt',
    'CREATE TABLE `webhook_attempt` (`id` bigint NOT NULL AUTO_INCREMENT, `endpoint_id` bigint NOT NULL, `position` bigint NULL, `type` varchar(40) CHARACTER SET ascii COLLATE ascii_bin NOT NULL, `at` bigint NOT NULL, `outcome` varchar(10) CHARACTER SET ascii COLLATE ascii_bin NOT NULL, `status` int NULL, `is_failed` tinyint NOT NULL, PRIMARY KEY (`id`)) ENGINE=InnoDB',
  ],
  [
    'CreateWebhookTurn',
    'CREATE TABLE `webhook_turn` (`holder` varchar(300) CHARACTER SET ascii COLLATE ascii_bin NOT NULL, `times` mediumtext CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL, `ends_at` bigint NOT NULL, PRIMARY KEY (`holder`)) ENGINE=InnoDB',
  ],
  [
    'CreateWebhookFeed',
    'CREATE TABLE `webhook_feed` (`id` int NOT NULL, `position` bigint NOT NULL, PRIMARY KEY (`id`)) ENGINE=InnoDB',
  ],
];

const SQLITE: Statement[] = [
  [
    'CreateWebhookEndpoint',
    'CREATE TABLE "webhook_endpoint" ("id" integer PRIMARY KEY AUTOINCREMENT NOT NULL, "partner_id" integer, "key_id" integer, "url" varchar(2048) NOT NULL, "types" text, "description" varchar(128), "status" varchar(12) NOT NULL, "disabled_reason" varchar(20), "secret" varchar(160) NOT NULL, "former_secret" varchar(160), "former_until" integer, "confirmed_at" integer, "challenge_at" integer, "cursor_at" integer NOT NULL, "is_behind" integer NOT NULL, "failing_since" integer, "redeliver_after" integer, "redeliver_until" integer, "created_at" integer NOT NULL, "wake_at" integer, "claimed_until" integer)',
  ],
  [
    'CreateWebhookDelivery',
    'CREATE TABLE "webhook_delivery" ("endpoint_id" integer NOT NULL, "position" integer NOT NULL, "attempts" integer NOT NULL, "next_at" integer NOT NULL, "is_held" integer NOT NULL, PRIMARY KEY ("endpoint_id", "position"))',
  ],
  [
    'CreateWebhookAttempt',
    'CREATE TABLE "webhook_attempt" ("id" integer PRIMARY KEY AUTOINCREMENT NOT NULL, "endpoint_id" integer NOT NULL, "position" integer, "type" varchar(40) NOT NULL, "at" integer NOT NULL, "outcome" varchar(10) NOT NULL, "status" integer, "is_failed" integer NOT NULL)',
  ],
  [
    'CreateWebhookTurn',
    'CREATE TABLE "webhook_turn" ("holder" varchar(300) PRIMARY KEY NOT NULL, "times" text NOT NULL, "ends_at" integer NOT NULL)',
  ],
  ['CreateWebhookFeed', 'CREATE TABLE "webhook_feed" ("id" integer PRIMARY KEY NOT NULL, "position" integer NOT NULL)'],
];

/** Endpoints of webhooks, what failed and is tried again, their attempts, and how often they were probed. */
export const webhooks: Migration['statements'] = [
  { mysql: MYSQL, sqlite: SQLITE },
  addIndex('ix_webhook_endpoint_partner', 'webhook_endpoint', ['partner_id', 'id']),
  addIndex('ix_webhook_endpoint_key', 'webhook_endpoint', ['key_id']),
  addIndex('ix_webhook_endpoint_cursor', 'webhook_endpoint', ['status', 'cursor_at']),
  addIndex('ix_webhook_endpoint_wake', 'webhook_endpoint', ['wake_at']),
  addIndex('ix_webhook_delivery_due', 'webhook_delivery', ['endpoint_id', 'is_held', 'next_at']),
  addIndex('ix_webhook_attempt_endpoint', 'webhook_attempt', ['endpoint_id', 'is_failed', 'id']),
  addIndex('ix_webhook_attempt_at', 'webhook_attempt', ['at']),
  addIndex('ix_webhook_turn_end', 'webhook_turn', ['ends_at']),
  ['FillWebhookFeed', 'INSERT INTO webhook_feed (id, position) VALUES (1, 0)'],
];
