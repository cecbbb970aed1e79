import type { Actor } from '@mailstead/core/operators/actor';
import { EntitySchema, type EntitySchemaColumnOptions } from 'typeorm';
import { aliasColumns } from '../aliases/alias-repository.js';
import { domainColumns } from '../domains/domain-schema.js';
import { Columns, type Dialect } from '../driver/dialect.js';
import { rowTable } from '../driver/row-table.js';
import { mailboxColumns } from '../mailboxes/mailbox-repository.js';
import { verificationColumns } from '../relay/verification-repository.js';

/**
 * A deletion in pieces is `move`, which nobody restores or erases, until its last piece makes it `domain`.
 */
export type TombstoneKind = 'domain' | 'mailbox' | 'move';

/**
 * A deletion of a domain or mailbox, or a move of a domain to another partner. The deleted rows are in the `deleted_…`
 * tables under its id.
 */
export class TombstoneRow {
  id!: number;
  kind!: TombstoneKind;
  /** The domain name, or the mailbox's address. */
  name!: string;
  /** The partner at that time; 0 when an earlier release did not store it. */
  partnerId!: number;
  actorKind!: Actor['kind'];
  actor!: string;
  deletedAt!: Date;
  /** The end of the grace period for restoring. Then hashes, aliases and mail are removed. */
  expiresAt!: Date;
  /** The domain's id, or that of the mailbox's domain. */
  domainId!: number;
  /**
   * The `domain_id` of its counters in the outbound tables: for a move, the negative id of this row; null for a
   * mailbox.
   */
  countersId!: number | null;
  mailboxes!: number;
  aliases!: number;
  /** The later domain of the same partner and name that took over settings and counters; null when there is none. */
  heirId!: number | null;
  /** The first time that another partner had the name (of a mailbox: its domain) since; null when none had. */
  otherHolderAt!: Date | null;
  /** When it was restored; null when it was not. The aliases that were left out stay in `deleted_alias`. */
  restoredAt!: Date | null;
  /** When its erasure began: from then on it cannot be restored; null before. */
  closedAt!: Date | null;
  /** The time when hashes and aliases were erased; null before. */
  erasedAt!: Date | null;
  /** The time when all stored mail was removed; null before. */
  mailRemovedAt!: Date | null;
}

export function tombstoneSchemas(dialect: Dialect): EntitySchema<object>[] {
  const columns = new Columns(dialect);
  const tombstoneId = columns.ref({ name: 'tombstone_id', primary: true });
  const ofRow = columns.ref({ primary: true });
  return [
    new EntitySchema<TombstoneRow>({
      name: 'Tombstone',
      target: TombstoneRow,
      tableName: 'tombstone',
      columns: {
        id: columns.id(),
        kind: columns.exact(8),
        name: columns.name(254),
        partnerId: columns.ref({ name: 'partner_id' }),
        actorKind: columns.exact(16, { name: 'actor_kind' }),
        actor: columns.exact(128),
        deletedAt: columns.time({ name: 'deleted_at' }),
        expiresAt: columns.time({ name: 'expires_at' }),
        domainId: columns.ref({ name: 'domain_id' }),
        countersId: columns.ref({ name: 'counters_id', nullable: true }),
        mailboxes: columns.integer(),
        aliases: columns.integer(),
        heirId: columns.ref({ name: 'heir_id', nullable: true }),
        otherHolderAt: columns.time({ name: 'other_holder_at', nullable: true }),
        restoredAt: columns.time({ name: 'restored_at', nullable: true }),
        closedAt: columns.time({ name: 'closed_at', nullable: true }),
        erasedAt: columns.time({ name: 'erased_at', nullable: true }),
        mailRemovedAt: columns.time({ name: 'mail_removed_at', nullable: true }),
      },
      indices: [
        { name: 'ix_tombstone_name', columns: ['name', 'deletedAt'] },
        { name: 'ix_tombstone_name_partner', columns: ['name', 'partnerId', 'deletedAt'] },
        { name: 'ix_tombstone_partner', columns: ['partnerId', 'id'] },
        { name: 'ix_tombstone_domain', columns: ['domainId'] },
        { name: 'ix_tombstone_erasure', columns: ['erasedAt', 'expiresAt'] },
        { name: 'ix_tombstone_mail', columns: ['mailRemovedAt', 'id'] },
        { name: 'ix_tombstone_deleted', columns: ['deletedAt'] },
        { name: 'ix_tombstone_restorable', columns: ['erasedAt', 'partnerId', 'id'] },
      ],
    }),
    rowTable('DeletedDomainRow', 'deleted_domain', { columns: { tombstoneId, ...kept(domainColumns(dialect)) } }),
    rowTable('DeletedVerificationRow', 'deleted_verification', {
      columns: { tombstoneId, ...kept(verificationColumns(dialect)) },
    }),
    rowTable('DeletedMailboxRow', 'deleted_mailbox', {
      columns: { tombstoneId, ...kept(mailboxColumns(dialect)), id: ofRow },
      indices: [{ name: 'ix_deleted_mailbox_email', columns: ['email'] }],
    }),
    rowTable('DeletedAliasRow', 'deleted_alias', {
      columns: { tombstoneId, ...kept(aliasColumns(dialect)), id: ofRow },
    }),
  ];
}

/**
 * Derives the columns of a table of deleted rows from its live table: without generated values and unique keys. A
 * column that is added to the live table is added here too, and the test of the migrations fails until a migration adds
 * it to both tables.
 */
function kept<Live extends Record<string, EntitySchemaColumnOptions>>(live: Live) {
  return Object.fromEntries(
    Object.entries(live).map(
      ([property, { primary: _primary, generated: _generated, insert: _insert, update: _update, ...column }]) => [
        property,
        column,
      ],
    ),
  );
}
