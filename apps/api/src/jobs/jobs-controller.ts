import type { Clock } from '@mailstead/core/clock';
import { AppError } from '@mailstead/core/errors';
import type { JobStore } from '@mailstead/core/jobs/job-store';
import { JOB_OPTIONS, type JobName, type JobQueue } from '@mailstead/core/jobs/jobs';
import type { RunLedger } from '@mailstead/core/jobs/run-ledger';
import { cronOf, isScheduleName, nextPeriod, SCHEDULE_NAMES, SCHEDULES } from '@mailstead/core/jobs/schedules';
import type { NotificationOutbox } from '@mailstead/core/notifications/notification-outbox';
import type { RelayEventInbox } from '@mailstead/core/relay-events/relay-event-inbox';
import type { RetryRelayEvents } from '@mailstead/core/relay-events/retry-relay-events';
import { type Route, route } from '../http/route.js';
import { timestamp } from '../http/timestamp.js';
import {
  type FailureResponse,
  JobResponse,
  presentRun,
  presentUndelivered,
  presentUnprocessed,
  StartedResponse,
} from './jobs-dto.js';

const LISTED_FAILURES = 100;
const RELAY_EVENTS: JobName = 'relay-events.process';

export interface JobPorts {
  store: JobStore;
  outbox: NotificationOutbox;
  inbox: RelayEventInbox;
  retryRelayEvents: RetryRelayEvents;
  ledger: RunLedger;
  queue: JobQueue;
  clock: Clock;
}

export function jobsController(use: JobPorts): Route[] {
  return [
    route({
      method: 'get',
      path: '/jobs',
      access: 'master',
      summary: 'List jobs and schedules: last runs, next times, failures with their reasons',
      response: [JobResponse],
      run: async (): Promise<JobResponse[]> => {
        const runs = await use.ledger.newest();
        const dead = await use.store.dead(LISTED_FAILURES);
        const undelivered = (await use.outbox.dead(LISTED_FAILURES)).map(presentUndelivered);
        const unprocessed = (await use.inbox.failed(LISTED_FAILURES)).map(presentUnprocessed);
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
          next_at: timestamp(nextPeriod(SCHEDULES[name], use.clock.now()).dueAt),
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
          await use.retryRelayEvents.execute(actor.requestId);
          return { name };
        }
        if (!isScheduleName(name)) throw new AppError('job_not_found');
        await use.queue.enqueue('schedule.run', { name }, { key: `schedule.run/${name}`, requestId: actor.requestId });
        return { name };
      },
    }),
  ];
}
