import { BLOCK_REASONS } from '@mailstead/core/domains/domain';
import { Meters } from '@mailstead/core/meters';
import { needs } from '@mailstead/core/needs';
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import { MetricsRegistry } from './metrics-registry.js';

/** Counts in a Prometheus registry. Each process has its own registry; Prometheus adds up the values. */
@needs(MetricsRegistry)
export class PrometheusMeters extends Meters {
  private readonly batches: Histogram;
  private readonly verdicts: Counter;
  private readonly blocks: Counter;
  private readonly correctedCounts: Counter;
  private readonly lostTrailRows: Counter;
  private readonly correctedCopies: Counter;
  private readonly providerCalls: Histogram;
  private readonly jobs: Histogram;
  private readonly notifications: Counter;
  private readonly wrongClock: Gauge;

  constructor(registry: Registry) {
    super();
    const registers = [registry];
    this.batches = new Histogram({
      name: 'mailstead_batch_items',
      help: 'Concurrent calls that shared one set-based call',
      labelNames: ['batch'],
      buckets: [1, 2, 5, 10, 20, 50, 100, 200, 400],
      registers,
    });
    this.verdicts = new Counter({
      name: 'mailstead_increments_total',
      help: 'Outbound increments by verdict',
      labelNames: ['action', 'reason'],
      registers,
    });
    this.blocks = new Counter({
      name: 'mailstead_outbound_blocks_total',
      help: 'Domains stopped by the bounce or complaint rule',
      labelNames: ['reason'],
      registers,
    });
    this.correctedCopies = new Counter({
      name: 'mailstead_copies_mended_total',
      help: 'Corrected rows by the table of the copies; above 0 only during and after an update, and when the service has a defect',
      labelNames: ['table'],
      registers,
    });
    this.lostTrailRows = new Counter({
      name: 'mailstead_trail_lost_rows_total',
      help: 'Rows of trails that were not kept, because there was no room for them',
      registers,
    });
    this.correctedCounts = new Counter({
      name: 'mailstead_counts_mended_total',
      help: 'Stored counts that were wrong and were corrected; above 0 is a defect of Mailstead',
      labelNames: ['of'],
      registers,
    });
    this.providerCalls = new Histogram({
      name: 'mailstead_provider_call_seconds',
      help: 'Calls to the relay provider by operation and outcome',
      labelNames: ['operation', 'outcome'],
      buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
      registers,
    });
    this.jobs = new Histogram({
      name: 'mailstead_job_seconds',
      help: 'Attempts at jobs by name and outcome',
      labelNames: ['name', 'outcome'],
      buckets: [0.01, 0.05, 0.25, 1, 5, 30, 120, 600],
      registers,
    });
    this.notifications = new Counter({
      name: 'mailstead_notification_attempts_total',
      help: 'Attempts to deliver notifications by channel and outcome',
      labelNames: ['channel', 'outcome'],
      registers,
    });
    this.wrongClock = new Gauge({
      name: 'mailstead_clock_wrong',
      help: '1 while jobs and schedules of this process wait because its clock or that of the database is wrong',
      registers,
    });
    // Prometheus sees no increase in a series that begins at 1, so an alert would miss the first one of a process.
    for (const reason of BLOCK_REASONS.filter((each) => each !== 'operator')) this.blocks.inc({ reason }, 0);
    for (const owner of ['partner', 'domain']) this.correctedCounts.inc({ of: owner }, 0);
  }

  override batch(name: string, items: number): void {
    this.batches.observe({ batch: name }, items);
  }

  override verdict(action: string, reason: string | null): void {
    this.verdicts.inc({ action, reason: reason ?? 'none' });
  }

  override blocked(reason: string): void {
    this.blocks.inc({ reason });
  }

  override countsCorrected(of: 'partner' | 'domain'): void {
    this.correctedCounts.inc({ of });
  }

  override copiesCorrected(table: string, rows: number): void {
    this.correctedCopies.inc({ table }, rows);
  }

  override trailRowsLost(rows: number): void {
    this.lostTrailRows.inc(rows);
  }

  override providerCall(operation: string, outcome: string, seconds: number): void {
    this.providerCalls.observe({ operation, outcome }, seconds);
  }

  override job(name: string, outcome: string, seconds: number): void {
    this.jobs.observe({ name, outcome }, seconds);
  }

  override clockWrong(isWrong: boolean): void {
    this.wrongClock.set(isWrong ? 1 : 0);
  }

  override notification(channel: string, outcome: string): void {
    this.notifications.inc({ channel, outcome });
  }
}
