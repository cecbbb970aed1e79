import autocannon from 'autocannon';
import type { Served } from './service.js';

/** Set it for a quicker run. */
export const ROUND_SECONDS = Number(process.env.ROUND_SECONDS ?? 4);
/** Shorter than a round, so that a server that stops answering in its first half fails it. */
const TIMEOUT_SECONDS = 2;
const ROUNDS = 3;
const CONNECTIONS = 64;

export interface Load {
  method: 'GET' | 'POST';
  /** A new path, headers and body for every request. */
  request: () => { path: string; headers?: Record<string, string>; body?: string };
  /** Whether the body of a response with 2xx is the expected one. The baseline's responses are checked too. */
  accepts?: (body: string) => boolean;
}

export interface Measured {
  requestsPerSecond: number;
  p99Ms: number;
}

/** Accepts verdicts that allow each of the items. Searches the text, because parsing it would slow down the client. */
export function allAllowed(items: number): (body: string) => boolean {
  return (body) => occurrences(body, '"allowed":true') === items && occurrences(body, '"action":"accept"') === items;
}

function occurrences(text: string, part: string): number {
  let found = 0;
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + part.length)) found += 1;
  return found;
}

/**
 * Runs one closed-loop round. The connections are divided evenly among the processes.
 *
 * @throws Error when a connection fails, or when a request is answered late, by another status than 2xx, by another
 * body than the load accepts, or not at all.
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

async function roundOf(
  { url, name }: Served,
  { method, request, accepts = () => true }: Load,
  connections: number,
): Promise<Measured> {
  let refused: string | undefined;
  const result = await autocannon({
    url,
    connections,
    duration: ROUND_SECONDS,
    timeout: TIMEOUT_SECONDS,
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
    verifyBody: (body) => {
      const isAccepted = accepts(String(body));
      if (!isAccepted) refused ??= String(body);
      return isAccepted;
    },
  });
  const faults = faultsOf(result, connections);
  if (faults.length > 0) {
    const body = refused === undefined ? '' : `. One of them: ${refused.slice(0, 300)}`;
    throw new Error(`${name}, ${method} ${request().path}: ${faults.join('; ')}${body}`);
  }
  return { requestsPerSecond: result.requests.average, p99Ms: result.latency.p99 };
}

/** What autocannon counted. */
type Counts = Pick<autocannon.Result, 'errors' | 'timeouts' | 'non2xx' | 'mismatches' | '2xx'> & {
  requests: Pick<autocannon.Result['requests'], 'sent' | 'total'>;
};

/** @returns a sentence for each kind of failure; none when all requests were answered as expected. */
export function faultsOf(counts: Counts, connections: number): string[] {
  const { errors, timeouts, non2xx, mismatches, requests } = counts;
  // One request of each connection may be without an answer when the round ends. autocannon opens a connection again
  // that the server closed, and counts no error.
  const lost = requests.sent - requests.total - errors - connections;
  const kinds = [
    [errors - timeouts, 'connections failed'],
    [timeouts, `requests were not answered within ${TIMEOUT_SECONDS} s`],
    [lost, 'requests were lost with their connections'],
    [non2xx, 'requests were not answered by 2xx'],
    [mismatches, 'responses have another body than expected'],
  ] as const;
  const found = kinds.filter(([count]) => count > 0).map(([count, what]) => `${count} ${what}`);
  return found.length === 0 && counts['2xx'] === 0 ? ['no request was answered'] : found;
}

/** The baseline and the service under the same load, in alternating rounds. @returns the medians */
export function against(
  floor: Served | Served[],
  service: Served | Served[],
  load: Load,
  connections = CONNECTIONS,
): Promise<Compared> {
  return alternating(
    () => round(floor, load, connections),
    () => round(service, load, connections),
  );
}

interface Compared {
  floor: Measured;
  service: Measured;
  ratio: number;
}

/**
 * Alternates two kinds of rounds, after one of each to warm up, so that other load on the machine affects both.
 *
 * @returns the medians.
 */
export async function alternating(
  ofFloor: () => Promise<Measured>,
  ofService: () => Promise<Measured>,
): Promise<Compared> {
  await ofFloor();
  await ofService();
  const pairs: { floor: Measured; service: Measured }[] = [];
  for (let index = 0; index < ROUNDS; index += 1) pairs.push({ floor: await ofFloor(), service: await ofService() });
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
