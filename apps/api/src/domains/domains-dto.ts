import { ATTENTION_REASONS, attentionOf } from '@mailstead/core/attention/attention';
import { type DomainState, STATE_REASONS } from '@mailstead/core/domain-states/domain-state';
import type { StatedDomain } from '@mailstead/core/domain-states/domain-states';
import { BLOCK_REASONS, type Domain, EXTERNAL_SENDERS, type ExternalSenders } from '@mailstead/core/domains/domain';
import type { DomainSummary } from '@mailstead/core/domains/domain-repository';
import { FLOWS } from '@mailstead/core/domains/flow';
import { resolveDomain, shownParent } from '@mailstead/core/domains/resolve-domain';
import { SUSPENSION_CAUSES, type SuspensionCause } from '@mailstead/core/domains/suspension';
import { WILDCARD_MODES, type WildcardMode } from '@mailstead/core/domains/wildcard';
import { OUTBOUND_ENFORCEMENTS, OUTBOUND_STATUSES, OUTBOUND_TIERS } from '@mailstead/core/outbound/outbound-settings';
import { PARTNER_STAGES } from '@mailstead/core/partners/partner-suspension';
import { PLAN_NAMES } from '@mailstead/core/plans/plan';
import { DNS_LACKS } from '@mailstead/core/relay/looks/dns-lacks';
import { VERIFICATION_STATUSES } from '@mailstead/core/relay/verification';
import { Enum, FreeText, Integer, ListOfEnum, Nested, Text, Time } from '../http/fields.js';
import { OperatorMessage } from '../http/operator-message.js';
import { REVISION } from '../http/revision.js';
import { domainName, newDomainName, partnerRef, trimmed } from '../http/text-rules.js';
import { timestamp, timestampOrNull } from '../http/timestamp.js';

const MAX_RETENTION_DAYS = 36_500;
const MAX_TRANSFER_MB = 1_073_741_824;

export class CreateDomainBody {
  @Text({
    max: 1_000,
    rule: newDomainName,
    description: 'The domain name; it is stored in lower case, with A-labels in place of Unicode',
    example: 'example.com',
  })
  name!: string;

  @Text({
    max: 128,
    rule: partnerRef,
    optional: true,
    nullable: true,
    description: 'The partner of the domain (master and billing only)',
  })
  partner_ref?: string | null;

  @FreeText({
    min: 1,
    rule: trimmed,
    optional: true,
    nullable: true,
    description: "A reference of the partner's own system; not unique",
    example: 'order-17',
  })
  external_ref?: string | null;
}

/** A reference of the caller's own system in a response. */
const EXTERNAL_REF = {
  nullable: true,
  description: "A reference of the partner's own system; null without one",
  example: 'order-17',
};

const EXTERNAL_SENDERS_NOTE =
  '`refuse`: mail with a sender of this domain is not accepted on port 25, where nobody logs in';

export class UpdateDomainBody {
  @FreeText({
    min: 1,
    rule: trimmed,
    optional: true,
    nullable: true,
    description: "A reference of the partner's own system, not unique; null removes it",
    example: 'order-17',
  })
  external_ref?: string | null;

  @Enum(EXTERNAL_SENDERS, { optional: true, description: EXTERNAL_SENDERS_NOTE }) external_senders?: ExternalSenders;
}

export class DomainResponse {
  @Integer({ min: 1, description: 'The id of the domain', example: 1 }) id!: number;
  @Text({ description: 'The name of the domain', example: 'example.com' }) name!: string;
  @Time({ description: 'When it was created' }) created_at!: string;
}

const FLOWS_NOTE =
  '`yes`: it passes. `at_risk`: it passes, and somebody should look at `reason`, such as 80 % of a limit. `monitored`: it passes, although a limit is reached, because limits are only monitored. `pending`: it does not pass yet, DNS records are awaited. `off`: a suspension stops it. `waits`: it is deferred, and passes when `reason` ends. `no`: it does not pass';

export class DomainStateResponse {
  @Enum(FLOWS, { description: `Mail to outside recipients, of any sender of the domain. ${FLOWS_NOTE}` })
  sends!: string;
  @Enum(FLOWS, { description: 'Mail of others to the domain, in the same words' }) receives!: string;
  @Enum(STATE_REASONS, {
    nullable: true,
    description:
      'The worst of what holds: a reason of the verdict, of incoming mail, or for attention; null when both are `yes`',
    example: null,
  })
  reason!: string | null;
  @Time({
    nullable: true,
    description:
      'When the state changes by itself, if nobody acts and nothing is sent until then; null when it does not',
    example: null,
  })
  until!: string | null;
}

