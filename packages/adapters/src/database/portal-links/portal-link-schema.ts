import { PortalLink } from '@mailstead/core/portal-links/portal-link';
import { EntitySchema } from 'typeorm';
import type { ColumnsOf } from '../driver/columns-of.js';
import { Columns, type Dialect } from '../driver/dialect.js';
import { partnerRef } from '../partners/partner-ref-column.js';

export function portalLinkSchema(dialect: Dialect): EntitySchema<PortalLink> {
  const columns = new Columns(dialect);
  const references = (target: string, column: string, name: string, onDelete: 'CASCADE' | 'NO ACTION') => ({
    target,
    columnNames: [column],
    referencedColumnNames: ['id'],
    name,
    onDelete,
    onUpdate: 'NO ACTION' as const,
  });
  return new EntitySchema<PortalLink>({
    name: 'PortalLink',
    target: PortalLink,
    tableName: 'portal_link',
    columns: {
      id: columns.id(),
      codeHash: columns.exact(64, { name: 'code_hash' }),
      kind: columns.exact(8),
      domainId: columns.ref({ name: 'domain_id' }),
      domainName: {
        type: 'varchar',
        virtualProperty: true,
        query: (alias) => `SELECT d.name FROM domain d WHERE d.id = ${alias}.domain_id`,
      },
      partnerId: columns.ref({ name: 'partner_id' }),
      partnerRef,
      keyId: columns.ref({ name: 'key_id', nullable: true }),
      operatorHash: columns.exact(64, { name: 'operator_hash', nullable: true }),
      createdAt: columns.time({ name: 'created_at' }),
      expiresAt: columns.time({ name: 'expires_at' }),
      usedAt: columns.time({ name: 'used_at', nullable: true }),
    } satisfies ColumnsOf<PortalLink>,
    uniques: [{ name: 'uq_portal_link_code_hash', columns: ['codeHash'] }],
    indices: [
      { name: 'ix_portal_link_domain', columns: ['domainId'] },
      { name: 'ix_portal_link_key', columns: ['keyId'] },
      { name: 'ix_portal_link_partner', columns: ['partnerId', 'id'] },
      { name: 'ix_portal_link_expires', columns: ['expiresAt'] },
    ],
    foreignKeys: [
      references('Domain', 'domainId', 'fk_portal_link_domain', 'CASCADE'),
      references('Partner', 'partnerId', 'fk_portal_link_partner', 'NO ACTION'),
      references('ApiKey', 'keyId', 'fk_portal_link_key', 'CASCADE'),
    ],
  });
}
