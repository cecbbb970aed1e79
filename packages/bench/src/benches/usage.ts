import { openDatabase } from '@mailstead/adapters/database/driver/open-database';
import { SqlUnitOfWork } from '@mailstead/adapters/database/driver/sql-unit-of-work';
import { SqlUsageLedger } from '@mailstead/adapters/database/usage/usage-ledger';
import { DAY_MS, DatabaseClock, utcDay, utcMonth } from '@mailstead/core/clock';
import { SnapshotUsage } from '@mailstead/core/usage/snapshot-usage';
import type { Report } from '../report.js';
import type { DatabaseKind } from '../service.js';
import { filled } from './finding.js';
import { partnerDays } from './partner-days.js';

const DOMAINS = 100_000;
const MAX_MS = 60_000;
const MAX_GROWTH_MB = 50;
/** The first day shows what the process needs; the others must not need more. */
const DAYS = 3;

class SetClock extends DatabaseClock {
  at = 0;

  async time(): Promise<Date> {
    return new Date(this.at);
  }
}

/** Closing a day of 100,000 domains with counters, in this process, and the days of a partner that has so many. */
export async function usage(kind: DatabaseKind, report: Report): Promise<void> {
  const service = await filled(kind, DOMAINS, 0);
  await service.stop();
  const database = await openDatabase({ url: service.databaseUrl, dataDir: service.dataDir, poolSize: 4 });
  const start = Date.now();
  await database.write('UPDATE domain SET usage_day = ?', [utcDay(new Date(start))]);
  await database.write(
    `INSERT INTO outbound_counter (domain_id, day, day_epoch, sent_today, month, month_epoch, period_start, sent_month, bytes_month, bounces_month, complaints_month)
     SELECT id, ?, 0, 1, ?, 0, 0, 1, 2000, 0, 0 FROM domain`,
    [utcDay(new Date(start)), utcMonth(new Date(start))],
  );
  const clock = new SetClock();
  const ledger = new SqlUsageLedger(database, new SqlUnitOfWork(database), clock);
  const snapshot = new SnapshotUsage(ledger, clock);
  let firstPeakMb = Number.NaN;
  for (let day = 1; day <= DAYS; day += 1) {
    clock.at = start + day * DAY_MS;
    await database.write('UPDATE outbound_counter SET sent_month = sent_month + 1, bytes_month = bytes_month + 2000');
    const peakMb = await note(kind, report, snapshot, day, firstPeakMb);
    if (day === 1) firstPeakMb = peakMb;
  }
  await database.close();
  const other = await filled(kind, DOMAINS, 0);
  await other.stop();
  await partnerDays(kind, report, other, DOMAINS);
}

/** @returns the highest resident memory, megabytes */
async function note(
  kind: DatabaseKind,
  report: Report,
  snapshot: SnapshotUsage,
  day: number,
  firstPeakMb: number,
): Promise<number> {
  let peak = process.memoryUsage().rss;
  const watch = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage().rss);
  }, 10);
  const started = performance.now();
  const { domains } = await snapshot.execute({ cursor: 0, save: async () => {} });
  const ms = performance.now() - started;
  clearInterval(watch);
  const peakMb = peak / 1_048_576;
  const growthMb = day === 1 ? 0 : peakMb - firstPeakMb;
  report.note(
    `usage.snapshot of 100,000 domains, day ${day}, ${kind}`,
    `${(ms / 1_000).toFixed(1)} s; peak ${Math.round(peakMb)} MB, ${growthMb < 0 ? '-' : '+'} ${Math.abs(Math.round(growthMb))} MB`,
    '≤ 60 s, memory flat (< 50 MB over the first day)',
    domains === DOMAINS && ms <= MAX_MS && growthMb < MAX_GROWTH_MB,
  );
  return peakMb;
}
