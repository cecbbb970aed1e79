import { randomInt } from 'node:crypto';
import { against, alternating, compared, type Load, median, round } from '../load.js';
import type { Report } from '../report.js';
import {
  CLIENT,
  call,
  clientHeaders as client,
  type DatabaseKind,
  masterHeaders as master,
  type Served,
  startSelectingFloor,
} from '../service.js';
import { filled } from './finding.js';

const DOMAINS = 100_000;
const PAGE = 20;
const POSITIONS = [0, 0.25, 0.5, 0.75, 1];
/** To each position. */
const REQUESTS = 200;
const CONNECTIONS = [1, 4, 64] as const;
/** Of one domain, by the number of connections. */
const TARGETS = { 1: null, 4: 0.55, 64: 0.8 };

/** What a partner with many domains reads: one of them, and pages of them at several positions. */
export async function positions(kind: DatabaseKind, report: Report): Promise<void> {
  const service = await filled(kind, DOMAINS, 0);
  await call(service, 'POST', '/api-keys/', { token: CLIENT, partner_ref: 'big', domains_allowed: 0 });
  if (service.databaseUrl !== null) await oneDomain(service, service.databaseUrl, report);
  for (const [caller, headers] of [
    ['client', client],
    ['master', master],
  ] as const) {
    await atPositions(`${caller}, ${kind}`, service, headers, report);
    await pages(`${caller}, ${kind}`, service, headers, report);
  }
  await service.stop();
}

/**
 * What a page costs at each position, one request at a time. The positions take turns, so that other load on the
 * machine affects all. Each request asks for another page near its position.
 */
async function atPositions(
  whose: string,
  service: Served,
  headers: Record<string, string>,
  report: Report,
): Promise<void> {
  const times = new Map<number, number[]>(POSITIONS.map((position) => [position, []]));
  for (let request = 0; request < REQUESTS; request += 1) {
    for (const [position, taken] of times) {
      const after = Math.floor(position * (DOMAINS - REQUESTS - PAGE)) + request;
      const started = performance.now();
      const response = await fetch(`${service.url}/domains/?limit=${PAGE}&after=${after}`, { headers });
      const rows = (await response.json()) as unknown[];
      taken.push(performance.now() - started);
      if (rows.length !== PAGE) throw new Error(`A page after ${after} has ${rows.length} rows: ${response.status}`);
    }
  }
  const first = median(times.get(0) ?? []);
  for (const [position, taken] of times) {
    const ms = median(taken);
    report.note(
      `GET /domains/?limit=${PAGE} at ${position * 100} % of ${DOMAINS.toLocaleString('en')}, ${whose}`,
      `${ms.toFixed(2)} ms, × ${(ms / first).toFixed(2)} of the start; median of ${REQUESTS}`,
      '',
      true,
      { position, ms: Number(ms.toFixed(3)) },
    );
  }
}

/** A page at random positions against the first page, which callers who ask at the same time share. */
async function pages(whose: string, service: Served, headers: Record<string, string>, report: Report): Promise<void> {
  const of = (path: () => string): Load => ({ method: 'GET', request: () => ({ path: path(), headers }) });
  const first = of(() => `/domains/?limit=${PAGE}`);
  const random = of(() => `/domains/?limit=${PAGE}&after=${randomInt(DOMAINS)}`);
  for (const connections of CONNECTIONS) {
    const { ratio, ...measured } = await alternating(
      () => round(service, first, connections),
      () => round(service, random, connections),
    );
    report.note(
      `GET /domains/?limit=${PAGE} at random positions of ${DOMAINS.toLocaleString('en')}, ${connections} connections, ${whose}`,
      compared(measured, ratio),
      '≥ 0.9 of the first page',
      ratio >= 0.9,
    );
  }
}

/** One domain against one SELECT of a row, without a token, a scope or a rule. */
async function oneDomain(service: Served, databaseUrl: string, report: Report): Promise<void> {
  const page = await call(service, 'GET', `/domains/?limit=1000&after=${DOMAINS / 2}`, undefined, CLIENT);
  const names = (page as unknown as { name: string }[]).map(({ name }) => name);
  const [name] = names;
  const select = `SELECT * FROM domain WHERE name = '${name}'`;
  const body = await call(service, 'GET', `/domains/${name}`, undefined, CLIENT);
  const floor = await startSelectingFloor(body, databaseUrl, select);
  let asked = 0;
  // Each of a thousand in turn, so that callers do not ask for the same one at the same time.
  const request = () => ({ path: `/domains/${names[((asked += 1)) % names.length]}`, headers: client });
  for (const connections of CONNECTIONS) {
    const { ratio, ...measured } = await against(floor, service, { method: 'GET', request }, connections);
    const target = TARGETS[connections];
    report.note(
      `GET /domains/{name} of ${DOMAINS.toLocaleString('en')}, ${connections} connections, mariadb`,
      compared(measured, ratio),
      target === null ? '' : `≥ ${target} of bare Express with mysql2 and one SELECT`,
      target === null || ratio >= target,
    );
  }
  await floor.stop();
}
