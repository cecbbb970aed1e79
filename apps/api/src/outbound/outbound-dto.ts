import { bounceRate } from '@mailstead/core/outbound/bounce-rule';
import type { OutboundChange } from '@mailstead/core/outbound/configure-outbound';
import { OUTBOUND_ACTIONS, OUTBOUND_REASONS } from '@mailstead/core/outbound/decide-outbound';
import type { OutboundAnswer, Refusal, TransferAnswer } from '@mailstead/core/outbound/outbound-batch';
import type { HistoryRow, SenderRow } from '@mailstead/core/outbound/outbound-reader';
import {
  OUTBOUND_ENFORCEMENTS,
  OUTBOUND_STATUSES,
  OUTBOUND_TIERS,
  type OutboundEnforcement,
  type OutboundStatus,
  type OutboundTier,
} from '@mailstead/core/outbound/outbound-settings';
import type { Preview } from '@mailstead/core/outbound/preview-outbound';
import type { OutboundState } from '@mailstead/core/outbound/read-outbound';
import { Bool, Decimal, Enum, Integer, ListOf, ListOfText, QueryInteger, Text, Time } from '../http/fields.js';
import { timestamp, timestampOrNull } from '../http/timestamp.js';

const MAX_LIMIT = 1_000_000_000;
const MAX_COUNT = 10_000;
const MAX_BYTES = 1_099_511_627_776;
const MAX_ITEMS = 1_000;
const MAX_RECIPIENTS = 1_000;
const MAX_ID = 128;
const MAX_SENDER = 254;
const BLOCK_REASONS = ['bounce_rate', 'complaint_rate', 'operator'];

export class OutboundStateResponse {
  @Text() name!: string;
  @Enum(OUTBOUND_TIERS) outbound_tier!: string;
  @Enum(OUTBOUND_ENFORCEMENTS) outbound_enforcement!: string;
  @Enum(OUTBOUND_STATUSES) outbound_status!: string;
  @Enum(BLOCK_REASONS, { nullable: true }) blocked_reason!: string | null;
  @Time({ nullable: true }) blocked_at!: string | null;
  @Integer({ description: 'The effective limit: the lower of the operator’s and the client’s; 0 is unlimited' })
  daily_limit!: number;
  @Integer() monthly_limit!: number;
  @Integer() sent_today!: number;
  @Integer() sent_this_month!: number;
  @Integer({
    description:
      'Outside recipients of mail from others that aliases of the domain forwarded today; at most the daily limit, counted apart from sent_today',
  })
  forwarded_today!: number;
  @Integer({
    description: 'Permanent bounces in the bounce window: the last 30 UTC days, but only since the last unblock',
  })
  bounces!: number;
  @Integer() complaints!: number;
  @Decimal({ description: 'A fraction: 0.02 is 2 %' }) bounce_rate!: number;
  @Integer() bytes_this_month!: number;
  @Bool() verified!: boolean;
  @Text({ nullable: true }) inherited_from!: string | null;
}

export class OutboundChangeBody {
  @Enum(OUTBOUND_TIERS, { optional: true, nullable: true, description: 'Null inherits (master only)' })
  outbound_tier?: OutboundTier | null;

  @Enum(OUTBOUND_ENFORCEMENTS, { optional: true, nullable: true, description: 'Null inherits (master only)' })
  outbound_enforcement?: OutboundEnforcement | null;

  @Enum(OUTBOUND_STATUSES, { optional: true, description: 'Master only; unblocking starts a new bounce window' })
  outbound_status?: OutboundStatus;

  @Integer({ max: MAX_LIMIT, optional: true, nullable: true, description: 'Master: null is the tier’s' })
  daily_limit?: number | null;

  @Integer({ max: MAX_LIMIT, optional: true, nullable: true, description: 'Master: null is the tier’s' })
  monthly_limit?: number | null;
}

export class IncrementBody {
  @Integer({
    min: 1,
    max: MAX_COUNT,
    optional: true,
    description: 'Number of outside recipients; 1 when left out. With `recipients`: the minimum that they count as',
  })
  count?: number;

  @ListOfText({
    min: 1,
    max: MAX_RECIPIENTS,
    maxLength: MAX_SENDER,
    optional: true,
    description: 'The addresses of the recipients; the service counts those outside, including destinations of aliases',
  })
  recipients?: string[];

