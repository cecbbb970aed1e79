import { randomInt } from 'node:crypto';
import { DAY_MS, SECOND_MS } from '@mailstead/core/clock';
import type { Connection } from 'mysql2/promise';
import { connectTo } from '../database.js';
import { median, round } from '../load.js';
import type { Report } from '../report.js';
import { anyOf, senderOf, startSending } from '../sending.js';
import { call, type DatabaseKind, masterHeaders as master } from '../service.js';

const ROWS = Number(process.env.SUPPRESSION_ROWS ?? 1_000_000);
const OTHER_PARTNERS = 100;
const TURNS = 5;
const PATH = '/outbound/looks';
const CONNECTIONS = 8;
const ITEMS = 20;
/** Of 16 KB; jobs of the service change some all the time. */
const MOST_CHANGED_PAGES = 200;
/** A partner without suppressions loses nothing by those of others. One that refuses pays one read a batch. */
const LEAST = 0.95;

/** Previews before and after a million suppressions exist, and of a partner that refuses suppressed recipients. */
export async function suppressed(kind: DatabaseKind, report: Report): Promise<void> {
  if (kind === 'sqlite') return;
  const { service, names } = await startSending(kind);
  // The domains of one of the 1,000 partners.
  const own = names.filter((_, index) => index % 1_000 === 0);
  const item = () => {
    const domain = anyOf(own);
    return { domain, sender: senderOf(domain), recipient: `a${randomInt(2 * ROWS)}@far.example` };
  };
  const database = await connectTo(service.databaseUrl ?? '');
  const rate = async () => {
    const request = () => {
      const items = Array.from({ length: ITEMS }, item);
      return { path: PATH, headers: master, body: JSON.stringify({ items }) };
    };
    // The first round warms up.
    await round(service, { method: 'POST', request, accepts: () => true }, CONNECTIONS);
    return (await round(service, { method: 'POST', request, accepts: () => true }, CONNECTIONS)).requestsPerSecond;
  };
  const [empty, full]: [number[], number[]] = [[], []];
  for (let turn = 0; turn < TURNS; turn += 1) {
    await database.query('TRUNCATE TABLE suppression');
    await written(database);
    empty.push(await rate());
    await database.query(fillOthers());
    await database.query('ANALYZE TABLE suppression');
    await written(database);
    full.push(await rate());
  }
  note(report, `previews of a partner without suppressions, beside ${ROWS} of others`, full, empty, LEAST);
  const [[owner]] = (await database.query('SELECT partner_id AS id FROM domain WHERE name = ?', [
    own[0],
  ])) as unknown as [[{ id: number }]];
  await database.query(
    `INSERT INTO suppression (partner_id, domain_id, address, reason, since, expires_at)
     SELECT ?, 0, CONCAT('a', seq, '@far.example'), 'bounce', ?, ? FROM seq_1_to_100000`,
    [owner?.id, Date.now() - DAY_MS, Date.now() + 90 * DAY_MS],
  );
  await database.query('UPDATE partner SET suppression_count = 100000 WHERE id = ?', [owner?.id]);
  const [lists, refuses]: [number[], number[]] = [[], []];
  for (let turn = 0; turn < TURNS; turn += 1) {
    for (const [mode, rates] of [
      ['list', lists],
      ['refuse', refuses],
    ] as const) {
      await database.query('UPDATE partner SET suppression_mode = ? WHERE id = ?', [mode, owner?.id]);
      rates.push(await rate());
    }
  }
  note(report, 'previews of a partner that refuses 100,000 addresses, of one that lists them', refuses, lists, null);
  const started = performance.now();
  await call(service, 'POST', '/jobs/suppressions.compare/run', {});
  await until('The comparison ended', async () => {
    const jobs = (await call(service, 'GET', '/jobs')) as unknown as {
      name: string;
      last_run: { ended_at: unknown } | null;
    }[];
    return jobs.some(
      ({ name, last_run: run }) => name === 'suppressions.compare' && run !== null && run.ended_at !== null,
    );
  });
  const seconds = (performance.now() - started) / SECOND_MS;
  report.note(`suppressions.compare over ${ROWS} rows of a day`, `${seconds.toFixed(1)} s`, '< 30 s', seconds < 30);
  await database.end();
  await service.stop();
}

function fillOthers(): string {
  return `INSERT INTO suppression (partner_id, domain_id, address, reason, since, expires_at)
     SELECT 100000 + (seq MOD ${OTHER_PARTNERS}), seq MOD 1000, CONCAT('a', seq, '@far.example'), ELT(1 + (seq MOD 2), 'bounce', 'complaint'),
            ${Date.now() - DAY_MS}, ${Date.now() + 90 * DAY_MS} FROM seq_1_to_${ROWS}`;
}

function note(report: Report, what: string, found: number[], before: number[], least: number | null): void {
  const ratio = median(found) / median(before);
  const text = `${ratio.toFixed(2)} of ${(median(before) * ITEMS).toFixed(0)} previews/s`;
  report.note(`${what}, mariadb`, text, least === null ? '–' : `≥ ${least}`, least === null || ratio >= least);
}

/** Has InnoDB write its changed pages, so that the previews after a change do not pay for them. */
async function written(database: Connection): Promise<void> {
  await database.query('SET GLOBAL innodb_max_dirty_pages_pct = 0');
  await until('InnoDB wrote its changed pages', async () => {
    const [[row]] = (await database.query("SHOW GLOBAL STATUS LIKE 'Innodb_buffer_pool_pages_dirty'")) as unknown as [
      [{ Value: string }],
    ];
    return Number(row.Value) <= MOST_CHANGED_PAGES;
  });
  await database.query('SET GLOBAL innodb_max_dirty_pages_pct = DEFAULT');
}

async function until(what: string, isDone: () => Promise<boolean>): Promise<void> {
  for (const end = Date.now() + 60_000; !(await isDone()); ) {
    if (Date.now() > end) throw new Error(`Not within a minute: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
