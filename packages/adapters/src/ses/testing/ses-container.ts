import { DatabaseClock, SECOND_MS } from '@mailstead/core/clock';
import { JobGate } from '@mailstead/core/jobs/job-gate';
import { DnsResolver } from '@mailstead/core/relay/dns-resolver';
import { RelayProvider } from '@mailstead/core/relay/relay-provider';
import type { TenantPolicy } from '@mailstead/core/relay/tenants/relay-tenants';
import { FixedClock } from '@mailstead/core/testing/fixed-clock';
import { OpenGate } from '@mailstead/core/testing/open-gate';
import { ScriptedDns } from '@mailstead/core/testing/scripted-dns';
import { SilentWaker } from '@mailstead/core/testing/silent-waker';
import type { Container } from 'inversify';
import { readConfig } from '../../config.js';
import { createContainer } from '../../container.js';
import { RelayTrafficStamps } from '../../database/relay/relay-traffic-stamps.js';
import type { TestDatabase } from '../../database/testing/database-fixture.js';
import { LoggedJobs } from '../../jobs/job-log.js';
import { JobRunner } from '../../jobs/job-runner.js';
import { createLogger } from '../../logger.js';
import { UnlimitedRate } from '../../relay/testing/unlimited-rate.js';
import { replace } from '../../testing/replace.js';
import { SesRelayProvider } from '../ses-relay-provider.js';
import { type SesEmulator, startSesEmulator } from './ses-emulator.js';
import { TOPIC_ARN } from './topic-arn.js';

/** A process with the real SDK, the emulator of SES and a real database. Clock and DNS are those of the test. */
export interface SesContainer {
  container: Container;
  emulator: SesEmulator;
  clock: FixedClock;
  dns: ScriptedDns;
  opened: TestDatabase;
  /** Creates a second process, which shares the database, the clock and the emulator. */
  another(tenantPolicy?: TenantPolicy | null): Container;
  /** Inserts a verified domain of a partner, which the emulator knows with our tags but without a configuration set. */
  verifiedDomain(name: string, partnerId: number): Promise<number>;
  /** Runs the due jobs of a process, by default of the first one. */
  runJobs(container?: Container): Promise<void>;
  /** Lets the jobs of a process run for so many seconds. The clock goes from one job to the next. */
  pass(seconds: number, container?: Container): Promise<void>;
  close(): Promise<void>;
}

/** @param opened a database of a new installation, which whoever opened it closes */
export async function openSesContainer(
  opened: TestDatabase,
  tenantPolicy: TenantPolicy | null = null,
): Promise<SesContainer> {
  const emulator = await startSesEmulator();
  const clock = new FixedClock();
  const dns = new ScriptedDns();
  const providers: SesRelayProvider[] = [];
  const traffics: RelayTrafficStamps[] = [];
  const create = (policy = tenantPolicy): Container => {
    const provider = new SesRelayProvider(
      {
        endpoint: emulator.url,
        region: 'eu-central-1',
        installationId: async () => 'inst-1',
        credentials: { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'secret' },
        timeoutMs: 5_000,
        configurationSet: 'mailstead',
        tenantPolicy: policy,
      },
      new UnlimitedRate(),
    );
    providers.push(provider);
    const settings = {
      DATA_DIR: opened.dataDir,
      MASTER_TOKEN: 'master-token-of-the-tests-0123456789',
      RELAY_PROVIDER: 'ses',
      AWS_REGION: 'eu-central-1',
      SNS_TOPIC_ARNS: TOPIC_ARN,
      SES_CONFIGURATION_SET: 'mailstead',
      NOTIFY_WEBHOOK_URL: 'https://hooks.example/',
      NOTIFY_WEBHOOK_SECRET: 'whsec_dGhlIHNlY3JldCBvZiB0aGUgc3RhcnQgdGVzdHM=',
    };
    const container = createContainer(readConfig(settings), {
      name: 'worker',
      database: opened.database,
      clock,
      waker: new SilentWaker(),
      jobLog: new LoggedJobs(createLogger('error')),
      createRateLimiter: () => new UnlimitedRate(),
      share: 'background',
    });
    traffics.push(container.get(RelayTrafficStamps));
    replace(container, RelayProvider, provider);
    replace(container, DnsResolver, dns);
    replace(container, DatabaseClock, clock);
    replace(container, JobGate, new OpenGate(clock));
    return container;
  };
  const container = create();
  const runJobs = async (by = container): Promise<void> => {
    const runner = by.get(JobRunner);
    await runner.startDue('verification');
    await runner.idle();
  };
  /** The earliest job that is due after one time and before another one. */
  const nextJob = async (after: Date, before: Date): Promise<Date | null> => {
    const [row] = await opened.database.read<{ at: number | string | null }>(
      "SELECT MIN(run_at) AS at FROM job WHERE state = 'waiting' AND run_at > ? AND run_at < ?",
      [after.getTime(), before.getTime()],
    );
    return row?.at === null || row === undefined ? null : new Date(Number(row.at));
  };
  return {
    container,
    emulator,
    clock,
    dns,
    opened,
    another: create,
    verifiedDomain: async (name, partnerId) => {
      const { database } = opened;
      await database.write(
        `${database.dialect.insertOrIgnore('partner')} (id, ref, domain_count, last_created_at) VALUES (?, ?, 1, 0)`,
        [partnerId, `p${partnerId}`],
      );
      const { insertId: id } = await database.write(
        `INSERT INTO domain (name, partner_id, created_at, retention_days, retention_days_before, transfer_monthly_mb, suspension_causes, outbound_status, wildcard_mode, inbound, mailbox_count, alias_count)
         VALUES (?, ?, 1, 0, 0, 0, '', 'active', 'none', 'open', 0, 0)`,
        [name, partnerId],
      );
      const { tokens } = emulator.put({
        name,
        tags: { 'mailstead-installation': 'inst-1', 'mailstead-domain': String(id) },
        status: 'SUCCESS',
      });
      const records = tokens.map((token) => ({
        purpose: 'dkim',
        type: 'CNAME',
        name: `${token}._domainkey.${name}`,
        value: `${token}.x1y2.dkim.emulated.example`,
      }));
      // As a process of the former release writes it: without the columns of the configuration set.
      await database.write(
        `INSERT INTO verification (domain_id, partner_id, status, dkim_status, dns_records, check_attempt, ownership_token, ownership_required, started_at, last_checked_at)
         VALUES (?, ?, 'verified', 'success', ?, 0, 't', 0, 1, 1)`,
        [id, partnerId, JSON.stringify(records)],
      );
      return id;
    },
    runJobs,
    pass: async (seconds, by) => {
      const end = new Date(clock.now().getTime() + seconds * SECOND_MS);
      let next: Date | null = clock.now();
      while (next !== null) {
        clock.set(next);
        await runJobs(by);
        next = await nextJob(next, end);
      }
      clock.set(end);
      await runJobs(by);
    },
    close: async () => {
      for (const traffic of traffics) await traffic.flush();
      for (const provider of providers) await provider.close();
      await emulator.close();
    },
  };
}
