import type { Clock } from '@mailstead/core/clock';
import { AppError } from '@mailstead/core/errors';
import type { JobStore } from '@mailstead/core/jobs/job-store';
import { JOB_OPTIONS, type JobName, type JobQueue } from '@mailstead/core/jobs/jobs';
import type { LedgerRun, RunLedger } from '@mailstead/core/jobs/run-ledger';
import { cronOf, isScheduleName, nextPeriod, SCHEDULE_NAMES, SCHEDULES } from '@mailstead/core/jobs/schedules';
import type { DeadNotification, NotificationOutbox } from '@mailstead/core/notifications/notification-outbox';
import type { FailedEvent, RelayEventInbox } from '@mailstead/core/relay-events/relay-event-inbox';
import type { RetryRelayEvents } from '@mailstead/core/relay-events/retry-relay-events';
import { Integer, Json, ListOf, Nested, Text, Time } from '../http/fields.js';
import { type Controller, type Route, route } from '../http/route.js';
import { timestamp, timestampOrNull } from '../http/timestamp.js';

const LISTED_FAILURES = 100;
const RELAY_EVENTS: JobName = 'relay-events.process';

class RunResponse {
  @Text() period!: string;
  @Time() started_at!: string;
  @Time({ nullable: true }) ended_at!: string | null;
  @Text({ description: 'running, done or failed' }) outcome!: string;
  @Text({ nullable: true }) reason!: string | null;
  @Json({ nullable: true }) counts!: Record<string, number> | null;
}

class FailureResponse {
  @Integer({ min: 1 }) id!: number;
  @Text() reason!: string;
  @Integer() attempts!: number;
  @Time() at!: string;
}

class JobResponse {
  @Text() name!: string;
  @Text({ nullable: true, description: 'A cron expression, UTC; null for what runs on demand' }) schedule!:
    | string
    | null;
  @Time({ nullable: true }) next_at!: string | null;
  @Nested(RunResponse, { nullable: true }) last_run!: RunResponse | null;
  @ListOf(FailureResponse) failed!: FailureResponse[];
}

class StartedResponse {
  @Text() name!: string;
}

export class JobsController implements Controller {
  constructor(
    private readonly store: JobStore,
    private readonly outbox: NotificationOutbox,
    private readonly inbox: RelayEventInbox,
    private readonly retryRelayEvents: RetryRelayEvents,
    private readonly ledger: RunLedger,
    private readonly queue: JobQueue,
    private readonly clock: Clock,
  ) {}

  routes(): Route[] {
    return [
      route({
        method: 'get',
        path: '/jobs',
        access: 'master',
        summary: 'List jobs and schedules: last runs, next times, failures with their reasons',
        response: [JobResponse],
        run: async (): Promise<JobResponse[]> => {
          const runs = await this.ledger.newest();
          const dead = await this.store.dead(LISTED_FAILURES);
          const undelivered = (await this.outbox.dead(LISTED_FAILURES)).map(presentUndelivered);
          const unprocessed = (await this.inbox.failed(LISTED_FAILURES)).map(presentUnprocessed);
          const listedElsewhere: Partial<Record<JobName, FailureResponse[]>> = {
            'notifications.deliver': undelivered,
            [RELAY_EVENTS]: unprocessed,
          };
          const failed = (name: string) =>
            dead
              .filter((job) => job.name === name)
              .map(({ id, reason, attempts, at }) => ({ id, reason, attempts, at: timestamp(at) }));
          const schedules = SCHEDULE_NAMES.map((name) => ({
            name,
            schedule: cronOf(SCHEDULES[name]),
            next_at: timestamp(nextPeriod(SCHEDULES[name], this.clock.now()).dueAt),
            last_run: presentRun(runs.get(name)),
            failed: [],
          }));
          const jobs = (Object.keys(JOB_OPTIONS) as JobName[]).map((name) => ({
            name,
            schedule: null,
            next_at: null,
            last_run: null,
            failed: [...failed(name), ...(listedElsewhere[name] ?? [])],
          }));
          return [...schedules, ...jobs];
        },
      }),
      route({
        method: 'post',
        path: '/jobs/:name/run',
        access: 'master',
        summary: 'Run a schedule now, or process the relay events again that failed or were set aside',
        response: StartedResponse,
        status: 202,
        run: async ({ actor, params }): Promise<StartedResponse> => {
          const name = params.name ?? '';
          if (name === RELAY_EVENTS) {
            await this.retryRelayEvents.execute(actor.requestId);
            return { name };
          }
          if (!isScheduleName(name)) throw new AppError('job_not_found');
          await this.queue.enqueue(
            'schedule.run',
            { name },
            { key: `schedule.run/${name}`, requestId: actor.requestId },
          );
          return { name };
        },
      }),
    ];
  }
}

function presentUndelivered({ id, channel, type, reason, attempts, happenedAt }: DeadNotification): FailureResponse {
  return { id, reason: `${type} by ${channel}: ${reason}`, attempts, at: timestamp(happenedAt) };
}

function presentUnprocessed({
  id,
  providerId,
  reason,
  attempts,
  receivedAt,
  nextAttemptAt,
}: FailedEvent): FailureResponse {
  const what = nextAttemptAt === null ? 'set aside' : `tried again at ${timestamp(nextAttemptAt)}`;
  return { id, reason: `relay event ${providerId}, ${what}: ${reason}`, attempts, at: timestamp(receivedAt) };
}

function presentRun(run: LedgerRun | undefined): RunResponse | null {
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
