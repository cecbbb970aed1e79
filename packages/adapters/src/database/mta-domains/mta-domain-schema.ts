import type { EntitySchema } from 'typeorm';
import { Columns, type Dialect } from '../driver/dialect.js';
import { rowTable } from '../driver/row-table.js';

/**
 * What the mail servers ask about a domain: one row for each domain whose `inbound` is open. `MtaDomainChanges` writes
 * it. A domain sends when it is not `held` and `sends_until` is null or in the future.
 */
export function mtaDomainSchemas(dialect: Dialect): EntitySchema<object>[] {
  if (!dialect.isReadByMailServers) return [];
  const columns = new Columns(dialect);
  return [
    rowTable('MtaDomainRow', 'mta_domain', {
      columns: {
        domainId: columns.ref({ name: 'domain_id', primary: true }),
        domain: columns.name(253),
        suspended: columns.flag(),
        held: columns.flag(),
        sendsUntil: columns.time({ name: 'sends_until', nullable: true }),
        retentionDays: columns.integer({ name: 'retention_days' }),
        transferCapMb: columns.integer({ name: 'transfer_cap_mb' }),
      },
      uniques: [{ name: 'uq_mta_domain', columns: ['domain'] }],
      foreignKeys: [
        {
          target: 'Domain',
          columnNames: ['domainId'],
          referencedColumnNames: ['id'],
          name: 'fk_mta_domain_domain',
          onDelete: 'CASCADE',
          onUpdate: 'NO ACTION',
        },
      ],
    }),
  ];
}
