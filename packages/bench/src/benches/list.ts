import type { Connection } from 'mysql2/promise';
import { connectTo } from '../database.js';
import { median } from '../load.js';
import type { Report } from '../report.js';
import { seed } from '../seed.js';
import { type DatabaseKind, masterHeaders as master, residentMb, type Served, startService } from '../service.js';

const ROUNDS = 5;

/** The whole list against a bare loop, in alternating rounds after one of each to warm up. */
export async function list(kind: DatabaseKind, report: Report): Promise<void> {
  const empty = await startService(kind);
  await empty.stop();
  await seed(empty.databaseUrl ?? '', { domains: 100_000, mailboxesPerDomain: 0 });
  const service = await startService(kind, empty);
  const connection = await connectTo(empty.databaseUrl ?? '');
  await streamed(service);
  await bareLoop(connection);
  const before = residentMb(service);
  const rounds: (Streamed & { ratio: number; growthMb: number })[] = [];
  for (let index = 0; index < ROUNDS; index += 1) {
    const floorMs = await bareLoop(connection);
    const idleMb = residentMb(service);
    const ours = await streamed(service);
    rounds.push({ ...ours, ratio: ours.wholeMs / floorMs, growthMb: ours.peakMb - idleMb });
  }
  await connection.end();
  const ratio = median(rounds.map((each) => each.ratio));
  const wholeMs = median(rounds.map((each) => each.wholeMs));
  const firstByte = median(rounds.map((each) => each.firstByteMs / each.wholeMs));
  const growth = Math.max(...rounds.map((each) => each.growthMb));
  const allGrowth = Math.max(...rounds.map((each) => each.peakMb)) - before;
  report.note(
    'GET /domains/, 100,000 rows',
    `${Math.round(wholeMs)} ms, × ${ratio.toFixed(1)} of a bare loop`,
    '≤ × 2',
    ratio <= 2,
  );
  report.note('its first byte', `${(firstByte * 100).toFixed(1)} %`, '≤ 5 % of the whole time', firstByte <= 0.05);
  report.note(
    'its memory',
    `${Math.round(growth)} MB at most in one list, ${Math.round(allGrowth)} MB over all ${ROUNDS}`,
    '< 30 MB in one list',
    growth < 30,
  );
  await service.stop();
}

interface Streamed {
  firstByteMs: number;
  wholeMs: number;
  peakMb: number;
}

/** Reads the whole list and measures the service's memory meanwhile. */
async function streamed(service: Served): Promise<Streamed> {
  const started = performance.now();
  const response = await fetch(`${service.url}/domains/`, { headers: master });
  if (!response.ok) throw new Error(`GET /domains/: ${response.status}`);
  let firstByteMs = 0;
  let peakMb = 0;
  for await (const chunk of response.body ?? []) {
    if (firstByteMs === 0 && (chunk as Uint8Array).length > 0) firstByteMs = performance.now() - started;
    peakMb = Math.max(peakMb, residentMb(service));
  }
  return { firstByteMs, wholeMs: performance.now() - started, peakMb };
}

/** Reads the same rows with the bare driver, and writes them as the same JSON. */
async function bareLoop(connection: Connection): Promise<number> {
  const started = performance.now();
  let bytes = 0;
  for (let after = 0; ; ) {
    const [page] = await connection.query(
      'SELECT id, name, created_at FROM domain WHERE id > ? ORDER BY id LIMIT 1000',
      [after],
    );
    const list = page as { id: number; name: string; created_at: number }[];
    bytes += JSON.stringify(
      list.map((row) => ({ ...row, created_at: new Date(row.created_at).toISOString().slice(0, -1) })),
    ).length;
    const last = list.at(-1);
    if (last === undefined || list.length < 1_000) break;
    after = last.id;
  }
  if (bytes === 0) throw new Error('There was nothing to read');
  return performance.now() - started;
}
