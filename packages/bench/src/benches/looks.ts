import { randomInt } from 'node:crypto';
import { against, allAllowed, compared } from '../load.js';
import type { Report } from '../report.js';
import { anyOf, senderOf, startSending } from '../sending.js';
import { call, type DatabaseKind, masterHeaders as master, startFloor } from '../service.js';

const PATH = '/outbound/looks';
const TARGET = 0.6;
/**
 * The policy daemon sends the looks that arrive together in one request, over one connection; several daemons have
 * more.
 */
const LOADS = [
  { items: 1, connections: 64 },
  { items: 20, connections: 8 },
];

/** Looks as the policy daemon sends them: each of another login, at a recipient outside. */
export async function looks(kind: DatabaseKind, report: Report): Promise<void> {
  const { service, names } = await startSending(kind);
  const item = () => {
    const domain = anyOf(names);
    return { domain, sender: senderOf(domain), recipient: `someone-${randomInt(1_000_000)}@elsewhere.example` };
  };
  for (const { items, connections } of LOADS) {
    const body = () => ({ items: Array.from({ length: items }, item) });
    const floor = await startFloor(null, await call(service, 'POST', PATH, body()), '1mb');
    const { ratio, ...measured } = await against(
      floor,
      service,
      {
        method: 'POST',
        request: () => ({ path: PATH, headers: master, body: JSON.stringify(body()) }),
        accepts: allAllowed(items),
      },
      connections,
    );
    const each = items === 1 ? '' : `; ${Math.round(measured.service.requestsPerSecond * items)} looks/s`;
    const slow = measured.service.p99Ms / measured.floor.p99Ms;
    report.note(
      `POST ${PATH} of ${items}, ${names.length} domains, ${connections} connections, ${kind}`,
      `${compared(measured, ratio)}${each}; p99 × ${slow.toFixed(1)}`,
      `≥ ${TARGET} of bare Express, p99 < × 3`,
      ratio >= TARGET && slow < 3,
    );
    await floor.stop();
  }
  await service.stop();
}
