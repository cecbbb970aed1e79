import { BLOCK_REASONS } from '@mailstead/core/domains/domain';
import { SUSPENSION_CAUSES } from '@mailstead/core/domains/suspension';
import { DOMAIN_REASONS, OUTBOUND_ACTIONS } from '@mailstead/core/outbound/decide-outbound';
import type { Explanation } from '@mailstead/core/outbound/explain-outbound';
import { INCOMING_ACTIONS, INCOMING_REASONS } from '@mailstead/core/outbound/incoming';
import { LIMIT_SETTERS, type LimitUse } from '@mailstead/core/outbound/limit-use';
import { CAUSE_OWNERS, LIFTERS, type VerdictCause } from '@mailstead/core/outbound/verdict-causes';
import { Bool, Decimal, Enum, Integer, ListOf, ListOfEnum, Nested, Text, Time } from '../http/fields.js';
import { timestampOrNull } from '../http/timestamp.js';

const CAUSES = [...new Set([...SUSPENSION_CAUSES, ...BLOCK_REASONS])];

export class BlockCountsResponse {
  @Text({ description: 'The first UTC day that counted; the last one is that of the block', example: '2026-03-01' })
  from!: string;
  @Integer({ description: 'Outside recipients of messages', example: 100 }) sent!: number;
  @Integer({ description: 'Permanent bounces', example: 5 }) bounces!: number;
  @Integer({ description: 'Complaints', example: 0 }) complaints!: number;
  @Decimal({ description: 'Of what blocked the domain: bounces or complaints for each message', example: 0.05 })
  rate!: number;
  @Decimal({
    nullable: true,
    description: 'The limit that the rate reached; null for a block by a release before 5.3',
    example: 0.03,
  })
  rate_limit!: number | null;
}

export class VerdictCauseResponse {
  @Enum(CAUSES, {
    description:
      'With `domain_suspended` the cause of the suspension, with `outbound_blocked` the reason for the block',
    example: 'billing',
  })
  cause!: string;
  @Enum(CAUSE_OWNERS, {
    description: 'What is suspended or blocked: the domain, its partner, or its linked parent',
    example: 'domain',
  })
  of!: string;
  @Time({ nullable: true, description: 'When it was set; null when that is not known' }) since!: string | null;
  @Text({
    nullable: true,
    description:
      "Who set it: `key:` or `link:` and the id, the job, or the operator's name, which clients see as `operator`; null when that is not known",
    example: 'operator',
  })
  by!: string | null;
  @Bool({ description: 'Whether this caller may lift it', example: false }) liftable!: boolean;
  @Nested(BlockCountsResponse, {
    nullable: true,
    description:
      'With a block by `bounce_rate` or `complaint_rate`: what was counted at that moment; null for other causes, and when it is not stored any more',
  })
  counts!: BlockCountsResponse | null;
  @Text({
    nullable: true,
    description:
      'What the operator tells the partner about it; null without a message, and for a key that is limited to some domains and a link',
    example: 'Please call us before you send again.',
  })
  message!: string | null;
}

export class LimitUseResponse {
  @Integer({ description: 'The limit in outside recipients, with `transfer_limit` in bytes', example: 200 })
  value!: number;
  @Integer({ description: 'What is used of it, in the same unit', example: 200 }) used!: number;
  @Enum(LIMIT_SETTERS, {
    description: 'Whose limit it is; `partner` for one below the operator’s, and for that of a mailbox',
    example: 'operator',
  })
  set_by!: string;
}

export class ExplainedVerdictResponse {
  @Enum(OUTBOUND_ACTIONS, { description: 'What the mail server does: accept, defer (try again later) or reject' })
  action!: string;
  @Enum(['restore_not_accepted', ...DOMAIN_REASONS, 'counter_overflow'], {
    nullable: true,
    description:
      'The first reason that applies; with `monitor` also that of a limit which stops nothing; null without one',
    example: 'domain_suspended',
  })
  reason!: string | null;
  @Text({
    nullable: true,
    description: 'The linked parent, if the reason comes from it; null also for a key that is limited to other domains',
    example: null,
  })
  limited_by!: string | null;
  @ListOfEnum(DOMAIN_REASONS, {
    description: 'The other reasons that hold, in the same order',
    example: ['daily_limit'],
  })
  also!: string[];
  @ListOf(VerdictCauseResponse, {
    description:
      'The causes of a suspension or a block; empty with other reasons. A key that is limited to some domains and a `manage` link do not see those of the partner',
  })
  causes!: VerdictCauseResponse[];
  @Nested(LimitUseResponse, {
    nullable: true,
    description:
      'The limit that is the reason; null with other reasons, and for one of a parent that the caller does not see',
  })
  limit!: LimitUseResponse | null;
  @Time({ nullable: true, description: 'Since when `reason` holds; null when that is not known' })
  since!: string | null;
  @Time({
    nullable: true,
    description:
      'When no reason holds any more, if nobody acts and nothing is sent until then; null when somebody must act, and without a reason',
    example: null,
  })
  until!: string | null;
  @ListOfEnum(LIFTERS, {
    description:
      'Everybody who must act, or `itself` alone when it ends with time; empty without a reason. `partner` for a suspension of the partner whose causes the caller does not see',
    example: ['operator'],
  })
  lifted_by!: string[];
}

export class IncomingResponse {
  @Enum(INCOMING_ACTIONS, {
    description: "`defer`: the sender's server tries again later; `none`: the mail servers do not know the domain yet",
  })
  action!: string;
  @Enum(INCOMING_REASONS, {
    nullable: true,
    description:
      '`inbound_pending`: the domain was not opened yet; `transfer_limit`: the transfer cap is reached and counts for incoming mail too; null with `accept`',
    example: null,
  })
  reason!: string | null;
}

/** The two fields of a response that says whether mail goes out and comes in. */
export interface ExplainedFields {
  verdict: ExplainedVerdictResponse;
  incoming: IncomingResponse;
}

export function presentExplanation({ verdict, incoming }: Explanation): ExplainedFields {
  return {
    verdict: {
      action: verdict.action,
      reason: verdict.reason,
      limited_by: verdict.limitedBy,
      also: verdict.also,
      causes: verdict.causes.map(presentCause),
      limit: presentLimit(verdict.limit),
      since: timestampOrNull(verdict.since),
      until: timestampOrNull(verdict.until),
      lifted_by: verdict.liftedBy,
    },
    incoming: { action: incoming.action, reason: incoming.reason },
  };
}

function presentCause({ cause, of, since, by, liftable, counts, message }: VerdictCause): VerdictCauseResponse {
  return { cause, of, since: timestampOrNull(since), by, liftable, counts: presentCounts(counts), message };
}

function presentCounts(counts: VerdictCause['counts']): BlockCountsResponse | null {
  if (counts === null) return null;
  const { from, sent, bounces, complaints, rate, rateLimit } = counts;
  return { from, sent, bounces, complaints, rate, rate_limit: rateLimit };
}

function presentLimit(limit: LimitUse | null): LimitUseResponse | null {
  return limit === null ? null : { value: limit.value, used: limit.used, set_by: limit.setBy };
}
