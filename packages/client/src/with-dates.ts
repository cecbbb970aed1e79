import type { Client } from 'openapi-fetch';
import type { DatedClient } from './dated-client.js';
import type { paths } from './generated/api-types.js';
import { TIME_PLACES } from './generated/time-fields.js';

const METHODS = ['GET', 'PUT', 'POST', 'DELETE'] as const;

type Call = (path: string, init?: object) => Promise<{ data?: unknown }>;
type Calls = Record<(typeof METHODS)[number], Call>;

/** The places of the times in the responses of a route, each split into its steps. */
const places = new Map(
  Object.entries(TIME_PLACES).map(([route, found]) => [route, found.map((place) => place.split('.'))]),
);

/**
 * Changes a client so that the times in responses are `Date`, in the fields that the API's document names as times. A
 * route without times costs one look-up. Text of another `parseAs` stays as it is.
 */
export function withDates(client: Client<paths>): DatedClient {
  const calls = client as unknown as Calls;
  const dated: Partial<Calls> = {};
  for (const method of METHODS) {
    const call = calls[method];
    dated[method] = (path, init) => withTimes(`${method} ${path}`, call(path, init));
  }
  return Object.assign(client as object, dated) as DatedClient;
}

function withTimes<Result extends { data?: unknown }>(route: string, result: Promise<Result>): Promise<Result> {
  const times = places.get(route);
  if (times === undefined) return result;
  return result.then((found) => {
    for (const steps of times) readTimes(found.data, steps, 0);
    return found;
  });
}

/** Replaces the texts at a place. A part of the place that is missing, such as a null object, has none. */
function readTimes(value: unknown, steps: readonly string[], index: number): void {
  if (typeof value !== 'object' || value === null) return;
  const step = steps[index] ?? '';
  if (step === '*') {
    for (const item of value as Iterable<unknown>) readTimes(item, steps, index + 1);
    return;
  }
  const fields = value as Record<string, unknown>;
  const found = fields[step];
  if (index < steps.length - 1) readTimes(found, steps, index + 1);
  // The API writes times in UTC, without a zone.
  else if (typeof found === 'string') fields[step] = new Date(`${found}Z`);
}
