import { randomUUID } from 'node:crypto';
import type { Caller } from '@mailstead/core/operators/caller';
import type { Request, Response } from 'express';
import { secretsOf } from './request-log.js';

const REQUEST_ID_PATTERN = /^[A-Za-z0-9._-]{1,128}$/;
const SHORTEST_TOKEN = 16;

/** One HTTP request with its response, its caller and its body. */
export class Exchange {
  readonly started = performance.now();
  readonly requestId: string;
  /** Null until the token was checked, and on public routes. */
  caller: Caller | null = null;
  /** The parsed body; undefined until it was read, and for a request without a body. */
  body: unknown = undefined;

  /** @param path the path pattern of the route that matched; empty when no route matched. */
  constructor(
    readonly request: Request,
    readonly response: Response,
    readonly path: string,
  ) {
    this.requestId = requestIdOf(request);
  }

  get params(): Record<string, string | undefined> {
    return this.request.params as Record<string, string | undefined>;
  }

  /** Returns the secrets in the header, the path and the parsed body. They must not be logged. */
  secrets(): string[] {
    return secretsOf(this.request.headers.authorization, this.params, this.body);
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
 * Returns the caller's `X-Request-Id`, or a new id. Request ids are logged. An id that also occurs in the credentials or in
 * the path may be a token, so it is replaced.
 */
function requestIdOf({ headers, originalUrl }: Request): string {
  const given = headers['x-request-id'];
  if (typeof given !== 'string' || !REQUEST_ID_PATTERN.test(given)) return randomUUID();
  const isInRequest = [headers.authorization ?? '', originalUrl].some((text) => text.includes(given));
  return given.length >= SHORTEST_TOKEN && isInRequest ? randomUUID() : given;
}
