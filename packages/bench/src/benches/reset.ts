import type { Report } from '../report.js';
import { seed } from '../seed.js';
import { call, type DatabaseKind, startService } from '../service.js';

const DOMAINS = 1_000_000;

/** The daily and the monthly reset of a million counters, with increments at the same time. */
export async function reset(kind: DatabaseKind, report: Report): Promise<void> {
  const empty = await startService(kind);
  await empty.stop();
  await seed(empty.databaseUrl ?? '', { domains: DOMAINS, mailboxesPerDomain: 0, counters: true });
  const service = await startService(kind, empty);
  for (const path of ['/outbound/reset-daily', '/outbound/reset-monthly']) {
    const run = { ended: false };
    let slowestMs = 0;
    const increments = Array.from({ length: 8 }, async () => {
      while (!run.ended) {
        const name = `seed-${1 + Math.floor(Math.random() * DOMAINS)}.example`;
        const sent = performance.now();
        const { allowed, reason } = await call(service, 'POST', `/domains/${name}/outbound/increment`, { count: 1 });
        if (allowed !== true) throw new Error(`An increment of ${name} was not allowed: ${String(reason)}`);
        slowestMs = Math.max(slowestMs, performance.now() - sent);
      }
    });
    const started = performance.now();
    const counts = await call(service, 'POST', path);
    const wholeMs = performance.now() - started;
    run.ended = true;
    await Promise.all(increments);
    report.note(
      `${path} of 1,000,000 domains`,
      `${(wholeMs / 1_000).toFixed(1)} s, ${JSON.stringify(counts)}; the slowest increment meanwhile ${Math.round(slowestMs)} ms`,
      'seconds; no increment waits 1 s',
      wholeMs < 60_000 && slowestMs < 1_000,
    );
  }
  await service.stop();
}
