import type { DomainName } from '@mailstead/core/domains/domain-name';
import { JobQueue } from '@mailstead/core/jobs/jobs';
import { DnsResolver } from '@mailstead/core/relay/dns-resolver';
import { PollVerifications } from '@mailstead/core/relay/poll-verifications';
import { RelayProvider } from '@mailstead/core/relay/relay-provider';
import { FixedClock } from '@mailstead/core/testing/fixed-clock';
import { IdleJobQueue } from '@mailstead/core/testing/idle-job-queue';
import { ScriptedDns } from '@mailstead/core/testing/scripted-dns';
import { SilentWaker } from '@mailstead/core/testing/silent-waker';
import type { Container } from 'inversify';
import { readConfig } from '../config.js';
import { createContainer } from '../container.js';
import { openTestDatabase, type TestDatabase } from '../database/testing/database-fixture.js';

import { LoggedJobs } from '../jobs/job-log.js';
import { createLogger } from '../logger.js';
import { UnlimitedRate } from '../relay/testing/unlimited-rate.js';
import { replace } from '../testing/replace.js';
import { SesRelayProvider } from './ses-relay-provider.js';
import { type SesEmulator, startSesEmulator } from './testing/ses-emulator.js';

const DOMAINS = 10_000;
const CHANGED = 25;

describe('a poll of 10,000 pending domains', () => {
  let opened: TestDatabase;
  let emulator: SesEmulator;
  let provider: SesRelayProvider;
  let container: Container;

  beforeAll(async () => {
    opened = await openTestDatabase('mariadb');
    emulator = await startSesEmulator();
    const rate = new UnlimitedRate();
    provider = new SesRelayProvider(
      {
        endpoint: emulator.url,
        region: 'eu-central-1',
        installationId: async () => 'inst-1',
        credentials: { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'secret' },
        timeoutMs: 5_000,
        configurationSet: 'mailstead',
        tenantPolicy: null,
      },
      rate,
    );
    container = createContainer(
      readConfig({ DATA_DIR: opened.dataDir, MASTER_TOKEN: 'master-token-of-the-tests-0123456789' }),
      {
        name: 'worker',
        database: opened.database,
        clock: new FixedClock(),
        waker: new SilentWaker(),
        jobLog: new LoggedJobs(createLogger('error')),
        createRateLimiter: () => rate,
        share: 'background',
      },
    );
    replace(container, JobQueue, new IdleJobQueue());
    replace(container, RelayProvider, provider);
    replace(container, DnsResolver, new ScriptedDns());
    await opened.database.write(
      "INSERT INTO partner (ref, domain_count, last_created_at) SELECT CONCAT('p', seq), 10, 0 FROM seq_1_to_100",
    );
    await opened.database.write(
      `INSERT INTO domain (name, partner_id, created_at, retention_days, retention_days_before, transfer_monthly_mb, suspension_causes, outbound_status, wildcard_mode, inbound, mailbox_count, alias_count)
       SELECT CONCAT('d', seq, '.example'), 2 + (seq MOD 100), seq, 0, 0, 0, '', 'active', 'none', 'open', 0, 0 FROM seq_1_to_${DOMAINS}`,
      [],
      [],
    );
    await opened.database.write(
      `INSERT INTO verification (domain_id, status, dkim_status, dns_records, check_attempt, ownership_token, ownership_required, started_at, last_checked_at)
       SELECT id, 'pending', 'pending', '[]', 0, 't', 0, 1, 1 FROM domain`,
      [],
      [],
    );
    const rows = await opened.database.read<{ id: number; name: DomainName }>(
      'SELECT id, name FROM domain ORDER BY id',
    );
    for (const { id, name } of rows) {
      const tags = { 'mailstead-installation': 'inst-1', 'mailstead-domain': String(id) };
      emulator.put({ name, tags, status: id <= CHANGED ? 'SUCCESS' : 'PENDING' });
    }
  });
  afterAll(async () => {
    await provider.close();
    await emulator.close();
    await opened.close();
  });

  it('costs ten list calls, and one call for each domain whose state changed', async () => {
    expect(await container.get(PollVerifications).execute('pending')).toEqual({
      polled: DOMAINS,
      changed: CHANGED,
    });
    const lists = emulator.requests.filter((request) => !request.includes('.example'));
    expect(lists).toHaveLength(10);
    expect(emulator.requests).toHaveLength(10 + CHANGED);
    const [row] = await opened.database.read("SELECT COUNT(*) AS verified FROM verification WHERE status = 'verified'");
    expect(Number(row?.verified)).toBe(CHANGED);
  });
});
