import { BLOCK_REASONS } from '@mailstead/core/domains/domain';
import { SUSPENSION_CAUSES } from '@mailstead/core/domains/suspension';
import { DOMAIN_REASONS, OUTBOUND_ACTIONS } from '@mailstead/core/outbound/decide-outbound';
import type { Explanation } from '@mailstead/core/outbound/explain-outbound';
import { INCOMING_ACTIONS, INCOMING_REASONS } from '@mailstead/core/outbound/incoming';
import { CAUSE_OWNERS, LIFTERS, type VerdictCause } from '@mailstead/core/outbound/verdict-causes';
import { Bool, Enum, ListOf, ListOfEnum, Text, Time } from '../http/fields.js';
import { timestampOrNull } from '../http/timestamp.js';

const CAUSES = [...new Set([...SUSPENSION_CAUSES, ...BLOCK_REASONS])];

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
      since: timestampOrNull(verdict.since),
      until: timestampOrNull(verdict.until),
      lifted_by: verdict.liftedBy,
    },
    incoming: { action: incoming.action, reason: incoming.reason },
  };
}

function presentCause({ cause, of, since, by, liftable }: VerdictCause): VerdictCauseResponse {
  return { cause, of, since: timestampOrNull(since), by, liftable };
}
