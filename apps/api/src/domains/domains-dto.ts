import type { Domain } from '@mailstead/core/domains/domain';
import type { DomainSummary, DomainWithParent } from '@mailstead/core/domains/domain-repository';
import { resolveDomain } from '@mailstead/core/domains/resolve-domain';
import { OPERATOR_CAUSES, type OperatorCause, SUSPENSION_CAUSES } from '@mailstead/core/domains/suspension';
import { WILDCARD_MODES, type WildcardMode } from '@mailstead/core/domains/wildcard';
import { OUTBOUND_ENFORCEMENTS, OUTBOUND_STATUSES, OUTBOUND_TIERS } from '@mailstead/core/outbound/outbound-settings';
import { PLAN_NAMES } from '@mailstead/core/plans/plan';
import { VERIFICATION_STATUSES } from '@mailstead/core/relay/verification';
import { Enum, Integer, ListOfEnum, Text, Time } from '../http/fields.js';
import { timestamp } from '../http/timestamp.js';

const MAX_RETENTION_DAYS = 36_500;
const MAX_TRANSFER_MB = 1_073_741_824;

export class CreateDomainBody {
  @Text({ max: 1_000, description: 'The domain name; it is stored in lower case, with A-labels in place of Unicode' })
  name!: string;

  @Text({
    max: 128,
    optional: true,
    nullable: true,
    description: 'The partner of the domain (master and billing only)',
  })
  partner_ref?: string | null;
}

export class DomainResponse {
  @Integer({ min: 1 }) id!: number;
  @Text() name!: string;
  @Time() created_at!: string;
}

export class DomainDetailsResponse extends DomainResponse {
  @Text({ nullable: true }) partner_ref!: string | null;
  @Enum(['active', 'suspended']) status!: string;
  @ListOfEnum(SUSPENSION_CAUSES) suspension_causes!: string[];
  @Enum(PLAN_NAMES, { nullable: true }) plan!: string | null;
  @Integer() retention_days!: number;
  @Integer() transfer_monthly_mb!: number;
  @Enum(OUTBOUND_TIERS) outbound_tier!: string;
  @Enum(OUTBOUND_ENFORCEMENTS) outbound_enforcement!: string;
  @Enum(OUTBOUND_STATUSES) outbound_status!: string;
  @Text({ nullable: true }) parent!: string | null;
  @Enum(WILDCARD_MODES) wildcard_mode!: string;
  @Enum(VERIFICATION_STATUSES) verification_status!: string;
  @Enum(['open', 'pending']) inbound!: string;
  @Integer() mailboxes!: number;
  @Integer() aliases!: number;
}

export class RetentionBody {
  @Integer({ min: 0, max: MAX_RETENTION_DAYS, description: 'Days that stored mail is kept; 0: no mail is removed' })
  retention_days!: number;
}

export class RetentionResponse {
  @Text() name!: string;
  @Integer() retention_days!: number;
}

export class TransferBody {
  @Integer({ min: 0, max: MAX_TRANSFER_MB, description: 'Megabytes per month; 0 is unlimited' })
  transfer_monthly_mb!: number;
}

export class TransferResponse {
  @Text() name!: string;
  @Integer() transfer_monthly_mb!: number;
}

export class SuspensionBody {
  @Enum(OPERATOR_CAUSES, { optional: true, description: 'The cause (master, and billing for its own cause)' })
  cause?: OperatorCause;
}

export class SuspensionResponse {
  @Text() name!: string;
  @Enum(['active', 'suspended']) status!: string;
  @ListOfEnum(SUSPENSION_CAUSES) suspension_causes!: string[];
}

export class ParentBody {
  @Text({
    max: 1_000,
    optional: true,
    nullable: true,
    description: 'The parent domain; null removes the link; when left out, the parent stays as it is',
  })
  parent?: string | null;

  @Enum(WILDCARD_MODES, { optional: true })
  wildcard_mode?: WildcardMode;
}

export class ParentResponse {
  @Text() name!: string;
  @Text({ nullable: true }) parent!: string | null;
  @Enum(WILDCARD_MODES) wildcard_mode!: string;
}

export class PartnerBody {
  @Text({ max: 128, nullable: true, description: 'The new partner; null: the domain has no partner' })
  partner_ref!: string | null;
}

export class InboundBody {
  @Enum(['open', 'pending'])
  inbound!: 'open' | 'pending';
}

export function presentDomain({ id, name, createdAt }: DomainSummary): DomainResponse {
  return { id, name, created_at: timestamp(createdAt) };
}

export function presentDomainDetails(found: DomainWithParent, now: Date): DomainDetailsResponse {
  const { domain, parent } = found;
  const resolved = resolveDomain(found, now);
  return {
    id: domain.id,
    name: domain.name,
    created_at: timestamp(domain.createdAt),
    partner_ref: domain.partnerRef,
    status: domain.status,
    suspension_causes: [...domain.suspensionCauses],
    plan: domain.plan,
    retention_days: domain.retentionDays,
    transfer_monthly_mb: domain.transferMonthlyMb,
    outbound_tier: resolved.outboundTier,
    outbound_enforcement: resolved.outboundEnforcement,
    outbound_status: domain.outboundStatus,
    parent: parent?.domain.name ?? null,
    wildcard_mode: domain.wildcardMode,
    verification_status: resolved.verificationStatus,
    inbound: domain.inbound,
    mailboxes: domain.mailboxCount,
    aliases: domain.aliasCount,
  };
}

export function presentRetention({ name, retentionDays }: Domain): RetentionResponse {
  return { name, retention_days: retentionDays };
}

export function presentTransfer({ name, transferMonthlyMb }: Domain): TransferResponse {
  return { name, transfer_monthly_mb: transferMonthlyMb };
}

export function presentSuspension({ name, status, suspensionCauses }: Domain): SuspensionResponse {
  return { name, status, suspension_causes: [...suspensionCauses] };
}
