import { PurgeBrands } from '@mailstead/core/brands/purge-brands';
import { DAY_MS } from '@mailstead/core/clock';
import { PurgeRecords } from '@mailstead/core/jobs/purge-records';
import { SilentMeters } from '@mailstead/core/meters';
import { PurgeSuppressions } from '@mailstead/core/suppressions/purge-suppressions';
import { FixedClock } from '@mailstead/core/testing/fixed-clock';
import { LastUsedStamps } from '../api-keys/last-used-stamps.js';
import { SqlAuditLog } from '../audit/audit-log.js';
import { TypeormBrandRepository } from '../brands/brand-repository.js';
import type { Parameter } from '../driver/database.js';
import { SqlUnitOfWork } from '../driver/sql-unit-of-work.js';
import { SqlEventFeed } from '../events/event-feed.js';
import { TypeormNotificationOutbox } from '../notifications/notification-outbox.js';
import { TypeormPartnerRepository } from '../partners/partner-repository.js';
import { TypeormPortalLinkRepository } from '../portal-links/portal-link-repository.js';
import { TypeormSessionRepository } from '../sessions/session-repository.js';
import { SqlSuppressions } from '../suppressions/sql-suppressions.js';
import { onEachDatabase, openTestDatabase, type TestDatabase } from '../testing/database-fixture.js';
import { SqlWebhookEndpoints } from '../webhooks/sql-webhook-endpoints.js';
import { SqlHeartbeats } from './heartbeats.js';
import { SqlJobStore } from './job-store.js';
import { SqlRunLedger } from './run-ledger.js';

const ROWS = 4_500;

onEachDatabase((kind) => {
  let opened: TestDatabase;
  let clock: FixedClock;

  beforeAll(async () => {
    opened = await openTestDatabase(kind);
    clock = new FixedClock();
    await fill();
  });
  afterAll(() => opened.close());

  const purge = (auditDays: number) => {
    const { database } = opened;
    const unitOfWork = new SqlUnitOfWork(database);
    return new PurgeRecords(
      new SqlAuditLog(database),
      new SqlEventFeed(database, unitOfWork),
      new SqlRunLedger(database),
      new SqlJobStore(database, unitOfWork),
      new TypeormNotificationOutbox(database, unitOfWork),
      new SqlHeartbeats(database),
      new TypeormSessionRepository(database, new LastUsedStamps(database), clock, new SilentMeters()),
      new TypeormPortalLinkRepository(database, clock),
      new PurgeBrands(unitOfWork, new TypeormPartnerRepository(database), new TypeormBrandRepository(database)),
      new SqlWebhookEndpoints(database),
      new PurgeSuppressions(unitOfWork, new TypeormPartnerRepository(database), new SqlSuppressions(database), clock),
      clock,
      { auditDays, eventsDays: 400 },
    );
  };
  const ago = (days: number) => clock.now().getTime() - days * DAY_MS;
  const count = async (table: string) => {
    const [row] = await opened.database.read(`SELECT COUNT(*) AS rows_left FROM ${table}`);
    return Number(row?.rows_left);
  };

  /**
   * Inserts old rows into each table, more than one chunk, and as many new ones. Rows of the same table have one form.
   */
  async function fill(): Promise<void> {
    const numbers =
      kind === 'mariadb'
        ? `SELECT seq AS i FROM seq_1_to_${ROWS}`
        : `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${ROWS}) SELECT i FROM n`;
    for (const isOld of [true, false]) {
      const at = (days: number) => (isOld ? ago(days + 1) : ago(days - 1));
      const id = `CONCAT('${isOld ? 'old' : 'new'}-', i)`;
      for (const [head, select, parameters] of [
        [
          'audit_log (changed_at, actor_kind, actor, action, subject, event_type, position)',
          `?, 'system', 'test', 'test.test', 'x', 'job.missed', i + ${isOld ? 0 : ROWS}`,
          [at(400)],
        ],
        [
          'job_run (name, period, outcome, started_at, attempts, resume_after)',
          `'n', ${id}, 'done', ?, 1, 0`,
          [at(90)],
        ],
        [
          'job (name, payload, state, run_at, attempts, created_at)',
          "'identity.delete', '{}', 'dead', ?, 1, 0",
          [at(90)],
        ],
        ['portal_session (token_hash, created_at, last_used_at, expires_at)', `${id}, 0, 0, ?`, [at(0)]],
        ...(['delivered', 'dead', 'waiting'] as const).map((state): [string, string, Parameter[]] => [
          'notification (notification_id, channel, type, happened_at, data, state, attempts, next_attempt_at)',
          `CONCAT('${state}', ${id}), 'webhook', 'job.missed', 0, '{}', '${state}', 1, ?`,
          [at(state === 'delivered' ? 30 : 90)],
        ]),
      ] as [string, string, Parameter[]][]) {
        await opened.database.write(`INSERT INTO ${head} SELECT ${select} FROM (${numbers}) numbers`, parameters);
      }
    }
  }

  it('keeps audit rows for ever with 0 days', async () => {
    expect(await purge(0).execute()).toMatchObject({ audit: 0 });
    expect(await count('audit_log')).toBe(2 * ROWS);
  });

  it('deletes all that is too old, however much, and nothing else', async () => {
    expect(await purge(400).execute()).toMatchObject({ audit: ROWS });
    expect(await count('audit_log')).toBe(ROWS);
    expect(await count('portal_session')).toBe(ROWS);
    expect(await count('job_run')).toBeLessThanOrEqual(ROWS + 2);
    expect(await count("job WHERE state = 'dead'")).toBe(ROWS);
    expect(await count("notification WHERE state = 'delivered'")).toBe(ROWS);
    expect(await count("notification WHERE state = 'dead'")).toBe(ROWS);
    expect(await count("notification WHERE state = 'waiting'")).toBe(2 * ROWS);
    expect(await purge(400).execute()).toMatchObject({ audit: 0, runs: 0, dead_jobs: 0, notifications: 0 });
  });

  it('finds no old rows without reading the new ones', async () => {
    const { database } = opened;
    if (kind === 'mariadb') {
      // MariaDB 11 reads a few thousand rows as a whole.
      await database.write(
        `INSERT INTO audit_log (changed_at, actor_kind, actor, action, subject, event_type, position)
         SELECT ?, 'system', 'test', 'test.test', 'x', 'job.missed', seq + ${2 * ROWS} FROM seq_1_to_50000`,
        [ago(399)],
      );
      await database.write('ANALYZE TABLE audit_log, job_run, job, notification, portal_session');
    }
    const write = database.write.bind(database);
    const deletes: [string, Parameter[]][] = [];
    database.write = async (sql: string, parameters: Parameter[]) => {
      deletes.push([sql, parameters]);
      return write(sql, parameters);
    };
    // Before the times of the rows that the test above deleted, which MariaDB still estimates.
    clock.advance(-1_000 * DAY_MS);
    await purge(400).execute();
    Object.assign(database, { write });
    for (const [sql, parameters] of deletes.filter(([statement]) => statement.startsWith('DELETE'))) {
      const plan = await database.read(`EXPLAIN ${kind === 'sqlite' ? 'QUERY PLAN ' : ''}${sql}`, parameters);
      const text = JSON.stringify(plan);
      if (kind === 'sqlite')
        expect(text).not.toMatch(
          /SCAN (audit_log|job_run|job|notification|process_heartbeat|portal_session|portal_link)\b/,
        );
      else expect(plan.some(({ type }) => type === 'ALL') ? sql : null).toBeNull();
    }
    expect(deletes.length).toBeGreaterThan(4);
  });
});
