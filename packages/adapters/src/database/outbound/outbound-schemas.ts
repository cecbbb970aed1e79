import type { OutboundTier } from '@mailstead/core/outbound/outbound-settings';
import { EntitySchema } from 'typeorm';
import { Columns, type Dialect } from '../driver/dialect.js';
import { rowTable } from '../driver/row-table.js';

/** The limits of a tier. */
export class TierRow {
  tier!: OutboundTier;
  dailyLimit!: number;
  monthlyLimit!: number;
}

/**
 * The tables of the outbound ledger. They have no foreign key to the domain: the counters of a deleted domain are kept
 * as long as its tombstone, and a new domain of the same partner and name gets them.
 */
export function outboundSchemas(dialect: Dialect): EntitySchema<object>[] {
  const columns = new Columns(dialect);
  const domainId = columns.ref({ name: 'domain_id', primary: true });
  return [
    new EntitySchema<TierRow>({
      name: 'OutboundTierRow',
      target: TierRow,
      tableName: 'outbound_tier',
      columns: {
        tier: columns.exact(16, { primary: true }),
        dailyLimit: columns.integer({ name: 'daily_limit' }),
        monthlyLimit: columns.integer({ name: 'monthly_limit' }),
      },
    }),
    // The live counters of a domain. A counter of an earlier day, month or epoch counts as 0.
    rowTable('OutboundCounterRow', 'outbound_counter', {
      columns: {
        domainId,
        day: columns.exact(10),
        dayEpoch: columns.integer({ name: 'day_epoch' }),
        sentToday: columns.integer({ name: 'sent_today' }),
        forwardedToday: columns.integer({ name: 'forwarded_today', default: 0 }),
        partnerDay: columns.exact(10, { name: 'partner_day', default: '' }),
        partnerSent: columns.integer({ name: 'partner_sent', default: 0 }),
        month: columns.exact(7),
        monthEpoch: columns.integer({ name: 'month_epoch' }),
        periodStart: columns.time({ name: 'period_start' }),
        sentMonth: columns.integer({ name: 'sent_month' }),
        bytesMonth: columns.big({ name: 'bytes_month' }),
        // The received part of the bytes.
        bytesInMonth: columns.big({ name: 'bytes_in_month', default: 0 }),
        bouncesMonth: columns.integer({ name: 'bounces_month' }),
        complaintsMonth: columns.integer({ name: 'complaints_month' }),
      },
      indices: [
        { name: 'ix_outbound_counter_month', columns: ['monthEpoch', 'month', 'domainId'] },
        { name: 'ix_outbound_counter_day', columns: ['day', 'dayEpoch'] },
      ],
    }),
    // Sent messages, bounces and complaints of each of the last days, for the bounce window.
    rowTable('OutboundDayRow', 'outbound_day', {
      columns: {
        domainId,
        day: columns.exact(10, { primary: true }),
        sent: columns.integer(),
        bounces: columns.integer(),
        complaints: columns.integer(),
        // How much of the row is in the day of the partner.
        partnerSent: columns.integer({ name: 'partner_sent', default: 0 }),
        partnerBounces: columns.integer({ name: 'partner_bounces', default: 0 }),
        partnerComplaints: columns.integer({ name: 'partner_complaints', default: 0 }),
      },
      indices: [{ name: 'ix_outbound_day_day', columns: ['day'] }],
    }),
    // The same of all domains of a partner. Without a foreign key: an increment must not wait for a lock of the
    // partner.
    rowTable('OutboundPartnerDayRow', 'outbound_partner_day', {
      columns: {
        partnerId: columns.ref({ name: 'partner_id', primary: true }),
        day: columns.exact(10, { primary: true }),
        sent: columns.big(),
        bounces: columns.big(),
        complaints: columns.big(),
      },
      indices: [{ name: 'ix_outbound_partner_day_day', columns: ['day'] }],
    }),
    rowTable('OutboundSenderRow', 'outbound_sender', {
      columns: {
        domainId,
        day: columns.exact(10, { primary: true }),
        sender: columns.name(254, { primary: true }),
        dayEpoch: columns.integer({ name: 'day_epoch' }),
        sent: columns.integer(),
        sentElsewhere: columns.integer({ name: 'sent_elsewhere', default: 0 }),
        receipts: columns.integer({ default: 0 }),
      },
      indices: [{ name: 'ix_outbound_sender_day', columns: ['day'] }],
    }),
    // The outcomes of counted increments with an id, for 24 hours, packed (`packed-increment.ts`).
    rowTable('OutboundCountedIdRow', 'outbound_counted_id', {
      columns: {
        domainId,
        idHash: columns.bytes(16, { name: 'id_hash', primary: true }),
        outcome: columns.bytes(400),
        countedAt: columns.time({ name: 'counted_at' }),
      },
      indices: [{ name: 'ix_outbound_counted_id_at', columns: ['countedAt'] }],
    }),
    rowTable('OutboundHistoryRow', 'outbound_history', {
      columns: {
        id: columns.id(),
        domainId: columns.ref({ name: 'domain_id' }),
        periodStart: columns.time({ name: 'period_start' }),
        periodEnd: columns.time({ name: 'period_end' }),
        sent: columns.integer(),
        bytes: columns.big(),
        bytesIn: columns.big({ name: 'bytes_in', default: 0 }),
        bounces: columns.integer(),
        complaints: columns.integer(),
      },
      indices: [{ name: 'ix_outbound_history_domain', columns: ['domainId', 'id'] }],
    }),
    // One row. A manual reset raises an epoch instead of updating every counter.
    rowTable('OutboundEpochRow', 'outbound_epoch', {
      columns: {
        id: columns.integer({ primary: true }),
        dayEpoch: columns.integer({ name: 'day_epoch' }),
        monthEpoch: columns.integer({ name: 'month_epoch' }),
        monthStartedAt: columns.time({ name: 'month_started_at' }),
      },
    }),
  ];
}
