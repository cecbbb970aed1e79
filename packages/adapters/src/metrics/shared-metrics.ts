import { Clock, MINUTE_MS } from '@mailstead/core/clock';
import { EventPositions } from '@mailstead/core/events/event-positions';
import { Heartbeats } from '@mailstead/core/jobs/heartbeats';
import { JobStore } from '@mailstead/core/jobs/job-store';
import { JOB_NAMES } from '@mailstead/core/jobs/jobs';
import { RunLedger } from '@mailstead/core/jobs/run-ledger';
import { RunSchedules } from '@mailstead/core/jobs/run-schedules';
import { SCHEDULE_NAMES } from '@mailstead/core/jobs/schedules';
import { needs, token } from '@mailstead/core/needs';
import { NotificationOutbox } from '@mailstead/core/notifications/notification-outbox';
import { RelayEventInbox } from '@mailstead/core/relay-events/relay-event-inbox';
import { PurgeMarks } from '@mailstead/core/retention/purge-marks';
import { DISABLED_REASONS } from '@mailstead/core/webhooks/webhook-endpoint';
import { WebhookEndpoints } from '@mailstead/core/webhooks/webhook-endpoints';
import { Gauge, Registry } from 'prom-client';
import { DatabaseWriters } from '../database/health/database-writers.js';

/** A worker with a heartbeat within this time is counted as running. */
const RECENT_MS = MINUTE_MS;

export interface SharedMetricsOptions {
  /** Whether Mailstead runs the schedules (`SCHEDULES`). Otherwise it cannot know whether a run was missed. */
  schedules: boolean;
  /** Whether workers run the jobs (`REDIS_URL`). */
  workers: boolean;
  /** Whether the database is a Galera cluster. */
  isCluster: boolean;
}
export const SharedMetricsOptions = token<SharedMetricsOptions>('SharedMetricsOptions');

/**
 * The metrics of the state that all processes share in the database. They are the same in every process, so only one
 * process may publish them, or a sum over the processes would count them several times.
 */
@needs(
  JobStore,
  RunLedger,
  RunSchedules,
  RelayEventInbox,
  NotificationOutbox,
  Heartbeats,
  DatabaseWriters,
  PurgeMarks,
  EventPositions,
  WebhookEndpoints,
  Clock,
  SharedMetricsOptions,
)
export class SharedMetrics {
  constructor(
    private readonly jobs: JobStore,
    private readonly runs: RunLedger,
    private readonly schedules: RunSchedules,
    private readonly inbox: RelayEventInbox,
    private readonly outbox: NotificationOutbox,
    private readonly heartbeats: Heartbeats,
    private readonly writers: DatabaseWriters,
    private readonly purgeMarks: PurgeMarks,
    private readonly positions: EventPositions,
    private readonly endpoints: WebhookEndpoints,
    private readonly clock: Clock,
    private readonly options: SharedMetricsOptions,
  ) {}

  /**
   * Reads everything anew, so that no series is left of a state that has ended.
   *
   * @returns the metrics in the text format of Prometheus
   * @throws AppError database_unavailable
   */
  async text(): Promise<string> {
    const registry = new Registry();
    await Promise.all([
      this.addJobs(registry),
      this.addSchedules(registry),
      this.addEvents(registry),
      this.addProcesses(registry),
      this.addPurge(registry),
      this.addFeed(registry),
      this.addEndpoints(registry),
    ]);
    return registry.metrics();
  }

  private async addJobs(registry: Registry): Promise<void> {
    const now = this.clock.now();
    const waiting = gauge(registry, 'mailstead_jobs_waiting', 'Jobs that wait, by name', 'name');
    const dead = gauge(registry, 'mailstead_jobs_dead', 'Dead jobs, by name', 'name');
    const oldest = gauge(
      registry,
      'mailstead_jobs_oldest_due_seconds',
      'How long the oldest due job has waited',
      'name',
    );
    for (const name of JOB_NAMES) for (const each of [waiting, dead, oldest]) each.set({ name }, 0);
    for (const backlog of await this.jobs.backlog(now)) {
      const { name, oldestDueAt } = backlog;
      waiting.set({ name }, backlog.waiting);
      dead.set({ name }, backlog.dead);
      oldest.set({ name }, oldestDueAt === null ? 0 : (now.getTime() - oldestDueAt.getTime()) / 1_000);
    }
  }

