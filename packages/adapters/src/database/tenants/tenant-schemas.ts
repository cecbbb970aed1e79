import type { Tenant } from '@mailstead/core/relay/tenants/tenants';
import { EntitySchema } from 'typeorm';
import type { ColumnsOf } from '../driver/columns-of.js';
import { Columns, type Dialect } from '../driver/dialect.js';

/** The tenant of a partner. Without a foreign key: no partner is ever deleted. */
export class TenantRow implements Tenant {
  partnerId!: number;
  name!: string;
  arn!: string | null;
  configurationSet!: string | null;
  policy!: Tenant['policy'];
  status!: Tenant['status'];
  statusSince!: Date | null;
  ownStatus!: Tenant['ownStatus'];
  wanted!: Tenant['wanted'];
  isAsked!: boolean;
  cause!: string | null;
  problem!: Tenant['problem'];
  retryAt!: Date | null;
  readAt!: Date | null;
  emptySince!: Date | null;
}

/** An identity that is associated with a tenant, or is about to be. */
class TenantIdentityRow {
  partnerId!: number;
  name!: string;
  /** When the association ends; null while the domain belongs to the partner. */
  leaveAt!: Date | null;
}

export function tenantSchema(dialect: Dialect): EntitySchema<TenantRow> {
  const columns = new Columns(dialect);
  return new EntitySchema<TenantRow>({
    name: 'TenantRow',
    target: TenantRow,
    tableName: 'relay_tenant',
    columns: {
      partnerId: columns.ref({ name: 'partner_id', primary: true }),
      name: columns.exact(64),
      arn: columns.exact(255, { nullable: true }),
      configurationSet: columns.exact(64, { name: 'configuration_set', nullable: true }),
      policy: columns.exact(8, { nullable: true }),
      status: columns.exact(8),
      statusSince: columns.time({ name: 'status_since', nullable: true }),
      ownStatus: columns.exact(10, { name: 'own_status', nullable: true }),
      wanted: columns.exact(8, { nullable: true }),
      isAsked: columns.flag({ name: 'is_asked' }),
      cause: columns.text(500, { nullable: true }),
      problem: columns.exact(16, { nullable: true }),
      retryAt: columns.time({ name: 'retry_at', nullable: true }),
      readAt: columns.time({ name: 'read_at', nullable: true }),
      emptySince: columns.time({ name: 'empty_since', nullable: true }),
    } satisfies ColumnsOf<TenantRow>,
    indices: [
      { name: 'ix_relay_tenant_arn', columns: ['arn'] },
      // For the paused ones, which are few.
      { name: 'ix_relay_tenant_status', columns: ['status', 'partnerId'] },
    ],
  });
}

export function tenantIdentitySchema(dialect: Dialect): EntitySchema<TenantIdentityRow> {
  const columns = new Columns(dialect);
  return new EntitySchema<TenantIdentityRow>({
    name: 'TenantIdentityRow',
    target: TenantIdentityRow,
    tableName: 'relay_tenant_identity',
    columns: {
      partnerId: columns.ref({ name: 'partner_id', primary: true }),
      name: columns.exact(253, { primary: true }),
      leaveAt: columns.time({ name: 'leave_at', nullable: true }),
    } satisfies ColumnsOf<TenantIdentityRow>,
    indices: [
      { name: 'ix_relay_tenant_identity_name', columns: ['name'] },
      { name: 'ix_relay_tenant_identity_leave', columns: ['leaveAt'] },
    ],
  });
}
