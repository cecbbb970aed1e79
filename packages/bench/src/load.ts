import autocannon from 'autocannon';
import type { Served } from './service.js';

const ROUND_SECONDS = 4;
const ROUNDS = 3;
const CONNECTIONS = 64;

export interface Load {
  method: 'GET' | 'POST';
  /** A new path, headers and body for every request. */
  request: () => { path: string; headers?: Record<string, string>; body?: string };
}

export interface Measured {
  requestsPerSecond: number;
  p99Ms: number;
}

/**
 * Runs one closed-loop round. The connections are divided evenly among the processes.
 *
 * @throws Error when a response is not 2xx.
 */
export async function round(served: Served | Served[], load: Load, connections = CONNECTIONS): Promise<Measured> {
  const processes = [served].flat();
  const results = await Promise.all(
    processes.map((each) => roundOf(each, load, Math.floor(connections / processes.length))),
  );
  return {
    requestsPerSecond: results.reduce((sum, { requestsPerSecond }) => sum + requestsPerSecond, 0),
    p99Ms: Math.max(...results.map(({ p99Ms }) => p99Ms)),
  };
}

async function roundOf(served: Served, { method, request }: Load, connections: number): Promise<Measured> {
  const result = await autocannon({
    url: served.url,
    connections,
    duration: ROUND_SECONDS,
    requests: [
      {
        method,
        setupRequest: (base) => {
          const own = request();
          // autocannon writes the body's length into the headers, so they are copied.
          return { ...base, ...own, headers: { ...own.headers } };
        },
      },
    ],
  });
  if (result.non2xx > 0) throw new Error(`${result.non2xx} requests were not answered by 2xx`);
  return { requestsPerSecond: result.requests.average, p99Ms: result.latency.p99 };
}

/** Alternates rounds of the baseline and the service, so that other load on the machine affects both. @returns the medians. */
export async function against(
  floor: Served,
  service: Served | Served[],
  load: Load,
  connections = CONNECTIONS,
): Promise<{ floor: Measured; service: Measured; ratio: number }> {
  await round(service, load, connections);
  const pairs: { floor: Measured; service: Measured }[] = [];
  for (let index = 0; index < ROUNDS; index += 1) {
    pairs.push({ floor: await round(floor, load, connections), service: await round(service, load, connections) });
  }
  const ratios = pairs.map((pair) => pair.service.requestsPerSecond / pair.floor.requestsPerSecond);
  const middle = pairs[ratios.indexOf(median(ratios))] ?? pairs[0];
  if (middle === undefined) throw new Error('No round was run');
  return { ...middle, ratio: median(ratios) };
}

export function median(values: number[]): number {
  return [...values].sort((left, right) => left - right)[Math.floor(values.length / 2)] ?? Number.NaN;
}

/** Returns a text like `4000/s of 5000/s = 0.80`. */
export function compared(
  { floor, service }: { floor: { requestsPerSecond: number }; service: { requestsPerSecond: number } },
  ratio: number,
): string {
  return `${Math.round(service.requestsPerSecond)}/s of ${Math.round(floor.requestsPerSecond)}/s = ${ratio.toFixed(2)}`;
}
