import type { Clock } from '@mailstead/core/clock';
import type { JobStore } from '@mailstead/core/jobs/job-store';
import type { RunLedger } from '@mailstead/core/jobs/run-ledger';
import type { RunSchedules } from '@mailstead/core/jobs/run-schedules';
import type { RelayEventInbox } from '@mailstead/core/relay-events/relay-event-inbox';
import { Gauge, type Registry } from 'prom-client';

/** The metrics of a process: its meters, and the state of jobs, schedules and relay events in the database. */
export class ServiceMetrics {
  private readonly waiting: Gauge;
  private readonly dead: Gauge;
  private readonly oldest: Gauge;
  private readonly lastSuccess: Gauge;
  private readonly missed: Gauge;
  private readonly relayEvents: Gauge;

  constructor(
    private readonly jobs: JobStore,
    private readonly runs: RunLedger,
    private readonly schedules: RunSchedules,
    private readonly inbox: RelayEventInbox,
    private readonly clock: Clock,
    readonly registry: Registry,
  ) {
    const gauge = (name: string, help: string, label: string) =>
      new Gauge({ name, help, labelNames: [label], registers: [registry] });
    this.waiting = gauge('mailstead_jobs_waiting', 'Jobs that wait, by name', 'job');
    this.dead = gauge('mailstead_jobs_dead', 'Jobs that were given up, by name', 'job');
    this.oldest = gauge('mailstead_jobs_oldest_due_seconds', 'How long the oldest due job has waited', 'job');
    this.lastSuccess = gauge(
      'mailstead_schedule_last_success_seconds',
      'When a schedule was last done, Unix time',
      'schedule',
    );
    this.missed = gauge('mailstead_schedule_missed', 'Schedules that missed their newest period', 'schedule');
    this.relayEvents = gauge(
      'mailstead_relay_events_unprocessed',
      'Relay events that wait, failed and are tried again, or were set aside',
      'state',
    );
  }

  /** @returns the metrics in the text format of Prometheus */
  async text(): Promise<string> {
    const now = this.clock.now();
    for (const { name, waiting, dead, oldestDueAt } of await this.jobs.backlog(now)) {
      this.waiting.set({ job: name }, waiting);
      this.dead.set({ job: name }, dead);
      this.oldest.set({ job: name }, oldestDueAt === null ? 0 : (now.getTime() - oldestDueAt.getTime()) / 1_000);
    }
    const inbox = await this.inbox.backlog();
    this.relayEvents.set({ state: 'waiting' }, inbox.waiting);
    this.relayEvents.set({ state: 'retried' }, inbox.retried);
    this.relayEvents.set({ state: 'set_aside' }, inbox.setAside);
    for (const [schedule, { outcome, endedAt }] of await this.runs.newest()) {
      if (outcome === 'done' && endedAt !== null) this.lastSuccess.set({ schedule }, endedAt.getTime() / 1_000);
    }
    this.missed.reset();
    for (const schedule of await this.schedules.missed()) this.missed.set({ schedule }, 1);
    return this.registry.metrics();
  }
}
