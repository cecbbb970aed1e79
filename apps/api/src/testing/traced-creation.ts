import { CHILD_MASTER, type ChildService } from './child-service.js';

export const TRACE_ID = '4bf92f3577b34da6a3ce929d0e0e4736';

type Line = Record<string, unknown>;

/** Sends a GET, or with a body a POST, with these headers. */
export function sendTraced(api: ChildService, path: string, headers: Record<string, string>, body?: object) {
  return fetch(`${api.url}${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { Authorization: `Bearer ${CHILD_MASTER}`, 'Content-Type': 'application/json', ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
}

/** Returns the log lines of a process that have this value in a field, when there is at least one. */
export async function linesWith(process: ChildService, field: string, value: string): Promise<Line[]> {
  const found = () =>
    process.output
      .split('\n')
      .filter((line) => line.startsWith('{') && line.endsWith('}'))
      .map((line) => JSON.parse(line) as Line)
      .filter((line) => line[field] === value);
  await process.until(async () => found().length > 0);
  return found();
}
