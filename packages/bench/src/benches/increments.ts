import { randomUUID } from 'node:crypto';
import { against, compared, type Load, round } from '../load.js';
import type { Report } from '../report.js';
import { seed } from '../seed.js';
import { call, type DatabaseKind, masterHeaders as master, type Served, startFloor, startService } from '../service.js';

interface Sending {
  service: Served;
  names: string[];
}

export async function increments(kind: DatabaseKind, report: Report): Promise<void> {
  const { service, names } = await (kind === 'mariadb' ? seeded() : created());
  await call(service, 'PUT', '/outbound/tiers/basic', { daily_limit: 0, monthly_limit: 0 });
  const second = kind === 'mariadb' ? await startService(kind, service) : null;
  const hot = names[7] ?? '';
  const path = (name: string) => `/domains/${name}/outbound/increment`;
  const floor = await startFloor(null, await call(service, 'POST', path(hot), { count: 1 }));
  const anyDomain = () => names[Math.floor(Math.random() * names.length)] ?? '';
  const load = (name: () => string, body: () => object): Load => ({
    method: 'POST',
    request: () => ({ path: path(name()), headers: master, body: JSON.stringify(body()) }),
  });
  const target = kind === 'mariadb' ? 0.75 : 0.6;
  const plain = () => ({ count: 1, bytes: 2_000 });
  const named = () => ({ count: 1, bytes: 2_000, id: randomUUID(), sender: `a@${hot}` });
  for (const [what, least, among, each] of [
    ['one hot domain', target, [service], load(() => hot, plain)],
    [`${names.length} domains`, target, [service], load(anyDomain, plain)],
    ['with id and sender', 0.6, [service], load(() => hot, named)],
    ['one hot domain, two processes', target, [service, second], load(() => hot, plain)],
    [`${names.length} domains, two processes`, target, [service, second], load(anyDomain, plain)],
    ['with id and sender, two processes', 0.6, [service, second], load(anyDomain, named)],
  ] as const) {
    const processes = among.flatMap((each: Served | null) => each ?? []);
    if (processes.length < among.length) continue;
    const { ratio, ...measured } = await against(floor, processes, each);
    const slow = measured.service.p99Ms / measured.floor.p99Ms;
    report.note(
      `increment, ${what}, ${kind}`,
      `${compared(measured, ratio)}; p99 × ${slow.toFixed(1)}`,
      `≥ ${least} of bare Express, p99 < × 3`,
      ratio >= least && slow < 3,
    );
  }
  const single = await round(
    service,
    load(() => hot, plain),
  );
  const items = () => JSON.stringify({ items: Array.from({ length: 200 }, () => ({ domain: anyDomain(), count: 1 })) });
  const bulk = await round(
    service,
    { method: 'POST', request: () => ({ path: '/outbound/increments', headers: master, body: items() }) },
    8,
  );
  const gain = (bulk.requestsPerSecond * 200) / single.requestsPerSecond;
  report.note(
    `bulk of 200, ${kind}`,
    `${Math.round(bulk.requestsPerSecond * 200)} increments/s, × ${gain.toFixed(1)}`,
    '≥ × 5 of single ones',
    gain >= 5,
  );
  await floor.stop();
  await second?.stop();
  await service.stop();
}

/** Adds 100,000 verified domains that have sent before. */
async function seeded(): Promise<Sending> {
  const empty = await startService('mariadb');
  await empty.stop();
  await seed(empty.databaseUrl ?? '', { domains: 100_000, mailboxesPerDomain: 0, counters: true });
  const names = Array.from({ length: 100_000 }, (_, index) => `seed-${index + 1}.example`);
  return { service: await startService('mariadb', empty), names };
}

async function created(): Promise<Sending> {
  const service = await startService('sqlite');
  const names = Array.from({ length: 500 }, (_, index) => `d${index}.example`);
  for (const name of names) await call(service, 'POST', '/domains/', { name });
  for (const name of names) await call(service, 'GET', `/domains/${name}/relay-status`);
  return { service, names };
}
