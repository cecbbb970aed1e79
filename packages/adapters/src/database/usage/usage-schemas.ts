import type { EntitySchema } from 'typeorm';
import { Columns, type Dialect } from '../driver/dialect.js';
import { rowTable } from '../driver/row-table.js';

/** The tables of usage. They have no foreign key to the domain, because its rows outlive it. */
export function usageSchemas(dialect: Dialect): EntitySchema<object>[] {
  const columns = new Columns(dialect);
  return [
    // What a name used on an ended day under one partner.
    rowTable('UsageDayRow', 'usage_day', {
      columns: {
        // The month in which the day is invoiced: its own, or a later one when it was written after its month closed.
        month: columns.exact(7, { primary: true }),
        name: columns.name(253, { primary: true }),
        day: columns.exact(10, { primary: true }),
        partnerId: columns.ref({ name: 'partner_id', primary: true }),
        plan: columns.exact(16, { nullable: true }),
        externalRef: columns.text(128, { name: 'external_ref', nullable: true }),
        billingRef: columns.text(128, { name: 'billing_ref', nullable: true }),
        // 1 when the day counts for this partner, who was the last to hold the name on it; otherwise 0.
        held: columns.flag(),
        mailboxes: columns.integer(),
        storageMb: columns.integer({ name: 'storage_mb', nullable: true }),
        sent: columns.big(),
        bytes: columns.big(),
        bytesIn: columns.big({ name: 'bytes_in', default: 0 }),
        bounces: columns.big(),
      },
      indices: [
        { name: 'ix_usage_day_partner', columns: ['partnerId', 'month', 'name'] },
        { name: 'ix_usage_day_day', columns: ['day', 'name'] },
      ],
    }),
    // A row of the report of a month whose days are no longer kept. The position is that of the row in the report.
    rowTable('UsageMonthRow', 'usage_month', {
      columns: {
        month: columns.exact(7, { primary: true }),
        position: columns.integer({ primary: true }),
        partnerId: columns.ref({ name: 'partner_id' }),
        name: columns.name(253),
        plan: columns.exact(16, { nullable: true }),
        // Empty: none.
        externalRef: columns.text(128, { name: 'external_ref' }),
        billingRef: columns.text(128, { name: 'billing_ref' }),
        firstDay: columns.exact(10, { name: 'first_day' }),
        lastDay: columns.exact(10, { name: 'last_day' }),
        // The last day that counts for the partner.
        lastHeldDay: columns.exact(10, { name: 'last_held_day', nullable: true }),
        days: columns.integer(),
        mailboxesMax: columns.integer({ name: 'mailboxes_max' }),
        mailboxDays: columns.big({ name: 'mailbox_days' }),
        storageMbMax: columns.integer({ name: 'storage_mb_max', nullable: true }),
        storageMbDays: columns.big({ name: 'storage_mb_days', nullable: true }),
        sent: columns.big(),
        bytes: columns.big(),
        bytesIn: columns.big({ name: 'bytes_in' }),
        bounces: columns.big(),
      },
      indices: [{ name: 'ix_usage_month_partner', columns: ['partnerId', 'month', 'position'] }],
    }),
    // How much of a domain's counters of a month is in `usage_day` already. It moves with the counters.
    rowTable('UsageCountedRow', 'usage_counted', {
      columns: {
        domainId: columns.ref({ name: 'domain_id', primary: true }),
        month: columns.exact(7),
        sent: columns.big(),
        bytes: columns.big(),
        bytesIn: columns.big({ name: 'bytes_in', default: 0 }),
        bounces: columns.big(),
      },
    }),
  ];
}
