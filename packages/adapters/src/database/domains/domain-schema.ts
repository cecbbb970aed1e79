import { Domain } from '@mailstead/core/domains/domain';
import type { RetentionLowering } from '@mailstead/core/domains/retention';
import { EntitySchema } from 'typeorm';
import type { ColumnsOf } from '../driver/columns-of.js';
import { Columns, type Dialect } from '../driver/dialect.js';
import { partnerRef, partnerStage } from '../partners/partner-ref-column.js';
import { stopMessagesTransformer } from '../partners/stop-messages-column.js';

/**
 * The columns of `domain` and of `deleted_domain`, which keeps complete rows. `DomainRepository.save` does not write
 * columns with `update: false`.
 */
export function domainColumns(dialect: Dialect) {
  const columns = new Columns(dialect);
  return {
    id: columns.id(),
    name: columns.name(253, { update: false }),
    partnerId: columns.ref({ name: 'partner_id' }),
    createdAt: columns.time({ name: 'created_at', update: false }),
    restoredAt: columns.time({ name: 'restored_at', nullable: true, update: false }),
    heldSince: columns.time({ name: 'held_since', nullable: true }),
    plan: columns.exact(16, { nullable: true }),
    retentionDays: columns.integer({ name: 'retention_days' }),
    retentionDaysBefore: columns.integer({ name: 'retention_days_before' }),
    retentionLoweredAt: columns.time({ name: 'retention_lowered_at', nullable: true }),
    retentionLowerings: columns.json({ name: 'retention_lowerings', nullable: true, transformer: lowerings }),
    retentionReminderAt: columns.time({ name: 'retention_reminder_at', nullable: true }),
    transferMonthlyMb: columns.integer({ name: 'transfer_monthly_mb' }),
    suspensionCauses: { ...columns.words(64), name: 'suspension_causes' },
    stopMessages: columns.json({ name: 'stop_messages', nullable: true, transformer: stopMessagesTransformer }),
    outboundTier: columns.exact(16, { name: 'outbound_tier', nullable: true }),
    outboundEnforcement: columns.exact(16, { name: 'outbound_enforcement', nullable: true }),
    outboundStatus: columns.exact(16, { name: 'outbound_status' }),
    blockedReason: columns.exact(32, { name: 'blocked_reason', nullable: true }),
    blockedAt: columns.time({ name: 'blocked_at', nullable: true }),
    bounceWindowStart: columns.time({ name: 'bounce_window_start', nullable: true }),
    operatorDailyLimit: columns.integer({ name: 'operator_daily_limit', nullable: true }),
    operatorMonthlyLimit: columns.integer({ name: 'operator_monthly_limit', nullable: true }),
    temporaryDailyLimit: columns.integer({ name: 'temporary_daily_limit', nullable: true }),
    temporaryMonthlyLimit: columns.integer({ name: 'temporary_monthly_limit', nullable: true }),
    temporaryLimitsUntil: columns.time({ name: 'temporary_limits_until', nullable: true }),
    clientDailyLimit: columns.integer({ name: 'client_daily_limit', nullable: true }),
    clientMonthlyLimit: columns.integer({ name: 'client_monthly_limit', nullable: true }),
    parentId: columns.ref({ name: 'parent_id', nullable: true }),
    wildcardMode: columns.exact(8, { name: 'wildcard_mode' }),
    inheritedUntil: columns.time({ name: 'inherited_until', nullable: true }),
    inbound: columns.exact(8),
    pendingSince: columns.time({ name: 'pending_since', nullable: true }),
    expiryNotifiedAt: columns.time({ name: 'expiry_notified_at', nullable: true }),
    externalRef: columns.text(128, { name: 'external_ref', nullable: true }),
    externalSenders: columns.exact(8, { name: 'external_senders', default: 'allow' }),
    billingRef: columns.exact(128, { name: 'billing_ref', nullable: true }),
    revision: columns.integer({ default: 1 }),
    mailboxCount: columns.integer({ name: 'mailbox_count', update: false }),
    aliasCount: columns.integer({ name: 'alias_count', update: false }),
    usageDay: columns.exact(10, { name: 'usage_day', nullable: true, update: false }),
    usageMailboxes: columns.integer({ name: 'usage_mailboxes', default: 0, update: false }),
  } satisfies ColumnsOf<Domain, 'partnerRef' | 'partnerStage' | 'status' | 'isStopped'>;
}

/** Stored as null when empty, as in the rows of the former release. */
const lowerings = {
  from: (value: unknown) => (typeof value === 'string' ? (JSON.parse(value) as RetentionLowering[]) : []),
  to: (value: unknown) => (Array.isArray(value) && value.length > 0 ? JSON.stringify(value) : null),
};

export function domainSchema(dialect: Dialect): EntitySchema<Domain> {
  return new EntitySchema<Domain>({
    name: 'Domain',
    target: Domain,
    tableName: 'domain',
    columns: { ...domainColumns(dialect), partnerRef, partnerStage },
    uniques: [{ name: 'uq_domain_name', columns: ['name'] }],
    indices: [
      { name: 'ix_domain_partner', columns: ['partnerId', 'id'] },
      { name: 'ix_domain_parent', columns: ['parentId'] },
      { name: 'ix_domain_pending_since', columns: ['pendingSince'] },
      { name: 'ix_domain_retention', columns: ['retentionDays'] },
      { name: 'ix_domain_retention_reminder', columns: ['retentionReminderAt'] },
      // For the filters of lists. The ids of the domains follow the columns in each index.
      { name: 'ix_domain_suspension', columns: ['suspensionCauses', 'partnerId'] },
      { name: 'ix_domain_outbound_status', columns: ['outboundStatus', 'partnerId'] },
      { name: 'ix_domain_inbound', columns: ['inbound', 'partnerId'] },
      { name: 'ix_domain_plan', columns: ['plan', 'partnerId'] },
      { name: 'ix_domain_external_ref', columns: ['externalRef', 'partnerId'] },
      // For the beginning of the reference, which other partners' references have too.
      { name: 'ix_domain_partner_external_ref', columns: ['partnerId', 'externalRef'] },
      // Covers the totals of a partner, which otherwise read the rows of all its domains.
      { name: 'ix_domain_partner_counts', columns: ['partnerId', 'mailboxCount', 'aliasCount'] },
    ],
    foreignKeys: [
      {
        target: 'Partner',
        columnNames: ['partnerId'],
        referencedColumnNames: ['id'],
        name: 'fk_domain_partner',
        onDelete: 'NO ACTION',
        onUpdate: 'NO ACTION',
      },
      {
        target: 'Domain',
        columnNames: ['parentId'],
        referencedColumnNames: ['id'],
        name: 'fk_domain_parent',
        onDelete: 'NO ACTION',
        onUpdate: 'NO ACTION',
      },
    ],
  });
}
