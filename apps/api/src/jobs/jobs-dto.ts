import type { LedgerRun } from '@mailstead/core/jobs/run-ledger';
import type { DeadNotification } from '@mailstead/core/notifications/notification-outbox';
import type { FailedEvent } from '@mailstead/core/relay-events/relay-event-inbox';
import { Integer, Json, ListOf, Nested, Text, Time } from '../http/fields.js';
import { timestamp, timestampOrNull } from '../http/timestamp.js';

class RunResponse {
  @Text() period!: string;
  @Time() started_at!: string;
  @Time({ nullable: true }) ended_at!: string | null;
  @Text({ description: 'running, done or failed' }) outcome!: string;
  @Text({ nullable: true }) reason!: string | null;
  @Json({ nullable: true }) counts!: Record<string, number> | null;
}

export class FailureResponse {
  @Integer({ min: 1 }) id!: number;
  @Text() reason!: string;
  @Integer() attempts!: number;
  @Time() at!: string;
}

export class JobResponse {
  @Text() name!: string;
  @Text({ nullable: true, description: 'A cron expression, UTC; null when the job runs only on request' }) schedule!:
    | string
    | null;
  @Time({ nullable: true }) next_at!: string | null;
  @Nested(RunResponse, { nullable: true }) last_run!: RunResponse | null;
  @ListOf(FailureResponse) failed!: FailureResponse[];
}

export class StartedResponse {
  @Text() name!: string;
}

export function presentUndelivered({
  id,
  channel,
  type,
  reason,
  attempts,
  happenedAt,
}: DeadNotification): FailureResponse {
  return { id, reason: `${type} by ${channel}: ${reason}`, attempts, at: timestamp(happenedAt) };
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
    period: run.period,
    started_at: timestamp(run.startedAt),
    ended_at: timestampOrNull(run.endedAt),
    outcome: run.outcome,
    reason: run.reason,
    counts: run.counts,
  };
}
