import { aboutInstallation } from '@mailstead/core/audit/about-partner';
import { AuditLog } from '@mailstead/core/audit/audit-log';
import { DAY_MS, SECOND_MS } from '@mailstead/core/clock';
import { JobGate } from '@mailstead/core/jobs/job-gate';
import { JobStore } from '@mailstead/core/jobs/job-store';
import { JOB_NAMES } from '@mailstead/core/jobs/jobs';
import { RunSchedules } from '@mailstead/core/jobs/run-schedules';
import { SCHEDULE_NAMES } from '@mailstead/core/jobs/schedules';
import { systemActor } from '@mailstead/core/operators/actor';
import { FixedClock } from '@mailstead/core/testing/fixed-clock';
import { OpenGate } from '@mailstead/core/testing/open-gate';
import { DISABLED_REASONS } from '@mailstead/core/webhooks/webhook-endpoint';
import type { Container } from 'inversify';
import { readConfig } from '../config.js';
import { createContainer } from '../container.js';
import { onEachDatabase, openTestDatabase, type TestDatabase } from '../database/testing/database-fixture.js';
import { EventPositioner } from '../events/event-positioner.js';
import { InProcessWaker } from '../in-process/in-process-waker.js';
import { SilentJobLog } from '../jobs/testing/silent-job-log.js';
import { InProcessRateLimiter } from '../relay/in-process-rate-limiter.js';
import { replace } from '../testing/replace.js';
import { ServiceMetrics } from './service-metrics.js';
import { SharedMetricsOptions } from './shared-metrics.js';

