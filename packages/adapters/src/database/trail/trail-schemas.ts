import type { EntitySchema } from 'typeorm';
import { Columns, type Dialect } from '../driver/dialect.js';
import { rowTable } from '../driver/row-table.js';

/** Not the trails: their tables are by day (`trail-partitions.ts`, `trail-day-tables.ts`). */
export function trailSchemas(dialect: Dialect): EntitySchema<object>[] {
  const columns = new Columns(dialect);
  return [
    rowTable('TrailHostRow', 'trail_host', {
      columns: {
        host: columns.exact(255, { primary: true }),
        seenAt: columns.time({ name: 'seen_at' }),
        behindS: columns.integer({ name: 'behind_s' }),
      },
    }),
    rowTable('TrailGapRow', 'trail_gap', {
      columns: {
        partnerId: columns.ref({ name: 'partner_id', primary: true }),
        since: columns.time(),
        until: columns.time(),
      },
    }),
    rowTable('TrailReadingRow', 'trail_reading', {
      columns: {
        operator: columns.exact(128, { primary: true }),
        partnerId: columns.ref({ name: 'partner_id', primary: true }),
        hour: columns.time({ primary: true }),
      },
      indices: [{ name: 'ix_trail_reading_hour', columns: ['hour'] }],
    }),
  ];
}