export class DomainDetailsResponse extends DomainResponse {
  @Text({ nullable: true, description: 'The partner of the domain; null without a partner', example: 'acme' })
  partner_ref!: string | null;
  @Enum(['active', 'suspended'], { description: '`suspended` while there is a suspension cause' }) status!: string;
  @ListOfEnum(SUSPENSION_CAUSES, { description: 'Why the domain is suspended' }) suspension_causes!: string[];
  @Enum(PARTNER_STAGES, {
    nullable: true,
    description:
      "The stage of the partner's suspension, which holds for the domain too; null while the partner is active",
    example: null,
  })
  partner_stage!: string | null;
  @Enum(PLAN_NAMES, { nullable: true, description: 'The plan; null until one is set', example: 'starter' }) plan!:
    | string
    | null;
  @Integer({ description: 'Days that stored mail is kept; 0: no mail is removed', example: 30 })
  retention_days!: number;
  @Integer({ description: 'The monthly transfer cap, megabytes; 0 is unlimited', example: 10240 })
  transfer_monthly_mb!: number;
  @Enum(OUTBOUND_TIERS, { description: 'The tier, which gives the outbound limits' }) outbound_tier!: string;
  @Enum(OUTBOUND_ENFORCEMENTS, { description: '`monitor` counts and reports, but limits stop nothing' })
  outbound_enforcement!: string;
  @Enum(OUTBOUND_STATUSES, { description: '`blocked` by the bounce rule or an operator' }) outbound_status!: string;
  @Enum(BLOCK_REASONS, {
    nullable: true,
    description:
      'Why it is blocked: too many bounces, too many complaints, or an operator; null when it is not blocked',
    example: null,
  })
  blocked_reason!: string | null;
  @Text({
    nullable: true,
    description: 'The domain to which this subdomain is linked; null without a link',
    example: null,
  })
  parent!: string | null;
  @Enum(WILDCARD_MODES, {
    description: 'Which new subdomains link to this domain: none, those one label below, or all',
  })
  wildcard_mode!: string;
  @Enum(VERIFICATION_STATUSES, {
    description: 'The state of the verification at the relay, inherited from a linked parent',
    example: 'verified',
  })
  verification_status!: string;
  @Enum(['open', 'pending'], { description: '`open` when the mail servers accept mail for the domain' })
  inbound!: string;
  @Text(EXTERNAL_REF) external_ref!: string | null;
  @Enum(EXTERNAL_SENDERS, { description: EXTERNAL_SENDERS_NOTE }) external_senders!: string;
  @Text({
    nullable: true,
    description: 'The subscription that pays for the domain; null without one, and for clients',
    example: 'sub_1',
  })
  billing_ref!: string | null;
  @Integer(REVISION) revision!: number;
  @ListOfEnum(ATTENTION_REASONS, {
    description:
      'Why somebody should look at the domain, the most severe reason first: it is suspended, its partner is, its accepted mail has waited for four days because of a suspension, it is blocked, its DNS records are wrong so that its verification may be lost, it lacks MX or SPF records, it is not verified for 24 hours, or it used 80 % of a limit of the present day or month',
  })
  attention!: string[];
  @Nested(DomainStateResponse, { description: 'Whether the domain sends and receives mail now' })
  state!: DomainStateResponse;
  @ListOfEnum(DNS_LACKS, {
    description:
      'What the domain lacks in the DNS. `mx`: an MX record that leads anywhere. `mx_mailboxes`: mail arrives first at Google or Microsoft, in mailboxes there. `mx_elsewhere`: it arrives first at other hosts of somebody else. `spf`: an SPF record that allows this service to send. Hosts of which `PUT …/front-hosts` says that they pass mail on are no lack',
  })
  missing_dns!: string[];
  @Integer({ description: 'Number of mailboxes', example: 1 }) mailboxes!: number;
  @Integer({ description: 'Number of aliases', example: 1 }) aliases!: number;
}

export class RetentionBody {
  @Integer({
    min: 0,
    max: MAX_RETENTION_DAYS,
    description: 'Days that stored mail is kept; 0: no mail is removed',
    example: 30,
  })
  retention_days!: number;
}

export class RetentionResponse {
  @Text({ description: 'The name of the domain', example: 'example.com' }) name!: string;
  @Integer({ description: 'Days that stored mail is kept; 0: no mail is removed', example: 30 })
  retention_days!: number;
  @Integer(REVISION) revision!: number;
}

export class TransferBody {
  @Integer({ min: 0, max: MAX_TRANSFER_MB, description: 'Megabytes per month; 0 is unlimited', example: 10240 })
  transfer_monthly_mb!: number;
}

