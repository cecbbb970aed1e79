import { connectTo } from '../database.js';
import { round } from '../load.js';
import type { Report } from '../report.js';
import { seed } from '../seed.js';
import { type DatabaseKind, startService, startWorker } from '../service.js';
import { bounces } from './webhook.js';

/** Receives relay events at full speed, then waits until one worker has processed the last one. */
export async function events(kind: DatabaseKind, report: Report): Promise<void> {
  const redis = { REDIS_URL: process.env.MAILSTEAD_TEST_REDIS_URL ?? '' };
  const empty = await startService(kind);
  await empty.stop();
  await seed(empty.databaseUrl ?? '', { domains: 1_000, mailboxesPerDomain: 0, counters: true });
  const service = await startService(kind, empty, redis);
  const worker = await startWorker(empty, redis);
  const connection = await connectTo(empty.databaseUrl ?? '');
  const pending = async (): Promise<number> => {
    const [rows] = await connection.query('SELECT COUNT(*) AS pending FROM relay_event WHERE processed_at IS NULL');
    return Number((rows as { pending: unknown }[])[0]?.pending);
  };
  const started = performance.now();
  await round(service, bounces('seed-7.example'));
  const intakeMs = performance.now() - started;
  while ((await pending()) > 0) await new Promise((resolve) => setTimeout(resolve, 20));
  const wholeMs = performance.now() - started;
  const [rows] = await connection.query('SELECT COUNT(*) AS stored FROM relay_event');
  const stored = Number((rows as { stored: unknown }[])[0]?.stored);
  report.note(
    'relay events, one worker beside a full intake',
    `${stored} events stored in ${Math.round(intakeMs)} ms, all processed ${Math.round(wholeMs - intakeMs)} ms later`,
    'the rest takes less than the intake',
    wholeMs - intakeMs < intakeMs,
  );
  await connection.end();
  await worker.stop();
  await service.stop();
}
