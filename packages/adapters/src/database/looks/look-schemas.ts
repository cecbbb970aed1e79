import type { EntitySchema } from 'typeorm';
import { Columns, type Dialect } from '../driver/dialect.js';
import { rowTable } from '../driver/row-table.js';

/**
 * When the DNS records of each domain are looked at, and what the looks have found (`Look`); one row, which a migration
 * inserts, for what all looks share; and what the holders of domains said of hosts in front of ours (`FrontHosts`).
 */
export function lookSchemas(dialect: Dialect): EntitySchema<object>[] {
  const columns = new Columns(dialect);
  return [
    rowTable('DnsLookRow', 'dns_look', {
      columns: {
        domainId: columns.ref({ name: 'domain_id', primary: true }),
        partnerId: columns.ref({ name: 'partner_id' }),
        dueAt: columns.time({ name: 'due_at' }),
        lacks: columns.words(32),
        suspected: columns.words(32),
        suspectedAt: columns.time({ name: 'suspected_at', nullable: true }),
        hold: columns.exact(8, { nullable: true }),
      },
      indices: [
        { name: 'ix_dns_look_due', columns: ['partnerId', 'dueAt'] },
        { name: 'ix_dns_look_hold', columns: ['hold'] },
      ],
      foreignKeys: [
        {
          target: 'Domain',
          columnNames: ['domainId'],
          referencedColumnNames: ['id'],
          name: 'fk_dns_look_domain',
          onDelete: 'CASCADE',
          onUpdate: 'NO ACTION',
        },
      ],
    }),
    rowTable('FrontHostsRow', 'front_hosts', {
      columns: {
        domainId: columns.ref({ name: 'domain_id', primary: true }),
        // 20 names of 253 characters, with commas.
        hosts: columns.words(5_080),
        saidAt: columns.time({ name: 'said_at' }),
      },
      foreignKeys: [
        {
          target: 'Domain',
          columnNames: ['domainId'],
          referencedColumnNames: ['id'],
          name: 'fk_front_hosts_domain',
          onDelete: 'CASCADE',
          onUpdate: 'NO ACTION',
        },
      ],
    }),
    rowTable('DnsLookStateRow', 'dns_look_state', {
      columns: {
        id: columns.integer({ primary: true }),
        // The day of `newLacks`, YYYY-MM-DD.
        day: columns.exact(10),
        newLacks: columns.integer({ name: 'new_lacks' }),
        round: columns.exact(36),
        roundUntil: columns.time({ name: 'round_until' }),
        problem: columns.text(500, { nullable: true }),
      },
    }),
  ];
}
