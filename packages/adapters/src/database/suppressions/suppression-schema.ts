import { LONGEST_ADDRESS } from '@mailstead/core/mailboxes/address';
import { Suppression } from '@mailstead/core/suppressions/suppression';
import { EntitySchema } from 'typeorm';
import type { ColumnsOf } from '../driver/columns-of.js';
import { Columns, type Dialect } from '../driver/dialect.js';
import { partnerRef } from '../partners/partner-ref-column.js';

/**
 * Without foreign keys, like the outbound tables: the rows of a deleted domain stay under its id. A row of the partner
 * as a whole has the domain 0, because a unique key takes two rows with null.
 */
export function suppressionSchema(dialect: Dialect): EntitySchema<Suppression> {
  const columns = new Columns(dialect);
  return new EntitySchema<Suppression>({
    name: 'Suppression',
    target: Suppression,
    tableName: 'suppression',
    columns: {
      id: columns.id(),
      partnerId: columns.ref({ name: 'partner_id' }),
      partnerRef,
      domainId: columns.ref({ name: 'domain_id' }),
      domain: {
        type: 'varchar',
        virtualProperty: true,
        query: (alias) => `SELECT d.name FROM domain d WHERE d.id = ${alias}.domain_id`,
      },
      address: columns.exact(LONGEST_ADDRESS),
      reason: columns.exact(9),
      note: columns.text(128, { nullable: true }),
      since: columns.time(),
      expiresAt: columns.time({ name: 'expires_at', nullable: true }),
      spelling: columns.text(LONGEST_ADDRESS, { nullable: true }),
      lift: columns.exact(7, { nullable: true }),
    } satisfies ColumnsOf<Suppression>,
    uniques: [{ name: 'uq_suppression_address', columns: ['partnerId', 'domainId', 'address'] }],
    indices: [
      { name: 'ix_suppression_partner', columns: ['partnerId', 'id'] },
      { name: 'ix_suppression_domain', columns: ['domainId', 'id'] },
      { name: 'ix_suppression_beginning', columns: ['partnerId', 'address'] },
      // For operators, who search the rows of all partners.
      { name: 'ix_suppression_address', columns: ['address'] },
      // For the oldest bounce, and for the expired ones of a partner.
      { name: 'ix_suppression_reason', columns: ['partnerId', 'reason', 'expiresAt'] },
      // For what events newly suppressed on a day.
      { name: 'ix_suppression_since', columns: ['since', 'domainId', 'reason'] },
      { name: 'ix_suppression_expiry', columns: ['expiresAt', 'partnerId'] },
    ],
  });
}