  @Integer({
    max: MAX_BYTES,
    optional: true,
    description: 'Bytes of all copies together; with `recipients`: bytes of one copy',
  })
  bytes?: number;

  @Text({ max: MAX_SENDER, optional: true, description: 'The mailbox that logged in' })
  sender?: string;

  @Text({ min: 1, max: MAX_ID, optional: true, description: 'The same id within 24 h counts once' })
  id?: string;

  @Bool({ optional: true, description: 'Count the message whatever the verdict is, because it was already sent' })
  record?: boolean;

  @Bool({
    optional: true,
    description: 'True for mail of outside senders that an alias of the domain forwards; not with `sender`',
  })
  forwarded?: boolean;
}

export class IncrementItem extends IncrementBody {
  @Text({ max: MAX_SENDER })
  domain!: string;
}

export class IncrementsBody {
  @ListOf(IncrementItem, { min: 1, max: MAX_ITEMS })
  items!: IncrementItem[];
}

export class VerdictResponse {
  @Text() name!: string;
  @Bool() allowed!: boolean;
  @Enum(OUTBOUND_ACTIONS) action!: string;
  @Enum([...OUTBOUND_REASONS, 'domain_not_found', 'increment_id_reused'], { nullable: true }) reason!: string | null;
  @Text({ optional: true, description: 'The linked parent, if its limit or state is the reason' })
  limited_by?: string;
  @Integer({ optional: true }) sent_today?: number;
  @Integer({ optional: true }) sent_this_month?: number;
  @Integer({ optional: true }) daily_limit?: number;
  @Integer({ optional: true }) monthly_limit?: number;
  @Enum(OUTBOUND_STATUSES, { optional: true }) outbound_status?: string;
  @Bool({ optional: true }) verified?: boolean;
  @Integer({ optional: true, description: 'Number of outside recipients that the `recipients` counted as' })
  count?: number;
  @Integer({ optional: true, description: 'Recipients of forwarded mail today; only for `forwarded` items' })
  forwarded_today?: number;
}

export class PreviewItem {
  @Text({ max: MAX_SENDER })
  domain!: string;

  @Text({ max: MAX_SENDER, optional: true, description: 'The mailbox that logged in' })
  sender?: string;

  @Text({
    max: MAX_SENDER,
    optional: true,
    description: 'The address of the recipient; when left out, any outside recipient',
  })
  recipient?: string;

  @Text({
    max: MAX_SENDER,
    optional: true,
    description: 'The domain of the recipient, as in the first release; not with `recipient`',
  })
  recipient_domain?: string;

  @Bool({
    optional: true,
    description: 'True for mail of outside senders to an alias of the domain; not with `sender`',
  })
  forwarded?: boolean;
}

export class PreviewsBody {
  @ListOf(PreviewItem, { min: 1, max: MAX_ITEMS })
  items!: PreviewItem[];
}

export class PreviewVerdictResponse extends VerdictResponse {
  @Bool({ description: 'Mail for the recipient stays on this platform and does not count as outbound' })
  stays_here!: boolean;

  @Integer({
    description:
      'Number of outside recipients that the recipient counts as: 1 for an outside address, 0 for a mailbox, for an alias the number of its outside destinations',
  })
  counts_as!: number;

  @Integer({
    nullable: true,
    description: 'Number of further outside recipients that the limits allow now; null when no limit is enforced',
  })
  headroom!: number | null;
}

export class TransferItem {
  @Text({ max: MAX_SENDER })
  domain!: string;

  @Integer({ max: MAX_BYTES })
  bytes!: number;

  @Text({ min: 1, max: MAX_ID, optional: true, description: 'The same id within 24 h counts once' })
  id?: string;
}

export class TransfersBody {
  @ListOf(TransferItem, { min: 1, max: MAX_ITEMS })
  items!: TransferItem[];
}

export class TransferCountResponse {
  @Text() name!: string;
  @Bool() counted!: boolean;
  @Enum(['domain_not_found', 'increment_id_reused'], { nullable: true }) reason!: string | null;
  @Integer({ optional: true }) bytes_this_month?: number;
}

export class SenderCheckItem {
  @Text({ max: MAX_SENDER, description: 'The mailbox that logged in' })
  login!: string;

  @Text({ max: MAX_SENDER, description: 'The address it would send from' })
  address!: string;
}

export class SenderChecksBody {
  @ListOf(SenderCheckItem, { min: 1, max: MAX_ITEMS })
  items!: SenderCheckItem[];
}

