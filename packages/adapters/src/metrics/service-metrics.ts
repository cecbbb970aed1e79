import { getHeapStatistics } from 'node:v8';
import { needs } from '@mailstead/core/needs';
import { collectDefaultMetrics, Gauge, type Registry } from 'prom-client';
import { InstallationLease } from '../database/installation/installation-lease.js';
import { MetricsRegistry } from './metrics-registry.js';
import { SharedMetrics } from './shared-metrics.js';

/** Gauges that have the name of a counter; `nodejs_active_handles` and the like have the same values by type. */
const MISNAMED = [
  'nodejs_active_handles_total',
  'nodejs_active_requests_total',
  'nodejs_active_resources_total',
] as const;

/**
 * The metrics of a process: its own, and in one process of the installation those of the shared state in the database.
 * That process holds a lease, which the first scrape of any process takes when nobody holds it.
 */
@needs(SharedMetrics, InstallationLease, MetricsRegistry)
export class ServiceMetrics {
  private readonly publishes: Gauge;

  constructor(
    private readonly shared: SharedMetrics,
    private readonly lease: InstallationLease,
    readonly registry: Registry,
  ) {
    this.publishes = new Gauge({
      name: 'mailstead_shared_metrics_published',
      help: '1 in the process that publishes the metrics of the shared state, 0 in the others',
      registers: [registry],
    });
  }

  /**
   * Adds the metrics of the operating system's process and of Node.js. Once for each process, not for each container.
   */
  watchProcess(): void {
    collectDefaultMetrics({ register: this.registry });
    for (const name of MISNAMED) this.registry.removeSingleMetric(name);
    const help = 'Heap at which Node.js ends the process';
    new Gauge({ name: 'mailstead_heap_limit_bytes', help, registers: [this.registry] }).set(
      getHeapStatistics().heap_size_limit,
    );
  }

  /** @returns the metrics in the text format of Prometheus; without the database only those of the process */
  async text(): Promise<string> {
    const shared = await this.sharedText().catch(() => null);
    this.publishes.set(shared === null ? 0 : 1);
    return `${await this.registry.metrics()}${shared ?? ''}`;
  }

  /** Lets another process publish the shared state at once. */
  close(): Promise<void> {
    return this.lease.release();
  }

  private async sharedText(): Promise<string | null> {
    return (await this.lease.hold()) ? this.shared.text() : null;
  }
}
