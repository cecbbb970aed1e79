import type { EntitySchema } from 'typeorm';
import { Columns, type Dialect } from '../driver/dialect.js';
import { rowTable } from '../driver/row-table.js';
import { MTA_DOMAIN_ROWS } from '../migrations/mta-domain.js';
import { derived } from './derived.js';

/**
 * What the mail servers ask about a domain: one row for each domain whose `inbound` is open. A domain sends when it
 * is not `held` and `sends_until` is null or in the future.
 */
export const mtaDomain = derived({
  table: 'mta_domain',
  key: 'domain_id',
  columns: ['domain_id', 'domain', 'suspended', 'held', 'sends_until', 'retention_days', 'transfer_cap_mb'],
  of: 'domain',
  finders: { id: 'PRIMARY', parent_id: 'ix_domain_parent', partner_id: 'ix_domain_partner' },
  rows: MTA_DOMAIN_ROWS,
  sources: [
    {
      table: 'domain',
      key: 'id',
      columns: {
        id: [
          'name',
          'inbound',
          'suspension_causes',
          'outbound_status',
          'inherited_until',
          'retention_days',
          'transfer_monthly_mb',
          'parent_id',
          'partner_id',
        ],
        parent_id: ['suspension_causes', 'outbound_status'],
      },
      existence: ['inbound'],
    },
    { table: 'verification', key: 'domain_id', columns: { id: ['status'], parent_id: ['status'] } },
    { table: 'partner', key: 'id', columns: { partner_id: ['stage'] } },
  ],
});

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
