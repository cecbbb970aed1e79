import { openDatabase } from '@mailstead/adapters/database/driver/open-database';
import type { Report } from '../report.js';
import { type DatabaseKind, masterHeaders as master, type Served, startService } from '../service.js';

/** Set it for a quicker run: the larger number of domains of the partner. */
const LARGE = Number(process.env.FINDING_DOMAINS ?? 100_000);
const SMALL = 1_000;
const MAILBOXES_PER_DOMAIN = 10;
/** Rows that meet a rare filter, in both sizes. */
const RARE = 60;
const TARGET = 2;
const REQUESTS = 60;

/** The pages of a portal: each with one filter or `q`. Rare ones match 60 rows, the others half of the rows or all. */
const PAGES = [
  '/domains/?view=full&limit=50',
  '/domains/?view=full&limit=50&order=desc',
  '/domains/?view=full&limit=50&q=rare',
  '/domains/?view=full&limit=50&q=zone',
  '/domains/?view=full&limit=50&q=d',
  '/domains/?view=full&limit=50&status=suspended',
  '/domains/?view=full&limit=50&status=active',
  '/domains/?view=full&limit=50&verification_status=failed',
  '/domains/?view=full&limit=50&verification_status=verified',
  '/domains/?view=full&limit=50&outbound_status=blocked',
  '/domains/?view=full&limit=50&inbound=pending',
  '/domains/?view=full&limit=50&plan=business',
  '/domains/?view=full&limit=50&external_ref=rare',
  '/domains/?view=full&limit=50&parent=d1.zone1.example',
  '/domains/?view=full&limit=50&attention=true',
  '/domains/?view=full&limit=50&state=no,waits',
  '/domains/?view=full&limit=50&state=yes',
  '/domains/?view=full&limit=50&q=absent',
  '/users/?limit=50&q=rare',
  '/users/?limit=50&q=m1',
  '/users/?limit=50&q=m',
  '/users/?limit=50&active=false',
  '/users/?limit=50&active=true',
  '/users/?limit=50&external_ref=rare',
  '/aliases/?limit=50&q=rare',
  '/aliases/?limit=50&q=a',
];

/** The largest page whose states are read at once. */
const STATES = '/domains/?view=full&limit=500';

/** Pages that are read from random positions too. */
const LISTS = [
  '/domains/?view=full&limit=50',
  '/domains/?view=full&limit=50&status=active',
  '/users/?limit=50',
  '/users/?limit=50&active=true',
  '/aliases/?limit=50',
];

/**
 * First pages of one partner with many domains and mailboxes, and of all partners, against the same pages with few.
 * Both services run at once and are asked in turns, and the fastest fifth counts: so the ratio holds on a busy machine.
 */
export async function finding(kind: DatabaseKind, report: Report): Promise<void> {
  const small = await filled(kind, SMALL);
  const large = await filled(kind, LARGE);
  const size = `${kind}, ${LARGE.toLocaleString('en')} domains`;
  for (const [caller, scope] of [
    ['partner', '&partner_ref=big'],
    ['all', ''],
  ] as const) {
    const costs: Cost[] = [];
    for (const page of PAGES) costs.push(costOf(page, await inTurns(small, large, `${page}${scope}`)));
    noteHighest(`${PAGES.length} first pages of 50 (${caller}), ${size}`, costs, report);
    const states = costOf(STATES, await inTurns(small, large, `${STATES}${scope}`));
    noteHighest(`500 domains with their states (${caller}), ${size}`, [states], report);
  }
  const costs: Cost[] = [];
  for (const list of LISTS) {
    for (const order of ['asc', 'desc'] as const) {
      const path = (rows: number, part: number) => {
        const ids = list.startsWith('/users/') ? rows * MAILBOXES_PER_DOMAIN : rows;
        return `${list}&order=${order}&partner_ref=big&after=${1 + Math.floor(part * ids)}`;
      };
      costs.push(costOf(`${list}&order=${order}`, await inTurns(small, large, path)));
    }
  }
  noteHighest(`${costs.length} pages of 50 at random positions (partner), ${size}`, costs, report);
  await small.stop();
  await large.stop();
}

/** What a page takes with many domains, of what it takes with few. */
interface Cost {
  page: string;
  ratio: number;
}

function costOf(page: string, [few, many]: [number, number]): Cost {
  console.log(`     GET ${page}: × ${(many / few).toFixed(2)} of ${few.toFixed(1)} ms`);
  return { page, ratio: many / few };
}

function noteHighest(what: string, costs: readonly Cost[], report: Report): void {
  const sorted = costs.toSorted((one, other) => one.ratio - other.ratio);
  const [middle, highest] = [sorted[Math.floor(sorted.length / 2)], sorted.at(-1)];
  if (middle === undefined || highest === undefined) throw new Error('No page was read');
  report.note(
    what,
    `median × ${middle.ratio.toFixed(2)}, highest × ${highest.ratio.toFixed(2)} (${highest.page})`,
    `≤ × ${TARGET} of ${SMALL.toLocaleString('en')} domains`,
    highest.ratio <= TARGET,
  );
}

/** Starts a service with a partner `big` of so many domains, 120 of which need someone. */
export async function filled(kind: DatabaseKind, domains: number, mailboxes = MAILBOXES_PER_DOMAIN): Promise<Served> {
  const empty = await startService(kind);
  await empty.stop();
  await seed(empty, domains, mailboxes);
  return startService(kind, empty);
}