  private async addSchedules(registry: Registry): Promise<void> {
    const lastSuccess = gauge(
      registry,
      'mailstead_schedule_last_success_seconds',
      'When a schedule was last done, Unix time',
      'schedule',
    );
    for (const [schedule, at] of await this.runs.lastDone(this.clock.now()))
      lastSuccess.set({ schedule }, at.getTime() / 1_000);
    if (!this.options.schedules) return;
    const missed = gauge(registry, 'mailstead_schedule_missed', '1 while the newest period is missed', 'schedule');
    const names = new Set(await this.schedules.missed());
    for (const schedule of SCHEDULE_NAMES) missed.set({ schedule }, names.has(schedule) ? 1 : 0);
    const help = 'Runs of periods in the future in the run ledger; above 0, a process had a wrong clock';
    gauge(registry, 'mailstead_schedule_future_periods', help).set((await this.schedules.future()).length);
  }

  private async addEvents(registry: Registry): Promise<void> {
    const relayEvents = gauge(
      registry,
      'mailstead_relay_events_unprocessed',
      'Relay events that wait, failed and are tried again, or were set aside',
      'state',
    );
    const inbox = await this.inbox.backlog();
    relayEvents.set({ state: 'waiting' }, inbox.waiting);
    relayEvents.set({ state: 'retried' }, inbox.retried);
    relayEvents.set({ state: 'set_aside' }, inbox.setAside);
    const notifications = gauge(
      registry,
      'mailstead_notifications_undelivered',
      'Notifications that wait, failed and are tried again, or are dead, counted for each channel',
      'state',
    );
    const outbox = await this.outbox.backlog();
    notifications.set({ state: 'waiting' }, outbox.waiting);
    notifications.set({ state: 'retried' }, outbox.retried);
    notifications.set({ state: 'dead' }, outbox.dead);
  }

  private async addFeed(registry: Registry): Promise<void> {
    const oldest = await this.positions.oldestWithout();
    const lagMs = oldest === null ? 0 : Math.max(0, this.clock.now().getTime() - oldest.getTime());
    const help = 'How long the oldest event without a position has waited; it is in no feed until it has one';
    gauge(registry, 'mailstead_events_lag_seconds', help).set(lagMs / 1_000);
  }

  private async addEndpoints(registry: Registry): Promise<void> {
    const help = 'Endpoints of webhooks that are disabled, by reason';
    const disabled = gauge(registry, 'mailstead_webhook_endpoints_disabled', help, 'reason');
    const counts = await this.endpoints.disabledCounts();
    for (const reason of DISABLED_REASONS) disabled.set({ reason }, counts.get(reason) ?? 0);
  }

  private async addPurge(registry: Registry): Promise<void> {
    const help = 'Domains whose lowered retention the purge applies only after a release of its brake';
    gauge(registry, 'mailstead_purge_held_domains', help).set(await this.purgeMarks.held());
  }

  private async addProcesses(registry: Registry): Promise<void> {
    if (this.options.workers) {
      const now = this.clock.now();
      const { running } = await this.heartbeats.workers(now, new Date(now.getTime() - RECENT_MS));
      gauge(registry, 'mailstead_workers', 'Workers that run').set(running);
    }
    if (this.options.isCluster) {
      const nodes = await this.writers.several();
      gauge(
        registry,
        'mailstead_database_writer_nodes',
        'Galera nodes that are written to at the same time; more than 1 loses acknowledged changes',
      ).set(Math.max(1, nodes.length));
    }
  }
}

function gauge<Label extends string = never>(
  registry: Registry,
  name: string,
  help: string,
  label?: Label,
): Gauge<Label> {
  return new Gauge({ name, help, labelNames: label === undefined ? [] : [label], registers: [registry] });
}
