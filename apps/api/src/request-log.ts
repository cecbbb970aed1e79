import type { Caller } from '@mailstead/core/operators/caller';

/** One line for each request, without a token, a query value or a body. */
export interface RequestLine {
  method: string;
  path: string;
  /** The route's pattern, for metrics. */
  route: string;
  status: number;
  durationMs: number;
  requestId: string;
  caller: Caller | null;
  errorCode: string | null;
}

export abstract class RequestLog {
  abstract request(line: RequestLine): void;
  /** A defect of ours: the only error with a stack. */
  abstract defect(error: unknown, requestId: string): void;
}

const KEY_PATH = /^(\/api-keys\/)[^/?]+/i;

/** The path without the query and without the token of a key. */
export function redactPath(url: string): string {
  const query = url.indexOf('?');
  return (query === -1 ? url : url.slice(0, query)).replace(KEY_PATH, '$1…');
}

/** Who it was, in two words for a log line. */
export function callerLabel(caller: Caller | null): Record<string, string | number> {
  if (caller === null) return {};
  return caller.kind === 'client' ? { partner: caller.key.partnerRef, key_id: caller.key.id } : { actor: caller.name };
}
