import { appendFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DAY_MS, SECOND_MS } from '@mailstead/core/clock';
import { connectTo } from '../database.js';
import { processorMs } from '../mail/processor-time.js';
import { processOf } from '../mariadb-process.js';
import type { Report } from '../report.js';
import { call, type DatabaseKind, type Served, startPolicyd, startService } from '../service.js';

const TOKEN = 'policy-token-of-the-benchmarks-0123456789';
const ROWS_A_DAY = Number(process.env.TRAIL_ROWS_A_DAY ?? 1_000_000);
const DAYS = 5;
const DOMAINS = 500;
const PAGES = 50;
/** Messages that the follower reads from a log; each has five lines. */
const FOLLOWED = Number(process.env.TRAIL_FOLLOWED ?? 20_000);
const WARM_UP = 5_000;
const WAIT_MS = 300_000;
const DIGITS = '0123456789BCDFGHJKLMNPQRSTVWXYZbcdfghjklmnpqrstvwxyz';
/** The number of the queue file, which is used again in the next second. */
const FILE = 'TM8q';

const domainOf = (index: number) => `trail${index % DOMAINS}.example`;

/**
 * Trails of five days with a million rows each, and those of today until now: pages, writing, what the follower of
 * Postfix's log costs, the bytes of a row, and the drop of a day.
 */
export async function manyTrails(kind: DatabaseKind, report: Report): Promise<void> {
  if (kind === 'sqlite') return;
  const settings = { OPERATOR_TOKENS: `policyd:policy:${TOKEN}`, TRAIL_DAYS: String(DAYS) };
  const service = await startService(kind, undefined, settings);
  for (let domain = 0; domain < DOMAINS; domain += 100) {
    const items = Array.from({ length: 100 }, (_, index) => ({ name: domainOf(domain + index) }));
    await call(service, 'POST', '/domains/bulk', { items });
  }
  await runTrailDays(service);
  const database = await connectTo(service.databaseUrl ?? '');
  const today = Math.floor(Date.now() / DAY_MS);
  const rowsOfToday = Math.floor((ROWS_A_DAY * (Date.now() % DAY_MS)) / DAY_MS);
  const rows = ROWS_A_DAY * DAYS + rowsOfToday;
  for (let day = today - DAYS; day <= today; day += 1) {
    await database.query(fill(day, day < today ? ROWS_A_DAY : rowsOfToday));
    console.log(`day ${day - today}`);
  }
  await database.query('ANALYZE TABLE trail');
  const [[size]] = (await database.query(
    "SELECT (data_length + index_length) / ? AS bytes FROM information_schema.tables WHERE table_schema = DATABASE() AND table_name = 'trail'",
    [rows],
  )) as unknown as [[{ bytes: string }]];
  report.note('trail: bytes of a row, its indexes included, mariadb', Number(size?.bytes).toFixed(0), '–', true);
  const since = new Date((today - DAYS) * DAY_MS).toISOString();
  for (const filter of [
    '',
    `domain=${domainOf(7)}`,
    'recipient=jane7@elsewhere.example',
    `mailbox=s7@${domainOf(7)}`,
  ]) {
    const span = filter === '' ? '' : `&since=${since}`;
    const p95 = await p95Of(service, `/messages?limit=50&${filter}${span}`);
    const what = `trail: page of 50 of ${rows} rows, ${filter.split('=')[0] || 'no filter'}, mariadb`;
    report.note(what, `p95 ${p95.toFixed(1)} ms`, '< 50 ms', p95 < 50);
  }
  await follow(service, report, await processOf(database));
  const started = performance.now();
  await database.query(`ALTER TABLE trail DROP PARTITION d${today - DAYS}`);
  const seconds = (performance.now() - started) / SECOND_MS;
  report.note(`trail: drop of a day of ${ROWS_A_DAY} rows, mariadb`, `${seconds.toFixed(2)} s`, '< 1 s', seconds < 1);
  await database.end();
  await service.stop();
}

/** One row a message, with two steps. */
function fill(day: number, rows: number): string {
  const at = `(${day * DAY_MS} + FLOOR(seq * ${DAY_MS / ROWS_A_DAY}) - 1)`;
  const key = "LEFT(REPLACE(REPLACE(TO_BASE64(UNHEX(MD5(seq))), '+', '-'), '/', '_'), 22)";
  const name = `CONCAT('trail', seq MOD ${DOMAINS}, '.example')`;
  const sender = `CONCAT('s', seq MOD 50, '@', ${name})`;
  const steps = `CONCAT('[[', ${at}, ',"accepted",null],[', ${at} + 500, ',"relayed","250 2.0.0 Ok: queued as 9D3B1A"]]')`;
  return `INSERT INTO trail (day, id, row_key, at, last_at, direction, partner_id, domain_id, domain, mailbox, sender, recipient, size, state, state_at, reason, message_id, relay_id, times, steps)
    SELECT ${day}, CONCAT(LPAD(LOWER(HEX(${at})), 11, '0'), ${key}), ${key}, ${at}, ${at} + 500, 'out', d.partner_id, d.id, d.name, ${sender}, ${sender},
           CONCAT('jane', seq MOD 100000, '@elsewhere.example'), 20480, 'relayed', ${at} + 500, NULL, CONCAT('<', seq, '.7f3a@', d.name, '>'), NULL, 1, ${steps}
      FROM seq_1_to_${rows} JOIN domain d ON d.name = ${name}`;
}

