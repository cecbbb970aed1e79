import { Clock } from '@mailstead/core/clock';
import { invalidField } from '@mailstead/core/errors';
import { ForgetFuturePeriods } from '@mailstead/core/jobs/forget-future-periods';
import { JobStore } from '@mailstead/core/jobs/job-store';
import { JOB_OPTIONS, type JobName } from '@mailstead/core/jobs/jobs';
import { RequestRun } from '@mailstead/core/jobs/request-run';
import { RunLedger } from '@mailstead/core/jobs/run-ledger';
import {
  cronOf,
  latestPeriods,
  nextPeriod,
  SCHEDULE_NAMES,
  SCHEDULES,
  type ScheduleName,
} from '@mailstead/core/jobs/schedules';
import { needs } from '@mailstead/core/needs';
import { NotificationOutbox } from '@mailstead/core/notifications/notification-outbox';
import type { Actor } from '@mailstead/core/operators/actor';
import { ReleaseLacks } from '@mailstead/core/relay/looks/release-lacks';
import { RelayCalls } from '@mailstead/core/relay/relay-calls';
import { RelayEventInbox } from '@mailstead/core/relay-events/relay-event-inbox';
import { ReleasePurgeBrake } from '@mailstead/core/retention/release-purge-brake';
import { onlyField } from '../http/body-fields.js';
import { type Controller, type Route, route } from '../http/route.js';
import { timestamp } from '../http/timestamp.js';
import {
  FailureResponse,
  JobResponse,
  presentRelayCalls,
  presentRun,
  presentUndelivered,
  presentUnprocessed,
  RunJobBody,
  StartedResponse,
} from './jobs-dto.js';

const LISTED_FAILURES = 100;
const RELAY_EVENTS: JobName = 'relay-events.process';
const PURGE: ScheduleName = 'retention.purge';
const LOOKS: JobName = 'dns.look';
const POLL: ScheduleName = 'verification.poll';

@needs(
  JobStore,
  NotificationOutbox,
  RelayEventInbox,
  RelayCalls,
  RequestRun,
  ReleasePurgeBrake,
  ReleaseLacks,
  ForgetFuturePeriods,
  RunLedger,
  Clock,
)
export class JobsController implements Controller {
  constructor(
    private readonly store: JobStore,
    private readonly outbox: NotificationOutbox,
    private readonly inbox: RelayEventInbox,
    private readonly relayCalls: RelayCalls,
    private readonly requestRun: RequestRun,
    private readonly releasePurgeBrake: ReleasePurgeBrake,
    private readonly releaseLacks: ReleaseLacks,
    private readonly forgetFuture: ForgetFuturePeriods,
    private readonly ledger: RunLedger,
    private readonly clock: Clock,
  ) {}

  routes(): Route[] {
    return [
      route({
        method: 'get',
        path: '/jobs',
        access: 'master',
        summary: 'List schedules with their last and next runs, how many jobs wait, and failed jobs with their reasons',
        response: [JobResponse],
        run: async (): Promise<JobResponse[]> => {
          const runs = await this.ledger.last(latestPeriods(this.clock.now()));
          const relay = presentRelayCalls(await this.relayCalls.last());
          const waiting = await this.store.waiting();
          const dead = await this.store.dead(LISTED_FAILURES);
          const undelivered = (await this.outbox.undelivered(LISTED_FAILURES)).map(presentUndelivered);
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
            relay: name === POLL ? relay : null,
            waiting: null,
            failed: [],
          }));
          const jobs = (Object.keys(JOB_OPTIONS) as JobName[]).map((name) => ({
            name,
            schedule: null,
            next_at: null,
            last_run: null,
            relay: null,
            waiting: waiting.get(name) ?? 0,
            failed: [...failed(name), ...(listedElsewhere[name] ?? [])],
          }));
          return [...schedules, ...jobs];
        },
      }),
      route({
        method: 'post',
        path: '/jobs/:name/run',
        access: 'master',
        summary: 'Run a schedule now, process failed relay events again, or look at the domains that are due',
        body: RunJobBody,
        response: StartedResponse,
        status: 202,
        run: async ({ actor, params, body }): Promise<StartedResponse> => {
          const name = params.name;
          await this.releaseBrake(actor, name, onlyField(body, 'release_brake'));
          await this.requestRun.execute(actor, name);
          return { name };
        },
      }),
      route({
        method: 'delete',
        path: '/jobs/future-periods',
        access: 'master',
        summary:
          'Remove the runs of periods in the future, which a process with a wrong clock left, when all clocks are right',
        response: null,
        status: 204,
        run: async ({ actor }) => {
          await this.forgetFuture.execute(actor);
        },
      }),
    ];
  }

  private async releaseBrake(actor: Actor, name: string, release: boolean | undefined): Promise<void> {
    if (release === undefined) return;
    if (name !== PURGE && name !== LOOKS) throw invalidField('release_brake', `belongs to ${PURGE} and ${LOOKS} only`);
    if (release) await (name === PURGE ? this.releasePurgeBrake : this.releaseLacks).execute(actor);
  }
}