onEachDatabase((kind) => {
  let opened: TestDatabase;
  let clock: FixedClock;

  beforeAll(async () => {
    opened = await openTestDatabase(kind);
    clock = new FixedClock();
  });
  afterAll(() => opened.close());
  beforeEach(async () => {
    await opened.database.write('DELETE FROM job');
    await opened.database.write("DELETE FROM installation WHERE name = 'metrics_publisher'");
  });

  function aProcess(settings: Record<string, string> = {}): Container {
    const config = readConfig({
      DATA_DIR: opened.dataDir,
      MASTER_TOKEN: 'master-token-of-the-tests-0123456789',
      ...settings,
    });
    const container = createContainer(config, {
      name: 'api',
      database: opened.database,
      clock,
      waker: new InProcessWaker(clock),
      jobLog: new SilentJobLog(),
      createRateLimiter: (rules) => new InProcessRateLimiter(rules),
      share: 'interactive',
    });
    replace(container, JobGate, new OpenGate(clock));
    return container;
  }
  const textOf = (process: Container) => process.get(ServiceMetrics).text();
  /** The series of a metric, `{labels}` → value. */
  const seriesOf = (text: string, name: string) =>
    new Map(
      [...text.matchAll(new RegExp(`^${name}(\\{[^}]*\\})? (\\S+)$`, 'gm'))].map(([, labels = '', value]) => [
        labels,
        Number(value),
      ]),
    );

  it('say how long the oldest event has waited for its position', async () => {
    const process = aProcess();
    const lag = async () => {
      await opened.database.write("DELETE FROM installation WHERE name = 'metrics_publisher'");
      return seriesOf(await textOf(process), 'mailstead_events_lag_seconds').get('');
    };
    expect(await lag()).toBe(0);
    const entry = aboutInstallation('job.missed', { subject: 'housekeeping' });
    await process.get(AuditLog).append(systemActor('tests'), clock.now(), entry);
    clock.advance(3 * SECOND_MS);
    expect(await lag()).toBe(3);
    await process.get(EventPositioner).giveAll();
    expect(await lag()).toBe(0);
  });

  it('have a series for every job and every schedule while nothing waits and nothing was missed', async () => {
    const text = await textOf(aProcess());
    const zero = (label: string, names: readonly string[]) =>
      new Map(names.map((name) => [`{${label}="${name}"}`, 0] as const));
    expect(seriesOf(text, 'mailstead_schedule_missed')).toEqual(zero('schedule', SCHEDULE_NAMES));
    expect(seriesOf(text, 'mailstead_jobs_waiting')).toEqual(zero('name', JOB_NAMES));
    expect(seriesOf(text, 'mailstead_jobs_dead')).toEqual(zero('name', JOB_NAMES));
    expect(seriesOf(text, 'mailstead_webhook_endpoints_disabled')).toEqual(zero('reason', DISABLED_REASONS));
    expect(seriesOf(text, 'mailstead_notifications_undelivered')).toEqual(
      zero('state', ['waiting', 'retried', 'dead']),
    );
  });

  it('begin at 0 where one is an alarm: Prometheus sees no increase in a series that begins at 1', async () => {
    const text = await textOf(aProcess());
    expect(seriesOf(text, 'mailstead_counts_mended_total')).toEqual(
      new Map([
        ['{of="partner"}', 0],
        ['{of="domain"}', 0],
      ]),
    );
    expect(seriesOf(text, 'mailstead_outbound_blocks_total')).toEqual(
      new Map([
        ['{reason="bounce_rate"}', 0],
        ['{reason="complaint_rate"}', 0],
      ]),
    );
  });

  it('have no label that Prometheus sets itself', async () => {
    expect(await textOf(aProcess())).not.toMatch(/[{,](job|instance)=/);
  });

  it('fall back to 0 when the last job of a name is done', async () => {
    const process = aProcess();
    const waiting = async () =>
      seriesOf(await textOf(process), 'mailstead_jobs_waiting').get('{name="identity.delete"}');
    await process.get(JobStore).add('identity.delete', { domainId: 1, name: 'x.example' }, {}, clock.now());
    expect(await waiting()).toBe(1);
    await opened.database.write('DELETE FROM job');
    expect(await waiting()).toBe(0);
  });

  it('show a missed schedule, unless Mailstead runs none', async () => {
    await aProcess().get(RunSchedules).executeDue();
    clock.advance(2 * DAY_MS);
    const process = aProcess();
    const missed = seriesOf(await textOf(process), 'mailstead_schedule_missed');
    expect(missed.get('{schedule="retention.purge"}')).toBe(1);
    await process.get(ServiceMetrics).close();
    expect(seriesOf(await textOf(aProcess({ SCHEDULES: 'off' })), 'mailstead_schedule_missed').size).toBe(0);
  });

  if (kind === 'sqlite') return;

  it('have the number of written nodes on a Galera cluster', async () => {
    const process = aProcess();
    replace(process, SharedMetricsOptions, { schedules: true, workers: true, isCluster: true });
    const text = await textOf(process);
    expect(seriesOf(text, 'mailstead_database_writer_nodes').get('')).toBe(1);
    expect(seriesOf(text, 'mailstead_workers').get('')).toBe(0);
  });

  it('are published once for the shared state, whatever the number of processes, also after the publisher is killed', async () => {
    clock.advance(DAY_MS);
    const processes = [aProcess(), aProcess(), aProcess()];
    await processes[0]?.get(JobStore).add('identity.delete', { domainId: 1, name: 'x.example' }, {}, clock.now());
    const sum = async (name: string, some = processes) => {
      const texts = await Promise.all(some.map(textOf));
      return texts.flatMap((text) => [...seriesOf(text, name).values()]).reduce((total, value) => total + value, 0);
    };
    for (let scrape = 0; scrape < 5; scrape += 1) {
      expect(await sum('mailstead_jobs_waiting')).toBe(1);
      expect(await sum('mailstead_shared_metrics_published')).toBe(1);
      clock.advance(60 * SECOND_MS);
    }
    const texts = await Promise.all(processes.map(textOf));
    const left = processes.filter((_, index) => !texts[index]?.includes('mailstead_jobs_waiting'));
    expect(left).toHaveLength(2);
    expect(await sum('mailstead_jobs_waiting', left)).toBe(0);
    clock.advance(150 * SECOND_MS);
    expect(await sum('mailstead_jobs_waiting', left)).toBe(1);
  });

  it('are those of the process alone while the database is away', async () => {
    const process = aProcess();
    const { manager } = opened.database;
    Object.defineProperty(opened.database, 'manager', {
      configurable: true,
      get: () => {
        throw new Error('The database is away');
      },
    });
    const text = await textOf(process);
    Object.defineProperty(opened.database, 'manager', { configurable: true, value: manager });
    expect(text).toContain('mailstead_shared_metrics_published 0');
    expect(text).not.toContain('mailstead_jobs_waiting');
  });
});
