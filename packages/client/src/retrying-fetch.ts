import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { urlToHttpOptions } from 'node:url';
import { type ApiAddresses, isDownStatus, neverArrived } from './api-addresses.js';
import { httpSend, type Received } from './http-send.js';

export interface RetryOptions {
  /** Maximum number of times that a request is sent again. */
  retries: number;
  /** Wait before the first retry, milliseconds. It doubles with each retry and is jittered by a quarter. */
  firstRetryMs: number;
  /** Maximum wait, milliseconds, also when `Retry-After` is longer. */
  maxRetryMs: number;
  /** Maximum duration of one attempt, milliseconds. */
  timeoutMs: number;
}

/** POST routes that accept an `Idempotency-Key`: a repeated request gets the response of the first. */
const CREATES = /^\/(api-keys|(domains|users|aliases)(\/bulk)?)\/?$/;
/** POST routes without an `Idempotency-Key` that are safe to repeat. */
const REPEATABLE = /^\/domains\/[^/]+\/(relay-verify|retention\/preview)\/?$|^\/outbound\/(looks|senders\/check)\/?$/;

const BUSY = new Set([429, 502, 503, 504]);

/**
 * Sends a request again after a failed connection, a time-out, or one of the statuses 429, 502, 503, 504 and, with an
 * `Idempotency-Key`, 409 (the first request still runs). Requests that would take effect twice are sent again only when
 * they did not arrive, to another address. The next address is asked without a wait.
 *
 * @param addresses the requests have its first base URL
 */
export function retryingFetch(
  options: RetryOptions,
  addresses: ApiAddresses,
  base: string,
): (request: Request) => Promise<Response> {
  return async (original) => {
    const path = original.url.slice(base.length);
    const [route = ''] = path.split('?');
    const request = withIdempotencyKey(original, route);
    // Read completely, so that it can be sent again and has a Content-Length.
    const body = request.body === null ? null : new Uint8Array(await request.arrayBuffer());
    const mayArriveTwice = isRepeatable(request, route);
    const attempts = Math.max(mayArriveTwice ? options.retries + 1 : 1, addresses.size);
    for (let [attempt, waits] = [1, 0]; ; attempt += 1) {
      const address = addresses.current;
      const outcome = await attemptOf(request, `${address}${path}`, original.signal, body, options.timeoutMs);
      const isLast = attempt >= attempts;
      if ('error' in outcome) {
        original.signal.throwIfAborted();
        addresses.failed(address);
        if (isLast || !(mayArriveTwice || neverArrived(outcome.error))) throw outcome.error;
      } else {
        const isDown = isDownStatus(outcome.incoming.statusCode);
        if (isDown) addresses.failed(address);
        else addresses.worked(address);
        if (isLast || !mayArriveTwice || !isRetryable(outcome, request)) return responseOf(outcome);
      }
      const isUp = !('error' in outcome) && !isDownStatus(outcome.incoming.statusCode);
      if (!isUp && addresses.hasRested) continue;
      const asked = 'error' in outcome ? 0 : retryAfterMs(outcome);
      const wait = Math.max(asked, jittered(options.firstRetryMs * 2 ** waits++));
      await delay(Math.min(options.maxRetryMs, wait), undefined, { signal: original.signal }).catch(() =>
        original.signal.throwIfAborted(),
      );
    }
  };
}

async function attemptOf(
  { method, headers }: Request,
  url: string,
  signal: AbortSignal,
  body: Uint8Array | null,
  timeoutMs: number,
): Promise<Received | { error: unknown }> {
  const options = { ...urlToHttpOptions(new URL(url)), method, headers: Object.fromEntries(headers), signal };
  try {
    return await httpSend(options, body, timeoutMs);
  } catch (error) {
    return { error };
  }
}

function responseOf({ incoming, body }: Received): Response {
  const headers = new Headers(
    Object.entries(incoming.headers).map(([name, value]): [string, string] => [name, String(value)]),
  );
  return new Response(body.length === 0 ? null : new Uint8Array(body), { status: incoming.statusCode ?? 0, headers });
}

/** @param route the path after that of the base URL */
function withIdempotencyKey(request: Request, route: string): Request {
  if (request.method !== 'POST' || !CREATES.test(route) || request.headers.has('idempotency-key')) return request;
  const headers = new Headers(request.headers);
  headers.set('Idempotency-Key', randomUUID());
  return new Request(request, { headers });
}

function isRepeatable(request: Request, route: string): boolean {
  return request.method !== 'POST' || request.headers.has('idempotency-key') || REPEATABLE.test(route);
}

function isRetryable({ incoming: { statusCode = 0 } }: Received, request: Request): boolean {
  return BUSY.has(statusCode) || (statusCode === 409 && request.headers.has('idempotency-key'));
}

function retryAfterMs({ incoming }: Received): number {
  const seconds = Number(incoming.headers['retry-after'] ?? 0);
  return Number.isFinite(seconds) ? seconds * 1_000 : 0;
}

function jittered(ms: number): number {
  return ms * (0.75 + Math.random() / 2);
}
