import type { Clock } from '@mailstead/core/clock';
import { AppError } from '@mailstead/core/errors';
import type { JobStore } from '@mailstead/core/jobs/job-store';
import { JOB_OPTIONS, type JobName, type JobQueue } from '@mailstead/core/jobs/jobs';
import type { RunLedger } from '@mailstead/core/jobs/run-ledger';
import { cronOf, isScheduleName, nextPeriod, SCHEDULE_NAMES, SCHEDULES } from '@mailstead/core/jobs/schedules';
import type { NotificationOutbox } from '@mailstead/core/notifications/notification-outbox';
import type { RelayEventInbox } from '@mailstead/core/relay-events/relay-event-inbox';
import type { RetryRelayEvents } from '@mailstead/core/relay-events/retry-relay-events';
import { type Controller, type Route, route } from '../http/route.js';
import { timestamp } from '../http/timestamp.js';
import {
  FailureResponse,
  JobResponse,
  presentRun,
  presentUndelivered,
  presentUnprocessed,
  StartedResponse,
} from './jobs-dto.js';

const LISTED_FAILURES = 100;
const RELAY_EVENTS: JobName = 'relay-events.process';

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
        summary: 'List schedules with their last and next runs, and failed jobs with their reasons',
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
        summary: 'Run a schedule now, or process failed relay events again',
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
