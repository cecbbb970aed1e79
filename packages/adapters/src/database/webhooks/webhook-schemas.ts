import { WebhookEndpoint } from '@mailstead/core/webhooks/webhook-endpoint';
import { EntitySchema } from 'typeorm';
import type { ColumnsOf } from '../driver/columns-of.js';
import { Columns, type Dialect } from '../driver/dialect.js';
import { rowTable } from '../driver/row-table.js';
import { partnerRef } from '../partners/partner-ref-column.js';

const LONGEST_URL = 2_048;
/** A sealed secret has 111 characters. */
const SEALED = 160;

export function webhookSchemas(dialect: Dialect): EntitySchema<object>[] {
  const columns = new Columns(dialect);
  const fields = {
    id: columns.id(),
    partnerId: columns.ref({ name: 'partner_id', nullable: true, update: false }),
    partnerRef,
    keyId: columns.ref({ name: 'key_id', nullable: true }),
    url: columns.exact(LONGEST_URL),
    types: columns.json({ nullable: true }),
    description: columns.text(128, { nullable: true }),
    status: columns.exact(12),
    disabledReason: columns.exact(20, { name: 'disabled_reason', nullable: true }),
    secret: columns.exact(SEALED),
    formerSecret: columns.exact(SEALED, { name: 'former_secret', nullable: true }),
    formerUntil: columns.time({ name: 'former_until', nullable: true }),
    confirmedAt: columns.time({ name: 'confirmed_at', nullable: true }),
    challengeAt: columns.time({ name: 'challenge_at', nullable: true }),
    cursor: columns.big({ name: 'cursor_at' }),
    isBehind: columns.flag({ name: 'is_behind' }),
    failingSince: columns.time({ name: 'failing_since', nullable: true }),
    redeliverAfter: columns.big({ name: 'redeliver_after', nullable: true }),
    redeliverUntil: columns.big({ name: 'redeliver_until', nullable: true }),
    createdAt: columns.time({ name: 'created_at', update: false }),
  } satisfies ColumnsOf<WebhookEndpoint, 'wantedTypes'>;
  // Written by SQL alone.
  const written = { nullable: true, select: false, insert: false, update: false };
  const endpoints = new EntitySchema<object>({
    name: 'WebhookEndpoint',
    target: WebhookEndpoint,
    tableName: 'webhook_endpoint',
    columns: {
      ...fields,
      /** When a walk is due; null: nothing is. */
      wakeAt: columns.time({ name: 'wake_at', ...written }),
      /** Until when a walk is claimed. */
      claimedUntil: columns.time({ name: 'claimed_until', ...written }),
    },
    indices: [
      { name: 'ix_webhook_endpoint_partner', columns: ['partnerId', 'id'] },
      { name: 'ix_webhook_endpoint_key', columns: ['keyId'] },
      { name: 'ix_webhook_endpoint_cursor', columns: ['status', 'cursor'] },
      { name: 'ix_webhook_endpoint_wake', columns: ['wakeAt'] },
    ],
  });
  return [endpoints, ...rowTables(columns)];
}

function rowTables(columns: Columns): EntitySchema<object>[] {
  return [
    rowTable('WebhookDeliveryRow', 'webhook_delivery', {
      columns: {
        endpointId: columns.ref({ name: 'endpoint_id', primary: true }),
        position: columns.big({ primary: true }),
        attempts: columns.integer(),
        nextAt: columns.time({ name: 'next_at' }),
        isHeld: columns.flag({ name: 'is_held' }),
      },
      indices: [{ name: 'ix_webhook_delivery_due', columns: ['endpointId', 'isHeld', 'nextAt'] }],
    }),
    rowTable('WebhookAttemptRow', 'webhook_attempt', {
      columns: {
        id: columns.id(),
        endpointId: columns.ref({ name: 'endpoint_id' }),
        position: columns.big({ nullable: true }),
        type: columns.exact(40),
        at: columns.time(),
        outcome: columns.exact(10),
        status: columns.integer({ nullable: true }),
        isFailed: columns.flag({ name: 'is_failed' }),
      },
      indices: [
        { name: 'ix_webhook_attempt_endpoint', columns: ['endpointId', 'isFailed', 'id'] },
        { name: 'ix_webhook_attempt_failed', columns: ['isFailed', 'at'] },
      ],
    }),
    rowTable('WebhookTurnRow', 'webhook_turn', {
      columns: {
        holder: columns.exact(300, { primary: true }),
        times: columns.json(),
        endsAt: columns.time({ name: 'ends_at' }),
      },
      indices: [{ name: 'ix_webhook_turn_end', columns: ['endsAt'] }],
    }),
    // One row: the position up to which endpoints were told that they have events.
    rowTable('WebhookFeedRow', 'webhook_feed', {
      columns: { id: columns.integer({ primary: true }), position: columns.big() },
    }),
  ];
}
