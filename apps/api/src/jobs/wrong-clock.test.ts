import { readConfig } from '@mailstead/adapters/config';
import { createContainer } from '@mailstead/adapters/container';
import { InProcessWaker } from '@mailstead/adapters/in-process/in-process-waker';
import { ScheduleTable } from '@mailstead/adapters/jobs/schedule-table';
import { SilentJobLog } from '@mailstead/adapters/jobs/testing/silent-job-log';
import { InProcessRateLimiter } from '@mailstead/adapters/relay/in-process-rate-limiter';
import { replace } from '@mailstead/adapters/testing/replace';
import { DAY_MS } from '@mailstead/core/clock';
import { ChangeDomain } from '@mailstead/core/domains/change-domain';
import { DeleteDomain } from '@mailstead/core/domains/delete-domain';
import type { DomainName } from '@mailstead/core/domains/domain-name';
import { JobQueue } from '@mailstead/core/jobs/jobs';
import { latestPeriod, SCHEDULE_NAMES, SCHEDULES } from '@mailstead/core/jobs/schedules';
import type { Actor } from '@mailstead/core/operators/actor';
import { MailStore } from '@mailstead/core/retention/mail-store';
import { FixedClock } from '@mailstead/core/testing/fixed-clock';
import { IdleJobQueue } from '@mailstead/core/testing/idle-job-queue';
import { MASTER, POLICY, startTestApi, type TestApi } from '../testing/api-fixture.js';

const HASH = '$2y$04$N9qo8uLOickgx2ZMRZoMyeIjZAgcfl7p92ldGxad68LJZdL17lhWy';
const ACTOR: Actor = { kind: 'master', name: 'master', requestId: null };
/** Older than everything that is kept for a limited time. */
const AHEAD_MS = 500 * DAY_MS;

/** Stores no mail, and notes what it is asked to remove. */
class NotedStore extends MailStore {
  override readonly isConfigured = true;
  readonly asked: string[] = [];

  override async purge(domain: string): Promise<{ messages: number; bytes: number }> {
    this.asked.push(domain);
    return { messages: 0, bytes: 0 };
  }

  override async removeHome({ email }: { email: string }): Promise<{ messages: number; bytes: number }> {
    this.asked.push(email);
    return { messages: 0, bytes: 0 };
  }
}

/** MariaDB with the right time, and a process whose clock is wrong although it passed the check of the clocks. */
describe('a process whose clock is 500 days ahead of the database', () => {
  let api: TestApi;
  let acme: string;
  let store: NotedStore;

  beforeAll(async () => {
    api = await startTestApi('mariadb');
    api.clock.set(new Date());
    acme = await api.key('acme');
    for (const name of ['gone.example', 'stays.example', 'moves.example']) {
      await api.as(acme).post('/domains/', { name }).set('Idempotency-Key', name).expect(201);
      await api
        .as(acme)
        .post('/users/', { email: `a@${name}`, password_hash: HASH })
        .expect(201);
      await api.as(POLICY).post(`/domains/${name}/outbound/increment`, { record: true, id: name, sender: `a@${name}` });
    }
    await api.as(MASTER).put('/domains/stays.example/retention', { retention_days: 1 }).expect(200);
    await api.as(acme).delete('/domains/gone.example').expect(204);
    await api.as(acme).post('/portal-links/', { domain: 'stays.example' });
    const now = Date.now();
    await api.database.write(
      `INSERT INTO portal_session (token_hash, operator_hash, created_at, last_used_at, expires_at) VALUES ('s', 'o', ?, ?, ?)`,
      [now, now, now + DAY_MS],
    );
    await api.database.write(
      `INSERT INTO job_run (name, period, outcome, started_at, ended_at, attempts, resume_after) VALUES ('housekeeping', '2026-01-01T00', 'done', ?, ?, 1, 0), ('housekeeping', '2026-01-01T01', 'done', ?, ?, 1, 0)`,
      [now, now, now, now],
    );
  });
  afterAll(() => api.close());

  function wrongProcess() {
    store = new NotedStore();
    const clock = new FixedClock(new Date(Date.now() + AHEAD_MS));
    const container = createContainer(
      readConfig({
        DATA_DIR: '/nonexistent',
        MASTER_TOKEN: MASTER,
        SECRET_KEY: 'a-secret-key-of-the-tests-0123456789',
      }),
      {
        name: 'worker',
        database: api.database,
        clock,
        waker: new InProcessWaker(clock),
        jobLog: new SilentJobLog(),
        createRateLimiter: (rules) => new InProcessRateLimiter(rules),
        share: 'background',
      },
    );
    replace(container, MailStore, store);
    replace(container, JobQueue, new IdleJobQueue());
    return { container, now: clock.now() };
  }
  const rowCounts = async () => {
    const tables = await api.database.read<{ name: string }>(
      "SELECT table_name AS name FROM information_schema.tables WHERE table_schema = DATABASE() AND table_type = 'BASE TABLE'",
    );
    const counts = new Map<string, number>();
    for (const { name } of tables) {
      const [row] = await api.database.read(`SELECT COUNT(*) AS rows_of FROM \`${name}\``);
      counts.set(name, Number(row?.rows_of));
    }
    return counts;
  };
  const usageDays = () => api.database.read('SELECT day, name FROM usage_day ORDER BY day, name');

  it('deletes no row, no hash and no mail, and ends no day and no month, with any schedule', async () => {
    const before = await rowCounts();
    for (const table of ['tombstone', 'deleted_mailbox', 'portal_session', 'idempotency', 'outbound_counted_id']) {
      expect([table, before.get(table)]).not.toEqual([table, 0]);
    }
    const days = await usageDays();
    const { container, now } = wrongProcess();
    const table = container.get(ScheduleTable);
    for (const name of SCHEDULE_NAMES) {
      await table[name]({ period: latestPeriod(SCHEDULES[name], now), cursor: 0, save: async () => undefined });
    }
    const after = await rowCounts();
    expect([...before].filter(([name, count]) => (after.get(name) ?? 0) < count)).toEqual([]);
    expect(store.asked).toEqual([]);
    expect(await usageDays()).toEqual(days);
    expect(after.get('outbound_history')).toBe(before.get('outbound_history'));
    const hashes = await api.database.read('SELECT password_hash FROM deleted_mailbox');
    expect(hashes).toEqual([{ password_hash: HASH }]);
  });

  it('begins no grace and ends no day by its own clock when it changes or deletes a domain', async () => {
    const { container } = wrongProcess();
    const days = await usageDays();
    const change = container.get(ChangeDomain);
    await change.execute(
      ACTOR,
      'stays.example' as DomainName,
      'domain.update',
      () => ({}),
      () => undefined,
    );
    expect(await usageDays()).toEqual(days);
    await container.get(DeleteDomain).execute(ACTOR, 'moves.example' as DomainName);
    const today = new Date().toISOString().slice(0, 10);
    expect(await api.database.read("SELECT MAX(day) AS last FROM usage_day WHERE name = 'moves.example'")).toEqual([
      { last: today },
    ]);
    const [tombstone] = await api.database.read("SELECT expires_at FROM tombstone WHERE name = 'moves.example'");
    expect(Number(tombstone?.expires_at)).toBeLessThan(Date.now() + 8 * DAY_MS);
  });
});
