import { resolve } from '@mailstead/adapters/container';
import { Clock } from '@mailstead/core/clock';
import { JobStore } from '@mailstead/core/job-store';
import { RunLedger } from '@mailstead/core/run-ledger';
import { RunSchedules } from '@mailstead/core/run-schedules';
import type { Container } from 'inversify';
import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import { type RequestLine, RequestLog } from '../request-log.js';

/** What `/metrics` tells. Requests are counted as they end; what the database knows is read when asked. */
export class ServiceMetrics {
  readonly registry = new Registry();
  private readonly requests = new Counter({
    name: 'mailstead_requests_total',
    help: 'Requests by route and status',
    labelNames: ['method', 'route', 'status'],
    registers: [this.registry],
  });
  private readonly durations = new Histogram({
    name: 'mailstead_request_seconds',
    help: 'How long requests took',
    labelNames: ['route'],
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5],
    registers: [this.registry],
  });
  private readonly waiting = this.gauge('mailstead_jobs_waiting', 'Jobs that wait, by name', ['job']);
  private readonly dead = this.gauge('mailstead_jobs_dead', 'Jobs that were given up, by name', ['job']);
  private readonly oldest = this.gauge('mailstead_jobs_oldest_due_seconds', 'How long the oldest due job has waited', [
    'job',
  ]);
  private readonly lastSuccess = this.gauge(
    'mailstead_schedule_last_success_seconds',
    'When a schedule was last done, Unix time',
    ['schedule'],
  );
  private readonly missed = this.gauge('mailstead_schedule_missed', 'Schedules that missed their newest period', [
    'schedule',
  ]);

  constructor(private readonly container: Container) {}

  /** The log, with every request counted on the way. */
  counting(log: RequestLog): RequestLog {
    return new CountingLog(log, (line) => {
      this.requests.inc({ method: line.method, route: line.route, status: line.status });
      this.durations.observe({ route: line.route }, line.durationMs / 1_000);
    });
  }

  /** The exposition text of Prometheus. */
  async text(): Promise<string> {
    const now = resolve(this.container, Clock).now();
    for (const { name, waiting, dead, oldestDueAt } of await resolve(this.container, JobStore).backlog(now)) {
      this.waiting.set({ job: name }, waiting);
      this.dead.set({ job: name }, dead);
      this.oldest.set({ job: name }, oldestDueAt === null ? 0 : (now.getTime() - oldestDueAt.getTime()) / 1_000);
    }
    for (const [schedule, { outcome, endedAt }] of await resolve(this.container, RunLedger).newest()) {
      if (outcome === 'done' && endedAt !== null) this.lastSuccess.set({ schedule }, endedAt.getTime() / 1_000);
    }
    this.missed.reset();
    for (const schedule of await resolve(this.container, RunSchedules).missed()) this.missed.set({ schedule }, 1);
    return this.registry.metrics();
  }

  private gauge(name: string, help: string, labelNames: string[]): Gauge {
    return new Gauge({ name, help, labelNames, registers: [this.registry] });
  }
}

class CountingLog extends RequestLog {
  constructor(
    private readonly log: RequestLog,
    private readonly count: (line: RequestLine) => void,
  ) {
    super();
  }

  override request(line: RequestLine): void {
    this.count(line);
    this.log.request(line);
  }

  override defect(error: unknown, requestId: string): void {
    this.log.defect(error, requestId);
  }
}
