import type { EntitySchema } from 'typeorm';
import { Columns, type Dialect } from '../driver/dialect.js';
import { rowTable } from '../driver/row-table.js';

/** Work to be done later, the ledger of periodic runs, the inbox of relay events, the outbox of notifications. */
export function jobSchemas(dialect: Dialect): EntitySchema<object>[] {
  const columns = new Columns(dialect);
  return [
    rowTable('JobRow', 'job', {
      columns: {
        id: columns.id(),
        name: columns.exact(64),
        payload: columns.json(),
        // Unique among jobs that wait; null when any number may wait.
        uniqueKey: columns.exact(160, { name: 'unique_key', nullable: true }),
        // waiting | dead
        state: columns.exact(8),
        runAt: columns.time({ name: 'run_at' }),
        // Who runs it until when; a lease that ran out is up for grabs.
        leasedBy: columns.exact(64, { name: 'leased_by', nullable: true }),
        leasedUntil: columns.time({ name: 'leased_until', nullable: true }),
        attempts: columns.integer(),
        reason: columns.text(500, { nullable: true }),
        requestId: columns.exact(128, { name: 'request_id', nullable: true }),
        createdAt: columns.time({ name: 'created_at' }),
      },
      uniques: [{ name: 'uq_job_unique_key', columns: ['uniqueKey'] }],
      indices: [
        { name: 'ix_job_due', columns: ['state', 'runAt'] },
        { name: 'ix_job_name', columns: ['name', 'state'] },
      ],
    }),
    // One row for each period of a schedule: whoever inserts it runs it.
    rowTable('JobRunRow', 'job_run', {
      columns: {
        name: columns.exact(64, { primary: true }),
        period: columns.exact(32, { primary: true }),
        // running | done | failed
        outcome: columns.exact(8),
        startedAt: columns.time({ name: 'started_at' }),
        endedAt: columns.time({ name: 'ended_at', nullable: true }),
        attempts: columns.integer(),
        leasedUntil: columns.time({ name: 'leased_until', nullable: true }),
        reason: columns.text(500, { nullable: true }),
        counts: columns.json({ nullable: true }),
        // How far a resumable run came.
        cursor: columns.big({ name: 'resume_after' }),
      },
      indices: [{ name: 'ix_job_run_outcome', columns: ['outcome', 'name'] }],
    }),
    rowTable('RelayEventRow', 'relay_event', {
      columns: {
        id: columns.id(),
        providerId: columns.exact(128, { name: 'provider_id' }),
        event: columns.json(),
        receivedAt: columns.time({ name: 'received_at' }),
        processedAt: columns.time({ name: 'processed_at', nullable: true }),
        outcome: columns.exact(32, { nullable: true }),
        requestId: columns.exact(128, { name: 'request_id', nullable: true }),
        attempts: columns.integer({ default: 0 }),
        // 0 until an attempt fails; null when the event is set aside.
        nextAttemptAt: columns.time({ name: 'next_attempt_at', nullable: true, default: 0 }),
        reason: columns.text(500, { nullable: true }),
      },
      uniques: [{ name: 'uq_relay_event_provider_id', columns: ['providerId'] }],
      indices: [
        { name: 'ix_relay_event_due', columns: ['processedAt', 'nextAttemptAt', 'id'] },
        { name: 'ix_relay_event_received', columns: ['receivedAt'] },
      ],
    }),
    // One row for each message, recipient and kind: a bounce counts once, by whichever path it comes.
    rowTable('RelayEffectRow', 'relay_effect', {
      columns: {
        effectHash: columns.exact(64, { name: 'effect_hash', primary: true }),
        countedAt: columns.time({ name: 'counted_at' }),
      },
      indices: [{ name: 'ix_relay_effect_counted', columns: ['countedAt'] }],
    }),
    // One row for each notification and channel.
    rowTable('NotificationRow', 'notification', {
      columns: {
        id: columns.id(),
        notificationId: columns.exact(64, { name: 'notification_id' }),
        channel: columns.exact(16),
        type: columns.exact(40),
        at: columns.time({ name: 'happened_at' }),
        data: columns.json(),
        // waiting | delivered | dead
        state: columns.exact(10),
        attempts: columns.integer(),
        nextAttemptAt: columns.time({ name: 'next_attempt_at' }),
        leasedUntil: columns.time({ name: 'leased_until', nullable: true }),
        reason: columns.text(500, { nullable: true }),
      },
      uniques: [{ name: 'uq_notification', columns: ['notificationId', 'channel'] }],
      indices: [{ name: 'ix_notification_due', columns: ['state', 'nextAttemptAt'] }],
    }),
    rowTable('IdempotencyRow', 'idempotency', {
      columns: {
        // SHA-256 of caller and key.
        keyHash: columns.exact(64, { name: 'key_hash', primary: true }),
        bodyHmac: columns.exact(64, { name: 'body_hmac' }),
        leasedUntil: columns.time({ name: 'leased_until', nullable: true }),
        status: columns.integer({ nullable: true }),
        answer: columns.json({ nullable: true }),
        // The table and id of what was made; gone when that is gone.
        subjectTable: columns.exact(16, { name: 'subject_table', nullable: true }),
        subjectId: columns.big({ name: 'subject_id', nullable: true }),
        createdAt: columns.time({ name: 'created_at' }),
      },
      indices: [{ name: 'ix_idempotency_created', columns: ['createdAt'] }],
    }),
    // What an installation remembers of itself, such as the id in its tags at the provider.
    rowTable('InstallationRow', 'installation', {
      columns: { name: columns.exact(64, { primary: true }), value: columns.text(500) },
    }),
  ];
}
