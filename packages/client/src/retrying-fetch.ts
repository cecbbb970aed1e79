import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';

import { httpSend } from './http-send.js';

export interface RetryOptions {
  /** How often a request is sent again at most. */
  retries: number;
  /** The wait before the first repeat, milliseconds; it doubles with each, and is jittered. */
  firstRetryMs: number;
  /** The longest wait, also when the service asks for a longer one by `Retry-After`, milliseconds. */
  maxRetryMs: number;
  /** How long one attempt may take, milliseconds. */
  timeoutMs: number;
}

/** POSTs that create take an `Idempotency-Key`: the second of two equal ones gets the answer of the first. */
const CREATES = /^\/(api-keys|domains|users|aliases)\/?$/;
/** POSTs that may be sent twice: the second changes nothing. */
const REPEATABLE = /^\/domains\/[^/]+\/(relay-verify|retention\/preview)\/?$|^\/outbound\/(looks|senders\/check)\/?$/;

const BUSY = new Set([429, 502, 503, 504]);

/**
 * Sends a request again where that cannot do anything twice: after a failed connection, a time-out, or an answer that
 * says "later" (409 while the first of two equal creations runs, 429, 502, 503, 504).
 */
export function retryingFetch(options: RetryOptions): (request: Request) => Promise<Response> {
  return async (original) => {
    const request = withIdempotencyKey(original);
    // As bytes, so that it can be sent again, and in one piece.
    const body = request.body === null ? null : await request.arrayBuffer();
    const attempts = isRepeatable(request) ? options.retries + 1 : 1;
    for (let attempt = 1; ; attempt += 1) {
      const outcome = await attemptOf(request, body, options.timeoutMs);
      const isLast = attempt >= attempts;
      if ('error' in outcome) {
        if (isLast || original.signal.aborted) throw outcome.error;
      } else if (isLast || !saysLater(outcome.response, request)) {
        return outcome.response;
      }
      const asked = 'response' in outcome ? retryAfterMs(outcome.response) : 0;
      if ('response' in outcome) await outcome.response.body?.cancel();
      await delay(Math.min(options.maxRetryMs, Math.max(asked, jittered(options.firstRetryMs * 2 ** (attempt - 1)))));
    }
  };
}

async function attemptOf(
  { url, method, headers, signal }: Request,
  body: ArrayBuffer | null,
  timeoutMs: number,
): Promise<{ response: Response } | { error: unknown }> {
  // Not AbortSignal.any: what it makes may be collected as garbage before it fires (Node 20).
  const within = new AbortController();
  const pass = () => within.abort(signal.reason);
  const timer = setTimeout(() => within.abort(new Error(`No answer within ${timeoutMs} ms`)), timeoutMs);
  signal.addEventListener('abort', pass);
  if (signal.aborted) pass();
  try {
    return { response: await httpSend(url, { method, headers, body, signal: within.signal }) };
  } catch (error) {
    return { error };
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', pass);
  }
}

function withIdempotencyKey(request: Request): Request {
  if (request.method !== 'POST' || !CREATES.test(pathOf(request)) || request.headers.has('idempotency-key'))
    return request;
  const headers = new Headers(request.headers);
  headers.set('Idempotency-Key', randomUUID());
  return new Request(request, { headers });
}

function isRepeatable(request: Request): boolean {
  return request.method !== 'POST' || request.headers.has('idempotency-key') || REPEATABLE.test(pathOf(request));
}

function saysLater({ status }: Response, request: Request): boolean {
  return BUSY.has(status) || (status === 409 && request.headers.has('idempotency-key'));
}

function pathOf({ url }: Request): string {
  return new URL(url).pathname;
}

function retryAfterMs(response: Response): number {
  const seconds = Number(response.headers.get('retry-after'));
  return Number.isFinite(seconds) ? seconds * 1_000 : 0;
}

function jittered(ms: number): number {
  return ms * (0.75 + Math.random() / 2);
}
