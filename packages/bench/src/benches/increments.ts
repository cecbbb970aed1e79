import { randomUUID } from 'node:crypto';
import { against, allAllowed, compared, type Load, median, round } from '../load.js';
import type { Report } from '../report.js';
import { anyOf, senderOf, startSending } from '../sending.js';
import { call, type DatabaseKind, masterHeaders as master, type Served, startFloor, startService } from '../service.js';

const BULK_ITEMS = 200;
const BULK_CONNECTIONS = 8;
const BULK_ROUNDS = 3;

export async function increments(kind: DatabaseKind, report: Report): Promise<void> {
  const { service, names } = await startSending(kind);
  const hot = names[7] ?? '';
  const path = (name: string) => `/domains/${name}/outbound/increment`;
  const answer = await call(service, 'POST', path(hot), { count: 1 });
  const floor = await startFloor(null, answer);
  const load = (name: () => string, body: (name: string) => object): Load => ({
    method: 'POST',
    request: () => {
      const chosen = name();
      return { path: path(chosen), headers: master, body: JSON.stringify(body(chosen)) };
    },
    accepts: allAllowed(1),
  });
  const target = kind === 'mariadb' ? 0.75 : 0.6;
  const plain = () => ({ count: 1, bytes: 2_000 });
  const named = (name: string) => ({ count: 1, bytes: 2_000, id: randomUUID(), sender: senderOf(name) });
  const all = `${names.length} domains`;
  const oneHot = load(() => hot, plain);
  const anyDomain = load(() => anyOf(names), plain);
  const hotNamed = load(() => hot, named);
  const anyNamed = load(() => anyOf(names), named);
  /**
   * Reports the service beside bare Express under the same load.
   *
   * @param oneFloor for two processes: the requests a second of one bare Express
   * @returns the requests a second of bare Express
   */
  const compare = async (
    what: string,
    floors: Served[],
    services: Served[],
    minimum: number,
    each: Load,
    oneFloor = 0,
  ) => {
    const { ratio, ...measured } = await against(floors, services, each);
    const slow = measured.service.p99Ms / measured.floor.p99Ms;
    const ofOne = oneFloor === 0 ? '' : `; ${(measured.service.requestsPerSecond / oneFloor).toFixed(2)} of one`;
    report.note(
      `increment, ${what}, ${kind}`,
      `${compared(measured, ratio)}${ofOne}; p99 × ${slow.toFixed(1)}`,
      `≥ ${minimum} of ${floors.length === 1 ? '' : 'two '}bare Express, p99 < × 3`,
      ratio >= minimum && slow < 3,
    );
    return measured.floor.requestsPerSecond;
  };
  const hotFloor = await compare('one hot domain', [floor], [service], target, oneHot);
  const anyFloor = await compare(all, [floor], [service], target, anyDomain);
  await compare('one hot domain, with id and sender', [floor], [service], 0.6, hotNamed);
  const namedFloor = await compare(`${all}, with id and sender`, [floor], [service], 0.6, anyNamed);
  if (kind === 'mariadb') {
    const services = [service, await startService(kind, service)];
    const floors = [floor, await startFloor(null, answer)];
    await compare('one hot domain, two processes', floors, services, target, oneHot, hotFloor);
    await compare(`${all}, two processes`, floors, services, target, anyDomain, anyFloor);
    await compare(`${all}, with id and sender, two processes`, floors, services, 0.6, anyNamed, namedFloor);
    await floors[1]?.stop();
    await services[1]?.stop();
  }
  await floor.stop();
  await bulk(kind, report, service, oneHot, () => anyOf(names));
  await service.stop();
}

/** Increments in bulk requests against single ones, in alternating rounds after one of each to warm up. */
async function bulk(kind: DatabaseKind, report: Report, service: Served, single: Load, name: () => string) {
  const items = () => Array.from({ length: BULK_ITEMS }, () => ({ domain: name(), count: 1 }));
  const many: Load = {
    method: 'POST',
    request: () => ({ path: '/outbound/increments', headers: master, body: JSON.stringify({ items: items() }) }),
    accepts: allAllowed(BULK_ITEMS),
  };
  const rates: { inBulk: number; gain: number }[] = [];
  for (let index = 0; index <= BULK_ROUNDS; index += 1) {
    const singly = (await round(service, single)).requestsPerSecond;
    const inBulk = (await round(service, many, BULK_CONNECTIONS)).requestsPerSecond * BULK_ITEMS;
    if (index > 0) rates.push({ inBulk, gain: inBulk / singly });
  }
  const gain = median(rates.map((rate) => rate.gain));
  report.note(
    `bulk of ${BULK_ITEMS}, ${kind}`,
    `${Math.round(median(rates.map(({ inBulk }) => inBulk)))} increments/s, × ${gain.toFixed(1)}`,
    '≥ × 5 of single ones',
    gain >= 5,
  );
}
