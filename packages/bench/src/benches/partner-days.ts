import { SqlStoredCopies } from '@mailstead/adapters/database/copies/sql-stored-copies';
import type { Database } from '@mailstead/adapters/database/driver/database';
import { openDatabase } from '@mailstead/adapters/database/driver/open-database';
import { SqlUnitOfWork } from '@mailstead/adapters/database/driver/sql-unit-of-work';
import { LoggedJobs } from '@mailstead/adapters/jobs/job-log';
import { createLogger } from '@mailstead/adapters/logger';
import { DAY_MS, utcDay, utcMonth } from '@mailstead/core/clock';
import { SilentMeters } from '@mailstead/core/meters';
import type { Report } from '../report.js';
import { type DatabaseKind, masterHeaders as headers, type Served, startService } from '../service.js';

const DAYS = 30;
const REQUESTS = 200;
const MAX_MS = 50;
/** What the first process after an update adds up at once, in percent of all domains. */
const SLICE = { of: 100, remainder: 0 };

/**
 * The days of a partner whose domains all sent mail on all days: the rows that the first process after an update makes
 * from the days of the domains, and then the answer.
 *
 * @param served a stopped service
 */
export async function partnerDays(kind: DatabaseKind, report: Report, served: Served, domains: number): Promise<void> {
  const database = await openDatabase({ url: served.databaseUrl, dataDir: served.dataDir, poolSize: 4 });
  const now = new Date();
  await fillDays(database, now);
  const copies = new SqlStoredCopies(
    database,
    new SqlUnitOfWork(database),
    new SilentMeters(),
    new LoggedJobs(createLogger('error')),
  );
  const started = performance.now();
  const times: number[] = [];
  for (let remainder = 0; remainder < SLICE.of; remainder += 1) {
    const began = performance.now();
    await copies.correct({ ...SLICE, remainder }, now);
    times.push(performance.now() - began);
  }
  const seconds = (performance.now() - started) / 1_000;
  report.note(
    `days of partners after an update, ${domains.toLocaleString('en')} domains with ${DAYS} days, ${kind}`,
    `${seconds.toFixed(0)} s in transactions of 50 domains; longest hundredth ${(Math.max(...times) / 1_000).toFixed(1)} s`,
    'beside other work, within the first hour',
    seconds < 3_600,
  );
  await database.close();
  const service = await startService(kind, served);
  const [answers, others]: [number[], number[]] = [[], []];
  for (let request = 0; request < REQUESTS; request += 1) {
    const asked = performance.now();
    const response = await fetch(`${service.url}/outbound/days?partner_ref=big`, { headers });
    const days = (await response.json()) as { sent: number }[];
    const answered = performance.now();
    await (await fetch(`${service.url}/mail-settings`, { headers })).arrayBuffer();
    answers.push(answered - asked);
    others.push(performance.now() - answered);
    if (days.some(({ sent }) => sent !== domains)) throw new Error('GET /outbound/days: a day is not complete');
  }
  await service.stop();
  const [median, other] = [medianOf(answers), medianOf(others)];
  report.note(
    `GET /outbound/days of ${domains.toLocaleString('en')} domains, ${kind}`,
    `${median.toFixed(1)} ms, and ${other.toFixed(1)} ms for GET /mail-settings in turns with it, medians of ${REQUESTS} requests`,
    `≤ ${MAX_MS} ms`,
    median <= MAX_MS,
  );
}

function medianOf(times: number[]): number {
  return times.toSorted((left, right) => left - right)[Math.floor(times.length / 2)] ?? Number.NaN;
}

/** One message of each domain on each day, as a former release stores them. The last day is still in the counters. */
async function fillDays(database: Database, now: Date): Promise<void> {
  for (let ago = DAYS - 1; ago > 0; ago -= 1) {
    await database.write(
      'INSERT INTO outbound_day (domain_id, day, sent, bounces, complaints) SELECT id, ?, 1, 0, 0 FROM domain',
      [utcDay(new Date(now.getTime() - ago * DAY_MS))],
    );
  }
  await database.write(
    `INSERT INTO outbound_counter (domain_id, day, day_epoch, sent_today, month, month_epoch, period_start, sent_month, bytes_month, bounces_month, complaints_month)
     SELECT id, ?, 0, 1, ?, 0, 0, 1, 2000, 0, 0 FROM domain`,
    [utcDay(now), utcMonth(now)],
  );
}
