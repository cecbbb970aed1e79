import { SilentMeters } from '@mailstead/core/meters';
import { SilentJobLog } from '../../jobs/testing/silent-job-log.js';
import type { Database, Parameter } from '../driver/database.js';
import { SqlUnitOfWork } from '../driver/sql-unit-of-work.js';
import { SqlAttentionList } from '../finding/attention-list.js';
import { writeMtaDomains } from '../migrations/mta-domain.js';
import { onEachDatabase, openTestDatabase, type TestDatabase } from '../testing/database-fixture.js';
import { queryPlansOf } from '../testing/query-plans.js';
import { IDS_PER_BLOCK } from './id-blocks.js';
import { SqlStoredCopies } from './sql-stored-copies.js';

const DOMAINS = 20_000;
const MAILBOXES_PER_DOMAIN = 3;
const DAYS = 4;
const NOW = new Date('2026-03-15T12:00:00.000Z');
/** One block of ids. */
const SLICE = { of: DOMAINS / IDS_PER_BLOCK, remainder: 7 };

/** Fills a migrated database, in a few statements that both databases understand. */
async function fill(database: Database): Promise<void> {
  const isMariaDb = database.dialect.isReadByMailServers;
  const numbers = isMariaDb
    ? `SELECT seq AS i FROM seq_1_to_${DOMAINS}`
    : `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${DOMAINS}) SELECT i FROM n`;
  await database.write("INSERT INTO partner (id, ref, domain_count, last_created_at) VALUES (2, 'big', 1, 0)");
  await database.write(
    `INSERT INTO domain (id, name, partner_id, created_at, retention_days, retention_days_before, transfer_monthly_mb, suspension_causes, outbound_status, wildcard_mode, inbound, mailbox_count, alias_count)
     SELECT i, CONCAT('d', i, '.example'), 2, i, 0, 0, 0, '', 'active', 'none', 'open', 0, 0 FROM (${numbers}) AS n`,
    [],
    [],
  );
  await database.write(
    `INSERT INTO verification (domain_id, partner_id, status, dkim_status, check_attempt, ownership_token, ownership_required)
     SELECT id, 2, 'verified', '', 0, 't', 0 FROM domain`,
    [],
    [],
  );
  await database.write(
    "INSERT INTO domain_suffix (partner_id, suffix, domain_id) SELECT 2, name, id FROM domain UNION ALL SELECT 2, 'example', id FROM domain",
  );
  for (let number = 0; number < MAILBOXES_PER_DOMAIN; number += 1) {
    await database.write(
      `INSERT INTO mailbox (domain_id, partner_id, email, local_part, password_hash, quota_mb, outbound_daily_limit, active, home, created_at)
       SELECT id, 2, CONCAT('m${number}@', name), 'm', 'x', 0, 0, 1, 'h', 0 FROM domain`,
    );
  }
  await database.write(
    "INSERT INTO alias (domain_id, partner_id, address, destination, created_at) SELECT id, 2, CONCAT('a@', name), 'x@out.example', 0 FROM domain",
  );
  for (let day = 10; day < 10 + DAYS; day += 1) {
    await database.write(
      `INSERT INTO outbound_day (domain_id, day, sent, bounces, complaints, partner_sent) SELECT id, '2026-03-${day}', 1, 0, 0, 1 FROM domain`,
    );
  }
  await database.write(
    `INSERT INTO outbound_counter (domain_id, day, day_epoch, sent_today, partner_day, partner_sent, month, month_epoch, period_start, sent_month, bytes_month, bounces_month, complaints_month)
     SELECT id, '2026-03-15', 0, 1, '2026-03-15', 1, '2026-03', 0, 0, 1, 0, 0, 0 FROM domain`,
  );
  await database.write(
    "INSERT INTO domain_attention (domain_id, reason, partner_id, period) SELECT id, 'unverified', 2, '' FROM domain WHERE id % 2 = 0",
  );
  if (isMariaDb) {
    await database.write(writeMtaDomains('d.id > 0'));
    await database.write(
      'ANALYZE TABLE domain, verification, domain_suffix, mailbox, alias, outbound_day, outbound_counter, domain_attention, mta_domain',
    );
  }
}

onEachDatabase((kind) => {
  let opened: TestDatabase;
  let copies: SqlStoredCopies;

  beforeAll(async () => {
    opened = await openTestDatabase(kind);
    await fill(opened.database);
    const unitOfWork = new SqlUnitOfWork(opened.database);
    copies = new SqlStoredCopies(opened.database, unitOfWork, new SilentMeters(), new SilentJobLog());
  });
  afterAll(() => opened.close());

  const hourly = async () => {
    expect(await copies.correct(SLICE, NOW)).toBe(0);
    await new SqlAttentionList(opened.database).sweep(SLICE, NOW);
  };

  it('the comparison of a slice reads the rows of that slice by an index, and no table', async () => {
    expect(kind === 'mariadb' ? await readByMariaDb(hourly) : await scansOfSqlite(hourly)).toEqual([]);
  });

  /** The parts of plans that read more rows than the domains of the slice have. */
  async function readByMariaDb(work: () => Promise<unknown>): Promise<unknown[]> {
    const most = 1_000 * 1.5;
    const plans = (await queryPlansOf(opened.database, work)).filter(({ table }) => !table.startsWith('<'));
    expect(new Set(plans.map(({ table }) => table)).size).toBeGreaterThan(5);
    return plans.filter(({ table, type, rows }) => rows > most || (type === 'ALL' && table !== 'null' && rows > 10));
  }

  async function scansOfSqlite(work: () => Promise<unknown>): Promise<string[]> {
    const { database } = opened;
    const read = database.read.bind(database);
    const statements: [string, Parameter[]][] = [];
    database.read = (sql: string, parameters: Parameter[]) => {
      statements.push([sql, parameters]);
      return read(sql, parameters);
    };
    await work();
    Object.assign(database, { read });
    expect(statements.length).toBeGreaterThan(5);
    const steps: string[] = [];
    for (const [sql, parameters] of statements) {
      const plan = await read<{ detail: string }>(`EXPLAIN QUERY PLAN ${sql}`, parameters);
      steps.push(
        ...plan
          .map(({ detail }) => detail)
          .filter((detail) => /^SCAN (?!CONSTANT|\()/.test(detail))
          .map((detail) => `${detail}: ${sql}`),
      );
    }
    return steps;
  }
});
