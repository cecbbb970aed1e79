import { randomUUID } from 'node:crypto';
import type { Caller } from '@mailstead/core/operators/caller';
import type { Request, Response } from 'express';
import { secretsOf } from './request-log.js';

const SANE_REQUEST_ID = /^[A-Za-z0-9._-]{1,128}$/;
const SHORTEST_TOKEN = 16;

/** One request, its answer, and what becomes known of it on the way. */
export class Exchange {
  readonly started = performance.now();
  readonly requestId: string;
  /** Null until the caller is known, and for a request without a token. */
  caller: Caller | null = null;
  /** What was read of the body; undefined until then, and without one. */
  body: unknown = undefined;

  /** @param path of the route or routes that know the path of the request; empty when none does. */
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

  /** What no log may hold: of the header and the path, and of the body as far as it was read. */
  secrets(): string[] {
    return secretsOf(this.request.headers.authorization, this.params, this.body);
  }

  /** A signal that is given when the caller closes the connection. Few requests ask for one, and each costs a listener. */
  whileOpen(): AbortSignal {
    const controller = new AbortController();
    if (this.response.closed) controller.abort();
    else this.response.once('close', () => controller.abort());
    return controller.signal;
  }
}

/** The caller's own id, unless it stands in the credentials or in the path: then it may be a token, and it would be logged. */
function requestIdOf({ headers, originalUrl }: Request): string {
  const given = headers['x-request-id'];
  if (typeof given !== 'string' || !SANE_REQUEST_ID.test(given)) return randomUUID();
  const isCarried = [headers.authorization ?? '', originalUrl].some((text) => text.includes(given));
  return given.length >= SHORTEST_TOKEN && isCarried ? randomUUID() : given;
}
