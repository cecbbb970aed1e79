import { randomUUID } from 'node:crypto';
import { median } from '../load.js';
import type { Report } from '../report.js';
import { CLIENT, call, type DatabaseKind, PASSWORD_HASH, type Served, startService } from '../service.js';

const ITEMS = 500;
const ROUNDS = 5;
const CONNECTIONS = 16;

/** An import of mailboxes with hashes, by one partner: a bulk of 500 against single requests. */
export async function bulk(kind: DatabaseKind, report: Report): Promise<void> {
  const service = await startService(kind);
  await call(service, 'POST', '/api-keys/', { token: CLIENT, partner_ref: 'import', mailboxes_per_domain: 0 });
  await call(service, 'POST', '/domains/', { name: 'import.example' }, CLIENT);
  await together(service);
  await singly(service, CONNECTIONS);
  const perSecond: Record<'together' | 'oneByOne' | 'parallel', number[]> = {
    together: [],
    oneByOne: [],
    parallel: [],
  };
  // The rounds alternate, so that other load on the machine affects all.
  for (let round = 0; round < ROUNDS; round += 1) {
    perSecond.together.push(ITEMS / (await secondsOf(() => together(service))));
    perSecond.oneByOne.push(ITEMS / (await secondsOf(() => singly(service, 1))));
    perSecond.parallel.push(ITEMS / (await secondsOf(() => singly(service, CONNECTIONS))));
  }
  const [items, single, parallel] = [perSecond.together, perSecond.oneByOne, perSecond.parallel].map(median);
  for (const [what, other = Number.NaN, target] of [
    ['one after the other', single, 1.5],
    [`${CONNECTIONS} at a time`, parallel, 1.2],
  ] as const) {
    const ratio = (items ?? Number.NaN) / other;
    report.note(
      `POST /users/bulk, ${ITEMS} hashes, against POST /users/ ${what}, ${kind}`,
      `${Math.round(items ?? 0)} mailboxes/s of ${Math.round(other)}/s = × ${ratio.toFixed(2)}`,
      `≥ × ${target}`,
      ratio >= target,
    );
  }
  await service.stop();
}

function item(): object {
  return { email: `${randomUUID()}@import.example`, password_hash: PASSWORD_HASH };
}

async function together(service: Served): Promise<void> {
  const outcomes = await call(service, 'POST', '/users/bulk', { items: Array.from({ length: ITEMS }, item) }, CLIENT);
  const created = (outcomes as unknown as { status: number }[]).filter(({ status }) => status === 201);
  if (created.length < ITEMS) throw new Error(`Only ${created.length} of ${ITEMS} mailboxes were created`);
}

async function singly(service: Served, connections: number): Promise<void> {
  let left = ITEMS;
  const connection = async () => {
    while (left > 0) {
      left -= 1;
      await call(service, 'POST', '/users/', item(), CLIENT);
    }
  };
  await Promise.all(Array.from({ length: connections }, connection));
}

async function secondsOf(work: () => Promise<void>): Promise<number> {
  const started = performance.now();
  await work();
  return (performance.now() - started) / 1_000;
}
