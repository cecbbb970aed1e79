import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Caller } from '@mailstead/core/operators/caller';
import { readTraceparent } from '@mailstead/core/trace';
import { type LogFields, type RequestIds, secretsOf } from './request-log.js';
import type { Sender } from './route.js';

const REQUEST_ID_PATTERN = /^[A-Za-z0-9._-]{1,128}$/;
const SHORTEST_TOKEN = 16;

/** A request as Express passes it on, or as Node does. `target` is the request target as the client wrote it. */
export type AnyRequest = IncomingMessage & { target?: string; originalUrl?: string; params?: object };

/** One HTTP request with its response, its caller and its body. */
export class Exchange implements RequestIds {
  readonly started = performance.now();
  readonly requestUid = randomUUID();
  readonly requestId: string;
  /** Null until the token was checked, and on public routes. */
  caller: Caller | null = null;
  /** Known from the first check on. */
  sender: Sender = { address: () => '', isLocal: () => false };
  /** The parsed body; undefined until it was read, and for a request without a body. */
  body: unknown = undefined;
  /** Fields that the handler adds to the log line. */
  readonly logFields: LogFields = {};
  /** The `RateLimit` headers; empty for callers without a rate. */
  rateHeaders: Record<string, string> = {};

  /** The headers that say what of the request is deprecated; empty when nothing is. */
  deprecationHeaders: Record<string, string> = {};

  /** @param path the path pattern of the route that matched; empty when no route matched. */
  constructor(
    readonly request: AnyRequest,
    readonly response: ServerResponse,
    readonly path: string,
  ) {
    this.requestId = callersId(request) ?? this.requestUid;
  }

  /** The path and the query of the request. */
  get url(): string {
    return this.request.originalUrl ?? this.request.url ?? '';
  }

  get params(): Record<string, string | undefined> {
    return (this.request.params ?? {}) as Record<string, string | undefined>;
  }

  /** Returns the secrets in the header, the path and the parsed body. They must not be logged. */
  secrets(): string[] {
    return secretsOf(this.request.headers, this.params, this.body);
  }

  /** Returns a signal that aborts when the caller closes the connection. Adds one listener for each call. */
  closeSignal(): AbortSignal {
    const controller = new AbortController();
    if (this.response.closed) controller.abort();
    else this.response.once('close', () => controller.abort());
    return controller.signal;
  }
}

/**
 * Returns the caller's `X-Request-Id`; null when the service uses its own id. Request ids are logged. An id that also
 * occurs in the credentials or in the target may be a token, so it is not used.
 */
export function callersId(request: AnyRequest): string | null {
  const given = request.headers['x-request-id'];
  if (typeof given !== 'string' || !REQUEST_ID_PATTERN.test(given)) return null;
  return given.length >= SHORTEST_TOKEN && isInRequest(given, request) ? null : given;
}

/** Returns the trace id of the caller's `traceparent`, which is logged too; null without a valid one. */
export function callersTraceId(request: AnyRequest): string | null {
  const traceId = readTraceparent(request.headers.traceparent);
  return traceId === null || isInRequest(traceId, request) ? null : traceId;
}

function isInRequest(text: string, { headers, target, url = '' }: AnyRequest): boolean {
  const { authorization = '', cookie = '', 'x-csrf-token': csrf = '' } = headers;
  return [authorization, cookie, csrf, target ?? url].some((each) => each.includes(text));
}