export class TransferResponse {
  @Text({ description: 'The name of the domain', example: 'example.com' }) name!: string;
  @Integer({ description: 'Megabytes per month; 0 is unlimited', example: 10240 }) transfer_monthly_mb!: number;
  @Integer(REVISION) revision!: number;
}

export class SuspensionBody {
  @Enum(SUSPENSION_CAUSES, {
    optional: true,
    description:
      'The cause. Master names any: when left out, it sets `operator` and lifts all. Others have only their own, also when left out: `partner` of an API key, `billing` of the billing scope',
  })
  cause?: SuspensionCause;
}

export class SuspendDomainBody extends SuspensionBody {
  @OperatorMessage('about this cause, in the verdict; when left out, it stays as it is')
  message?: string | null;
}

export class SuspensionResponse {
  @Text({ description: 'The name of the domain', example: 'example.com' }) name!: string;
  @Enum(['active', 'suspended'], { description: '`suspended` while there is a cause' }) status!: string;
  @ListOfEnum(SUSPENSION_CAUSES, { description: 'The causes that remain' }) suspension_causes!: string[];
  @Integer(REVISION) revision!: number;
}

export class ParentBody {
  @Text({
    max: 1_000,
    rule: domainName,
    optional: true,
    nullable: true,
    description: 'The parent domain; null removes the link; when left out, the parent stays as it is',
  })
  parent?: string | null;

  @Enum(WILDCARD_MODES, {
    optional: true,
    description: 'Which new subdomains link to the domain: none, those one label below, or all',
    example: 'direct',
  })
  wildcard_mode?: WildcardMode;
}

export class ParentResponse {
  @Text({ description: 'The name of the domain', example: 'example.com' }) name!: string;
  @Text({ nullable: true, description: 'The parent; null without a link', example: null }) parent!: string | null;
  @Enum(WILDCARD_MODES, { description: 'Which new subdomains link to the domain', example: 'direct' })
  wildcard_mode!: string;
  @Integer(REVISION) revision!: number;
}

export class PartnerBody {
  @Text({
    max: 128,
    rule: partnerRef,
    nullable: true,
    description: 'The new partner; null: the domain has no partner',
    example: 'acme',
  })
  partner_ref!: string | null;
}

export class InboundBody {
  @Enum(['open', 'pending'], { description: '`open`: the mail servers accept mail for the domain' })
  inbound!: 'open' | 'pending';
}

export function presentDomain({ id, name, createdAt }: DomainSummary): DomainResponse {
  return { id, name, created_at: timestamp(createdAt) };
}

export function presentDomainDetails(found: StatedDomain, now: Date, isClient: boolean): DomainDetailsResponse {
  const { domain, parent, storedReasons, state, lacks } = found;
  const resolved = resolveDomain(found, now);
  return {
    id: domain.id,
    name: domain.name,
    created_at: timestamp(domain.createdAt),
    partner_ref: domain.partnerRef,
    status: domain.status,
    suspension_causes: [...domain.suspensionCauses],
    partner_stage: domain.partnerStage,
    plan: domain.plan,
    retention_days: domain.retentionDays,
    transfer_monthly_mb: domain.transferMonthlyMb,
    outbound_tier: resolved.outboundTier,
    outbound_enforcement: resolved.outboundEnforcement,
    outbound_status: domain.outboundStatus,
    blocked_reason: domain.blockedReason,
    parent: parent === null ? null : shownParent(parent).name,
    wildcard_mode: domain.wildcardMode,
    verification_status: resolved.verificationStatus,
    inbound: domain.inbound,
    external_ref: domain.externalRef,
    external_senders: domain.externalSenders,
    billing_ref: isClient ? null : domain.billingRef,
    revision: domain.revision,
    attention: attentionOf(storedReasons, domain),
    state: presentState(state),
    missing_dns: [...lacks],
    mailboxes: domain.mailboxCount,
    aliases: domain.aliasCount,
  };
}

function presentState({ sends, receives, reason, until }: DomainState): DomainStateResponse {
  return { sends, receives, reason, until: timestampOrNull(until) };
}

export function presentRetention({ name, retentionDays, revision }: Domain): RetentionResponse {
  return { name, retention_days: retentionDays, revision };
}

export function presentTransfer({ name, transferMonthlyMb, revision }: Domain): TransferResponse {
  return { name, transfer_monthly_mb: transferMonthlyMb, revision };
}

export function presentSuspension({ name, status, suspensionCauses, revision }: Domain): SuspensionResponse {
  return { name, status, suspension_causes: [...suspensionCauses], revision };
}