/** What a message costs follower, API and MariaDB together when the follower reads it from Postfix's log. */
async function follow(service: Served, report: Report, mariadb: number): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'mailstead-bench-trail-'));
  const log = join(folder, 'postfix.log');
  await writeFile(log, '');
  const dataDir = join(folder, 'data');
  const policyd = await startPolicyd(service.url, TOKEN, {
    TRAIL_LOG: log,
    POLICYD_DATA_DIR: dataDir,
    POLICY_MTA: 'mx1',
  });
  try {
    // What is in the log before the follower opens it is not read.
    await appendFile(log, linesOf(-WARM_UP, 0));
    await taken(service, -1);
    const pids = [service.child.pid ?? 0, policyd.child.pid ?? 0, mariadb];
    const processor = () => pids.map(processorMs);
    const before = processor();
    const started = performance.now();
    await appendFile(log, linesOf(0, FOLLOWED));
    await taken(service, FOLLOWED - 1);
    const rate = FOLLOWED / ((performance.now() - started) / SECOND_MS);
    const costs = processor().map((after, index) => (after - (before[index] ?? 0)) / FOLLOWED);
    const sum = costs.reduce((one, other) => one + other, 0);
    const [api = 0, daemon = 0, database = 0] = costs;
    const parts = `API ${api.toFixed(3)} + follower ${daemon.toFixed(3)} + MariaDB ${database.toFixed(3)} ms`;
    const what = 'trail: processor time a message, with the follower, mariadb';
    report.note(what, `${sum.toFixed(3)} ms (${parts})`, '≤ 0.25 ms, wish 0.15', sum <= 0.25);
    report.note('trail: rows from the log, mariadb', `${rate.toFixed(0)} rows/s`, '≥ 1,000 rows/s', rate >= 1_000);
  } finally {
    await policyd.stop();
    await rm(folder, { recursive: true });
  }
}

function linesOf(from: number, to: number): string {
  const time = new Date().toISOString();
  const lines: string[] = [];
  const seconds = inDigits(Math.floor(Date.now() / SECOND_MS));
  for (let index = from; index < to; index += 1) {
    const id = `${seconds}${inDigits(index + 1_000_000)}z${FILE}`;
    const [domain, line] = [
      domainOf(index + DOMAINS * 10),
      (program: string, text: string) => `${time} mx1 postfix-submission/${program}[7]: ${id}: ${text}`,
    ];
    lines.push(
      line('smtpd', 'client=a.example[192.0.2.1], sasl_method=PLAIN, sasl_username=s1'),
      line('cleanup', `message-id=<${id}@${domain}>`),
      line('qmgr', `from=<s1@${domain}>, size=20480, nrcpt=1 (queue active)`),
      line(
        'smtp',
        `to=<followed${index}@elsewhere.example>, relay=relay.example[192.0.2.9]:587, delay=0.3, delays=0.1/0/0.1/0.1, dsn=2.0.0, status=sent (250 2.0.0 Ok)`,
      ),
      line('qmgr', 'removed'),
    );
  }
  return `${lines.join('\n')}\n`;
}

/** The form of Postfix's long queue ids: a number to the base 52. */
function inDigits(number: number): string {
  let text = '';
  for (let left = number; left > 0; left = Math.floor(left / DIGITS.length)) text = DIGITS[left % DIGITS.length] + text;
  return text;
}

/** Waits until the message of this number is known. */
async function taken(service: Served, index: number): Promise<void> {
  const end = Date.now() + WAIT_MS;
  for (;;) {
    const rows = (await call(
      service,
      'GET',
      `/messages?recipient=followed${index}@elsewhere.example`,
    )) as unknown as unknown[];
    if (rows.length > 0) return;
    if (Date.now() > end) throw new Error(`The message ${index} of the log did not come`);
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
}

async function runTrailDays(service: Served): Promise<void> {
  await call(service, 'POST', '/jobs/trail.days/run', {});
}

async function p95Of(service: Served, path: string): Promise<number> {
  const times: number[] = [];
  for (let page = 0; page < PAGES; page += 1) {
    const started = performance.now();
    await call(service, 'GET', path);
    times.push(performance.now() - started);
  }
  return times.sort((one, other) => one - other)[Math.floor(PAGES * 0.95)] ?? Number.POSITIVE_INFINITY;
}
