import { utcDay } from '@mailstead/core/clock';
import { bounceRate } from '@mailstead/core/outbound/bounce-rule';
import type { OutboundChange } from '@mailstead/core/outbound/configure-outbound';
import type { IncrementAnswer, OutboundAnswer, TransferAnswer } from '@mailstead/core/outbound/outbound-answer';
import type { Refusal } from '@mailstead/core/outbound/outbound-batch';
import type { HistoryRow, SenderRow } from '@mailstead/core/outbound/outbound-reader';
import type { OutboundLimits } from '@mailstead/core/outbound/outbound-settings';
import type { Preview } from '@mailstead/core/outbound/preview-outbound';
import type { OutboundState } from '@mailstead/core/outbound/read-outbound';
import type { EveryFieldOf } from '../http/body-fields.js';
import { timestamp, timestampOrNull } from '../http/timestamp.js';
import { presentExplanation } from './explained-verdict-dto.js';
import type { IncrementResponse } from './increment-dto.js';
import type {
  OutboundChangeBody,
  PreviewVerdictResponse,
  TransferCountResponse,
  VerdictResponse,
} from './outbound-dto.js';
import type { HistoryResponse } from './outbound-history-dto.js';
import type { SenderResponse } from './outbound-senders-dto.js';
import type { LimitsAfterResponse, OutboundStateResponse } from './outbound-state-dto.js';

export function toOutboundChange(body: OutboundChangeBody): OutboundChange {
  return {
    outboundTier: body.outbound_tier,
    outboundEnforcement: body.outbound_enforcement,
    outboundStatus: body.outbound_status,
    message: body.message,
    dailyLimit: body.daily_limit,
    monthlyLimit: body.monthly_limit,
    until: body.until,
  } satisfies EveryFieldOf<OutboundChangeBody, OutboundChange>;
}

export function presentOutbound(state: OutboundState): OutboundStateResponse {
  const { found, resolved, limits, temporary, live, rateLimits, explanation } = state;
  const { domain } = found;
  return {
    name: domain.name,
    outbound_tier: resolved.outboundTier,
    outbound_enforcement: resolved.outboundEnforcement,
    outbound_status: domain.outboundStatus,
    blocked_reason: domain.blockedReason,
    blocked_at: timestampOrNull(domain.blockedAt),
    daily_limit: limits.dailyLimit,
    monthly_limit: limits.monthlyLimit,
    operator_until: timestampOrNull(temporary?.until ?? null),
    limits_after: temporary === null ? null : presentLimits(temporary.limitsAfter),
    revision: domain.revision,
    sent_today: live.sentToday,
    sent_this_month: live.sentThisMonth,
    forwarded_today: live.forwardedToday,
    bounces: live.window.bounces,
    complaints: live.window.complaints,
    bounce_rate: bounceRate(live.window),
    bounce_rate_limit: rateLimits.bounces,
    complaint_rate_limit: rateLimits.complaints,
    bytes_this_month: live.bytesThisMonth,
    bytes_in_this_month: live.bytesInThisMonth,
    bytes_out_this_month: live.bytesThisMonth - live.bytesInThisMonth,
    verified: resolved.verified,
    ...presentExplanation(explanation),
    inherited_from: (resolved.inheritsFrom ?? resolved.verifiedBy)?.name ?? null,
  };
}

function presentLimits({ dailyLimit, monthlyLimit }: OutboundLimits): LimitsAfterResponse {
  return { daily_limit: dailyLimit, monthly_limit: monthlyLimit };
}

export function presentOutcome(name: string, outcome: OutboundAnswer | Refusal): VerdictResponse {
  return 'refused' in outcome ? presentRefusal(name, outcome) : presentVerdict(outcome);
}

function presentVerdict(answer: OutboundAnswer): VerdictResponse {
  return {
    name: answer.name,
    allowed: answer.allowed,
    action: answer.action,
    reason: answer.reason,
    ...(answer.limitedBy === null ? {} : { limited_by: answer.limitedBy }),
    ...(answer.foreignSender === undefined ? {} : { foreign_sender: answer.foreignSender }),
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

export function presentIncrement(name: string, outcome: IncrementAnswer | Refusal): IncrementResponse {
  if ('refused' in outcome) return presentRefusal(name, outcome);
  const { relay, headroom } = outcome;
  return Object.assign(presentVerdict(outcome), {
    headroom,
    relay: relay === null ? null : { configuration_set: relay.configurationSet, tenant: relay.tenant },
  });
}

function presentRefusal(name: string, { refused }: Refusal): VerdictResponse {
  return { name, allowed: false, action: refused === 'restore_not_accepted' ? 'defer' : 'reject', reason: refused };
}

export function presentPreview(name: string, preview: Preview): PreviewVerdictResponse {
  const { verdict, countsAs, headroom, eachRecipient, suppressedSince } = preview;
  return Object.assign(presentOutcome(name, verdict), {
    stays_here: countsAs === 0,
    counts_as: countsAs,
    headroom,
    each_recipient: eachRecipient,
    ...(suppressedSince === null ? {} : { suppressed_since: utcDay(suppressedSince) }),
  });
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