export class SenderCheckResponse {
  @Text() login!: string;
  @Text() address!: string;
  @Bool({ description: 'Whether the login may use the address in MAIL FROM, by the same rule that Postfix applies' })
  allowed!: boolean;
}

export class SenderResponse {
  @Text() sender!: string;
  @Integer() sent_today!: number;
  @Integer({ nullable: true, description: '0 is unlimited; null when the sender is not a mailbox of the partner' })
  outbound_daily_limit!: number | null;
}

export class HistoryResponse {
  @Integer() id!: number;
  @Time() period_start!: string;
  @Time() period_end!: string;
  @Integer() sent!: number;
  @Integer() bytes!: number;
  @Integer() bounces!: number;
  @Integer() complaints!: number;
}

export class RankedQuery {
  @QueryInteger({ min: 1, max: 1_000, optional: true, description: 'Rows per page; without it the list is complete' })
  limit?: number;

  @QueryInteger({
    min: 0,
    max: Number.MAX_SAFE_INTEGER,
    optional: true,
    description: 'The `after` value of the link to the next page',
  })
  after?: number;
}

export function toOutboundChange(body: OutboundChangeBody): OutboundChange {
  return {
    outboundTier: body.outbound_tier,
    outboundEnforcement: body.outbound_enforcement,
    outboundStatus: body.outbound_status,
    dailyLimit: body.daily_limit,
    monthlyLimit: body.monthly_limit,
  };
}

export function presentOutbound({ found: { domain }, resolved, limits, live }: OutboundState): OutboundStateResponse {
  return {
    name: domain.name,
    outbound_tier: resolved.outboundTier,
    outbound_enforcement: resolved.outboundEnforcement,
    outbound_status: domain.outboundStatus,
    blocked_reason: domain.blockedReason,
    blocked_at: timestampOrNull(domain.blockedAt),
    daily_limit: limits.dailyLimit,
    monthly_limit: limits.monthlyLimit,
    sent_today: live.sentToday,
    sent_this_month: live.sentThisMonth,
    forwarded_today: live.forwardedToday,
    bounces: live.window.bounces,
    complaints: live.window.complaints,
    bounce_rate: bounceRate(live.window),
    bytes_this_month: live.bytesThisMonth,
    verified: resolved.verified,
    inherited_from: resolved.inheritsFrom ?? resolved.verifiedBy,
  };
}

export function presentVerdict(answer: OutboundAnswer): VerdictResponse {
  return {
    name: answer.name,
    allowed: answer.allowed,
    action: answer.action,
    reason: answer.reason,
    ...(answer.limitedBy === null ? {} : { limited_by: answer.limitedBy }),
    sent_today: answer.sentToday,
    sent_this_month: answer.sentThisMonth,
    daily_limit: answer.dailyLimit,
    monthly_limit: answer.monthlyLimit,
    outbound_status: answer.outboundStatus,
    verified: answer.verified,
    ...(answer.count === undefined ? {} : { count: answer.count }),
    ...(answer.forwardedToday === undefined ? {} : { forwarded_today: answer.forwardedToday }),
  };
}

export function presentRefusal(name: string, { refused }: Refusal): VerdictResponse {
  return { name, allowed: false, action: 'reject', reason: refused };
}

export function presentPreview(name: string, { verdict, countsAs, headroom }: Preview): PreviewVerdictResponse {
  const presented = 'refused' in verdict ? presentRefusal(name, verdict) : presentVerdict(verdict);
  return Object.assign(presented, { stays_here: countsAs === 0, counts_as: countsAs, headroom });
}

export function presentTransferCount(name: string, outcome: TransferAnswer | Refusal): TransferCountResponse {
  return 'refused' in outcome
    ? { name, counted: false, reason: outcome.refused }
    : { name: outcome.name, counted: true, reason: null, bytes_this_month: outcome.bytesThisMonth };
}

export function presentSender({ sender, sentToday, outboundDailyLimit }: SenderRow): SenderResponse {
  return { sender, sent_today: sentToday, outbound_daily_limit: outboundDailyLimit };
}

export function presentHistory(row: HistoryRow): HistoryResponse {
  return {
    id: row.id,
    period_start: timestamp(row.periodStart),
    period_end: timestamp(row.periodEnd),
    sent: row.sent,
    bytes: row.bytes,
    bounces: row.bounces,
    complaints: row.complaints,
  };
}
