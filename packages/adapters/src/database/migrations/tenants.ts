import { addColumn, addIndex } from './alterations.js';
import type { Migration } from './step.js';

/** The tenants of the partners at the relay provider, and the identities that are associated with them. */
export const tenants: Migration['statements'] = [
  {
    mysql: [
      [
        'CreateRelayTenant',
        'CREATE TABLE `relay_tenant` (`partner_id` bigint NOT NULL, `name` varchar(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL, `arn` varchar(255) CHARACTER SET ascii COLLATE ascii_bin NULL, `configuration_set` varchar(64) CHARACTER SET ascii COLLATE ascii_bin NULL, `policy` varchar(8) CHARACTER SET ascii COLLATE ascii_bin NULL, `status` varchar(8) CHARACTER SET ascii COLLATE ascii_bin NOT NULL, `status_since` bigint NULL, `own_status` varchar(10) CHARACTER SET ascii COLLATE ascii_bin NULL, `wanted` varchar(8) CHARACTER SET ascii COLLATE ascii_bin NULL, `is_asked` tinyint NOT NULL, `cause` varchar(500) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NULL, `problem` varchar(16) CHARACTER SET ascii COLLATE ascii_bin NULL, `retry_at` bigint NULL, `read_at` bigint NULL, `empty_since` bigint NULL, PRIMARY KEY (`partner_id`)) ENGINE=InnoDB',
      ],
      [
        'CreateRelayTenantIdentity',
        'CREATE TABLE `relay_tenant_identity` (`partner_id` bigint NOT NULL, `name` varchar(253) CHARACTER SET ascii COLLATE ascii_bin NOT NULL, `leave_at` bigint NULL, PRIMARY KEY (`partner_id`, `name`)) ENGINE=InnoDB',
      ],
    ],
    sqlite: [
      [
        'CreateRelayTenant',
        'CREATE TABLE "relay_tenant" ("partner_id" integer PRIMARY KEY NOT NULL, "name" varchar(64) NOT NULL, "arn" varchar(255), "configuration_set" varchar(64), "policy" varchar(8), "status" varchar(8) NOT NULL, "status_since" integer, "own_status" varchar(10), "wanted" varchar(8), "is_asked" integer NOT NULL, "cause" varchar(500), "problem" varchar(16), "retry_at" integer, "read_at" integer, "empty_since" integer)',
      ],
      [
        'CreateRelayTenantIdentity',
        'CREATE TABLE "relay_tenant_identity" ("partner_id" integer NOT NULL, "name" varchar(253) NOT NULL, "leave_at" integer, PRIMARY KEY ("partner_id", "name"))',
      ],
    ],
  },
  addIndex('ix_relay_tenant_arn', 'relay_tenant', ['arn']),
  addIndex('ix_relay_tenant_identity_name', 'relay_tenant_identity', ['name']),
  addIndex('ix_relay_tenant_identity_leave', 'relay_tenant_identity', ['leave_at']),
  ...['verification', 'deleted_verification'].map((table) =>
    addColumn(table, 'tenant_partner_id', (columns) => columns.ref()),
  ),
];
