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
        bounces: columns.big(),
      },
      indices: [
        { name: 'ix_usage_day_partner', columns: ['partnerId', 'month', 'name'] },
        { name: 'ix_usage_day_day', columns: ['day', 'name'] },
      ],
    }),
    // How much of a domain's counters of a month is in `usage_day` already. It moves with the counters.
    rowTable('UsageCountedRow', 'usage_counted', {
      columns: {
        domainId: columns.ref({ name: 'domain_id', primary: true }),
        month: columns.exact(7),
        sent: columns.big(),
        bytes: columns.big(),
        bounces: columns.big(),
      },
    }),
  ];
}
