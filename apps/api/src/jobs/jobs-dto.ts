import { COUNTED_JOBS } from '@mailstead/core/jobs/job-store';
import { isRequested, type LedgerRun } from '@mailstead/core/jobs/run-ledger';
import type { UndeliveredNotification } from '@mailstead/core/notifications/notification-outbox';
import type { LastRelayCalls } from '@mailstead/core/relay/relay-calls';
import type { FailedEvent } from '@mailstead/core/relay-events/relay-event-inbox';
import { Bool, Integer, Json, ListOf, Nested, Text, Time } from '../http/fields.js';
import { timestamp, timestampOrNull } from '../http/timestamp.js';

class RunResponse {
  @Text({
    description: 'When the period was due; `manual` when an operator requested the run',
    example: '2026-03-01T03',
  })
  period!: string;
  @Time({ description: 'When the run started' }) started_at!: string;
  @Time({ nullable: true, description: 'When the run ended; null while it runs' }) ended_at!: string | null;
  @Text({ description: 'running, done or failed', example: 'done' }) outcome!: string;
  @Text({ nullable: true, description: 'Why the run failed; null when it did not', example: null }) reason!:
    | string
    | null;
  @Json({ nullable: true, description: 'What the run did, as numbers; null without any' }) counts!: Record<
    string,
    number
  > | null;
}

export class FailureResponse {
  @Integer({ min: 1, description: 'The id of the job, the notification or the relay event', example: 1 }) id!: number;
  @Text({ description: 'Why it failed', example: 'The relay provider does not answer; try again' }) reason!: string;
  @Integer({ description: 'How often it was tried', example: 5 }) attempts!: number;
  @Time({
    description: 'When the last attempt at the job was due, the notification was created, or the relay event arrived',
  })
  at!: string;
}

export class RunJobBody {
  @Bool({
    optional: true,
    description:
      'Releases the brake. For `retention.purge`: the purge applies the lowered retentions that are held now. For `dns.look`: what domains lack, which is held now, counts when the next look finds it too. For no other job',
  })
  release_brake?: boolean;
}

class RelayCallResponse {
  @Time({ description: 'When it was' }) at!: string;
  @Text({ description: 'What the provider was asked to do', example: 'get_identity' }) operation!: string;
  @Text({ nullable: true, description: 'Why it failed; null for a success', example: null }) reason!: string | null;
}

class RelayResponse {
  @Nested(RelayCallResponse, {
    nullable: true,
    description: 'The last call that the provider answered, to the minute; null before the first one',
  })
  last_success!: RelayCallResponse | null;
  @Nested(RelayCallResponse, {
    nullable: true,
    description: 'The last call that failed, to ten seconds; null when none ever failed',
  })
  last_failure!: RelayCallResponse | null;
}

export class JobResponse {
  @Text({ description: 'The name of the schedule or job', example: 'retention.purge' }) name!: string;
  @Text({
    nullable: true,
    description: 'A cron expression, UTC; null when the job runs only on request',
    example: '0 3 * * *',
  })
  schedule!: string | null;
  @Time({ nullable: true, description: 'When the schedule runs next; null when the job runs only on request' })
  next_at!: string | null;
  @Nested(RunResponse, { nullable: true, description: 'The newest run; null before the first one' })
  last_run!: RunResponse | null;
  @Nested(RelayResponse, {
    nullable: true,
    description: 'Only for `verification.poll`: whether the relay provider answers, whoever calls it; null for others',
  })
  relay!: RelayResponse | null;
  @Integer({
    nullable: true,
    description: `How many jobs wait, are tried again later, or run now, counted up to ${COUNTED_JOBS}; null for a schedule`,
    example: 0,
  })
  waiting!: number | null;
  @ListOf(FailureResponse, { description: 'Dead jobs; notifications and relay events from their first failure on' })
  failed!: FailureResponse[];
}

export class StartedResponse {
  @Text({ description: 'The name of what was started', example: 'retention.purge' }) name!: string;
}

export function presentRelayCalls({ success, failure }: LastRelayCalls): RelayResponse {
  return {
    last_success: success === null ? null : { at: timestamp(success.at), operation: success.operation, reason: null },
    last_failure:
      failure === null ? null : { at: timestamp(failure.at), operation: failure.operation, reason: failure.reason },
  };
}

export function presentUndelivered({
  id,
  channel,
  type,
  reason,
  attempts,
  happenedAt,
  nextAttemptAt,
}: UndeliveredNotification): FailureResponse {
  const state = nextAttemptAt === null ? 'dead' : `tried again at ${timestamp(nextAttemptAt)}`;
  return { id, reason: `${type} by ${channel}, ${state}: ${reason}`, attempts, at: timestamp(happenedAt) };
}

export function presentUnprocessed({
  id,
  providerId,
  reason,
  attempts,
  receivedAt,
  nextAttemptAt,
}: FailedEvent): FailureResponse {
  const state = nextAttemptAt === null ? 'set aside' : `tried again at ${timestamp(nextAttemptAt)}`;
  return { id, reason: `relay event ${providerId}, ${state}: ${reason}`, attempts, at: timestamp(receivedAt) };
}

export function presentRun(run: LedgerRun | undefined): RunResponse | null {
  if (run === undefined || run.attempts === 0) return null;
  return {
    period: isRequested(run) ? 'manual' : run.period,
    started_at: timestamp(run.startedAt),
    ended_at: timestampOrNull(run.endedAt),
    outcome: run.outcome,
    reason: run.reason,
    counts: run.counts,
  };
}
