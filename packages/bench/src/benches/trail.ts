import { SECOND_MS } from '@mailstead/core/clock';
import { connectTo } from '../database.js';
import { processorMs } from '../mail/processor-time.js';
import { processOf } from '../mariadb-process.js';
import type { Report } from '../report.js';
import { call, type DatabaseKind, type Served, startService } from '../service.js';

/** Messages that are written; each is two steps, as Postfix logs a message that the relay takes at once. */
const MESSAGES = Number(process.env.TRAIL_MESSAGES ?? 20_000);
const DOMAINS = 50;
/** As the policy daemon reports: 500 steps at once. */
const MESSAGES_PER_REPORT = 250;
const PAGES = 50;
/** On SQLite no more are kept. */
const MESSAGES_A_SECOND = 50;

/** Writes trails one report after the other, as one mail server does, and then reads pages of them. */
export async function trail(kind: DatabaseKind, report: Report): Promise<void> {
  const service = await startService(kind);
  for (let domain = 0; domain < DOMAINS; domain += 1)
    await call(service, 'POST', '/domains/', { name: nameOf(domain) });
  const begun = Date.now() - (MESSAGES * SECOND_MS) / MESSAGES_A_SECOND;
  await write(service, begun, 0, MESSAGES_PER_REPORT);
  const mariadb = await mariadbOf(service);
  const processorOf = () => processorMs(service.child.pid ?? 0) + (mariadb === null ? 0 : processorMs(mariadb));
  const cpuBefore = processorOf();
  const started = performance.now();
  for (let from = MESSAGES_PER_REPORT; from < MESSAGES; from += MESSAGES_PER_REPORT) {
    await write(service, begun, from, Math.min(MESSAGES_PER_REPORT, MESSAGES - from));
  }
  const written = MESSAGES - MESSAGES_PER_REPORT;
  const rate = written / ((performance.now() - started) / 1_000);
  const each = (processorOf() - cpuBefore) / written;
  report.note(`trail: writing, ${kind}`, `${rate.toFixed(0)} rows/s`, '≥ 1,000 rows/s', rate >= 1_000);
  report.note(
    `trail: processor time of API and database a message, ${kind}`,
    `${each.toFixed(3)} ms, without the follower`,
    // The target, 0.25 ms, is for all three.
    '',
    true,
  );
  for (const filter of ['', `domain=${nameOf(7)}`, `recipient=${recipientOf(7)}`, `mailbox=${senderOf(7)}`]) {
    const times = await timesOf(service, `/messages?limit=50&${filter}`);
    const p95 = times[Math.floor(times.length * 0.95)] ?? Number.POSITIVE_INFINITY;
    const what = `trail: page of 50 of ${MESSAGES} rows, ${filter.split('=')[0] || 'no filter'}, ${kind}`;
    report.note(what, `p95 ${p95.toFixed(1)} ms`, '< 50 ms', p95 < 50);
  }
  await service.stop();
}

/** @param begun the time of the first message */
async function write(service: Served, begun: number, from: number, count: number): Promise<void> {
  const items = Array.from({ length: count }, (_, index) => from + index).flatMap((message) => {
    const at = begun + (message * SECOND_MS) / MESSAGES_A_SECOND;
    const step = {
      host: 'mx1.example',
      queue_id: `4XYZ${message}`,
      direction: 'out',
      domain: nameOf(message),
      sender: senderOf(message),
      recipient: recipientOf(message),
    };
    const accepted = { step: 'accepted', at: new Date(at).toISOString(), size: 20_480 };
    const relayed = { step: 'relayed', at: new Date(at + 500).toISOString(), detail: '250 2.0.0 Ok: queued as 9D3B1A' };
    return [
      { ...step, ...accepted, message_id: `<${message}.7f3a@${nameOf(message)}>` },
      { ...step, ...relayed },
    ];
  });
  const { taken } = await call(service, 'POST', '/outbound/trail', { items });
  if (taken !== items.length) throw new Error(`${String(taken)} of ${items.length} steps were taken`);
}

/** Milliseconds of each reading, in rising order. */
async function timesOf(service: Served, path: string): Promise<number[]> {
  const times: number[] = [];
  for (let page = 0; page < PAGES; page += 1) {
    const started = performance.now();
    await call(service, 'GET', path);
    times.push(performance.now() - started);
  }
  return times.sort((one, other) => one - other);
}

/** @returns null for SQLite, which runs in the process of the API */
async function mariadbOf({ databaseUrl }: Served): Promise<number | null> {
  if (databaseUrl === null) return null;
  const connection = await connectTo(databaseUrl);
  try {
    return await processOf(connection);
  } finally {
    await connection.end();
  }
}

function nameOf(index: number): string {
  return `trail${index % DOMAINS}.example`;
}

function senderOf(index: number): string {
  return `s${index % 500}@${nameOf(index)}`;
}

function recipientOf(index: number): string {
  return `jane${index % 1_000}@elsewhere.example`;
}