/**
 * The time of the fastest fifth of the requests, milliseconds. Of requests at random positions the median counts,
 * because not all positions cost the same.
 *
 * @param path may depend on the number of domains, and on a position from 0 to 1 that both services are asked for
 */
async function inTurns(
  small: Served,
  large: Served,
  path: string | ((domains: number, position: number) => string),
): Promise<[number, number]> {
  const times: [number[], number[]] = [[], []];
  for (let request = 0; request < REQUESTS; request += 1) {
    const position = Math.random();
    const at = (domains: number) => (typeof path === 'string' ? path : path(domains, position));
    times[0].push(await timeOf(small, at(SMALL)));
    times[1].push(await timeOf(large, at(LARGE)));
  }
  const part = typeof path === 'string' ? 5 : 2;
  const fast = (each: number[]) =>
    each.toSorted((left, right) => left - right)[Math.floor(each.length / part)] ?? Number.NaN;
  return [fast(times[0]), fast(times[1])];
}

async function timeOf({ url }: Served, path: string): Promise<number> {
  const started = performance.now();
  const response = await fetch(url + path, { headers: master });
  if (!response.ok) throw new Error(`${path}: ${response.status}`);
  await response.arrayBuffer();
  return performance.now() - started;
}

/** Fills a migrated database, in a few statements that both databases understand. */
async function seed({ databaseUrl, dataDir }: Served, domains: number, mailboxes: number): Promise<void> {
  const database = await openDatabase({ url: databaseUrl, dataDir, poolSize: 1 });
  const every = Math.floor(domains / RARE);
  const numbers = (rows: number) =>
    `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${rows})`;
  const is = (rare: string, other: string, shift: number) =>
    `CASE WHEN (i + ${shift}) % ${every} = 0 THEN ${rare} ELSE ${other} END`;
  const run = (sql: string) => database.writer.query(sql);
  if (kindOf(databaseUrl) === 'mariadb') await run(`SET SESSION max_recursive_iterations = 4294967295`);
  await run(`INSERT INTO partner (id, ref, domain_count, last_created_at) VALUES (2, 'big', ${domains}, 0)`);
  await run(
    `INSERT INTO domain (id, name, partner_id, created_at, plan, retention_days, retention_days_before, transfer_monthly_mb, suspension_causes, outbound_status, wildcard_mode, inbound, external_ref, mailbox_count, alias_count)
     ${numbers(domains)} SELECT i, CONCAT(${is("'rare'", "'d'", 1)}, i, '.zone', i % 100, '.example'), 2, i, CASE WHEN i % 2 = 0 THEN 'business' ELSE 'starter' END, 0, 0, 0,
            ${is("'abuse'", "''", 2)}, ${is("'blocked'", "'active'", 3)}, 'none', ${is("'pending'", "'open'", 4)}, ${is("'rare'", 'NULL', 5)}, ${mailboxes}, 1 FROM n`,
  );
  await run(`UPDATE domain SET parent_id = 1 WHERE id > 1 AND (id + 6) % ${every} = 0`);
  await run("UPDATE domain SET name = 'd1.zone1.example' WHERE id = 1");
  await run(
    `INSERT INTO domain_suffix (partner_id, suffix, domain_id)
     SELECT partner_id, name, id FROM domain UNION ALL SELECT partner_id, SUBSTR(name, INSTR(name, '.') + 1), id FROM domain UNION ALL SELECT partner_id, 'example', id FROM domain`,
  );
  await run(
    `INSERT INTO verification (domain_id, partner_id, status, dkim_status, check_attempt, ownership_token, ownership_required)
     ${numbers(domains)} SELECT i, 2, ${is("'failed'", "'verified'", 7)}, 'success', 0, 'seed', 0 FROM n`,
  );
  await run(
    "INSERT INTO domain_attention (domain_id, reason, partner_id, period) SELECT id, 'suspended', partner_id, '' FROM domain WHERE suspension_causes <> '' UNION ALL SELECT id, 'blocked', partner_id, '' FROM domain WHERE outbound_status = 'blocked'",
  );
  // One statement for each mailbox of a domain, so that no transaction is large.
  for (let number = 1; number <= mailboxes; number += 1) {
    const rare = (shift: number, value: string, other: string) => (number === 1 ? is(value, other, shift) : other);
    await run(
      `INSERT INTO mailbox (domain_id, partner_id, email, local_part, password_hash, quota_mb, outbound_daily_limit, active, external_ref, home, created_at)
       SELECT d.id, 2, CONCAT(${rare(8, `'rare'`, `'m'`).replaceAll('i +', 'd.id +')}, ${number}, '@', d.name), CONCAT('m', ${number}), 'x', 1024, 0, ${rare(9, '0', '1').replaceAll('i +', 'd.id +')}, ${rare(10, `'rare'`, 'NULL').replaceAll('i +', 'd.id +')}, 'h', d.id FROM domain d`,
    );
  }
  await run(
    `INSERT INTO alias (domain_id, partner_id, address, destination, created_at)
     SELECT d.id, 2, CONCAT(${is("'rare'", "'a'", 11).replaceAll('i +', 'd.id +')}, '@', d.name), 'x@out.example', d.id FROM domain d`,
  );
  if (kindOf(databaseUrl) === 'mariadb')
    await run('ANALYZE TABLE partner, domain, domain_suffix, domain_attention, verification, mailbox, alias');
  await database.close();
}

function kindOf(url: string | null): DatabaseKind {
  return url === null ? 'sqlite' : 'mariadb';
}
