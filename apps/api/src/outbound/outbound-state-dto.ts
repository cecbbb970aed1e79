import { BLOCK_REASONS } from '@mailstead/core/domains/domain';
import type { Refusal } from '@mailstead/core/outbound/outbound-batch';
import { OUTBOUND_ENFORCEMENTS, OUTBOUND_STATUSES, OUTBOUND_TIERS } from '@mailstead/core/outbound/outbound-settings';
import { Bool, Decimal, Enum, Integer, Nested, Text, Time } from '../http/fields.js';
import { REVISION } from '../http/revision.js';
import { ExplainedVerdictResponse, IncomingResponse } from './explained-verdict-dto.js';

export const REFUSALS = [
  'restore_not_accepted',
  'domain_not_found',
  'increment_id_reused',
  'counter_overflow',
] satisfies Refusal['refused'][];

export class LimitsAfterResponse {
  @Integer({ description: 'The limit of a day; 0 is unlimited', example: 200 }) daily_limit!: number;
  @Integer({ description: 'The limit of a month; 0 is unlimited', example: 3000 }) monthly_limit!: number;
}

export class OutboundStateResponse {
  @Text({ description: 'The name of the domain', example: 'example.com' }) name!: string;
  @Enum(OUTBOUND_TIERS, { description: "The tier, which gives the operator's limits" }) outbound_tier!: string;
  @Enum(OUTBOUND_ENFORCEMENTS, { description: '`monitor` counts and reports, but limits stop nothing' })
  outbound_enforcement!: string;
  @Enum(OUTBOUND_STATUSES, { description: '`blocked`: all outbound mail is refused' }) outbound_status!: string;
  @Enum(BLOCK_REASONS, { nullable: true, description: 'Why it is blocked; null when it is not', example: null })
  blocked_reason!: string | null;
  @Time({ nullable: true, description: 'When it was blocked; null when it is not', example: null }) blocked_at!:
    | string
    | null;
  @Integer({
    description: 'The effective limit: the lower of the operator’s and the client’s; 0 is unlimited',
    example: 200,
  })
  daily_limit!: number;
  @Integer({ description: 'The effective limit of a month; 0 is unlimited', example: 3000 }) monthly_limit!: number;
  @Time({
    nullable: true,
    description: 'Until when limits hold that the operator set for a time; null when there are none now',
    example: null,
  })
  operator_until!: string | null;
  @Nested(LimitsAfterResponse, {
    nullable: true,
    description: 'The effective limits after `operator_until`; null without it',
  })
  limits_after!: LimitsAfterResponse | null;
  @Integer(REVISION) revision!: number;
  @Integer({ description: 'Outside recipients of messages sent today (UTC)', example: 12 })
  sent_today!: number;
  @Integer({ description: 'Outside recipients of messages sent this month (UTC)', example: 340 })
  sent_this_month!: number;
  @Integer({
    description:
      'Outside recipients of mail of outside senders that aliases of the domain forwarded today; not in `sent_today`, with the same daily limit for itself',
  })
  forwarded_today!: number;
  @Integer({
    description: 'Permanent bounces in the bounce window: the last 30 UTC days, but only since the last unblock',
    example: 1,
  })
  bounces!: number;
  @Integer({
    description:
      'Complaints in the bounce window: one for each message and domain of the recipients who may have complained',
    example: 0,
  })
  complaints!: number;
  @Decimal({ description: 'A fraction: 0.02 is 2 %', example: 0.003 }) bounce_rate!: number;
  @Decimal({
    description: 'The `bounce_rate` that blocks the domain (`BOUNCE_RATE_LIMIT`), a fraction; 0: bounces block none',
    example: 0.03,
  })
  bounce_rate_limit!: number;
  @Decimal({
    description:
      'The complaints for each message that block the domain (`COMPLAINT_RATE_LIMIT`), a fraction; 0: complaints block none',
    example: 0,
  })
  complaint_rate_limit!: number;
  @Integer({ description: 'Bytes of this month (UTC), in and out', example: 7340032 }) bytes_this_month!: number;
  @Integer({ description: 'The part of `bytes_this_month` that was received', example: 5242880 })
  bytes_in_this_month!: number;
  @Integer({ description: 'The part of `bytes_this_month` that was sent or read', example: 2097152 })
  bytes_out_this_month!: number;
  @Bool({ description: 'Whether the relay accepts mail of the domain', example: true }) verified!: boolean;
  @Nested(ExplainedVerdictResponse, {
    description: 'What a message to one outside recipient would get now; it may still exceed the limit of its mailbox',
  })
  verdict!: ExplainedVerdictResponse;
  @Nested(IncomingResponse, { description: 'What happens to mail that comes in' }) incoming!: IncomingResponse;
  @Text({
    nullable: true,
    description: 'The linked parent whose tier or verification applies; null without one',
    example: null,
  })
  inherited_from!: string | null;
}
