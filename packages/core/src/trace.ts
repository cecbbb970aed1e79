import { AsyncLocalStorage } from 'node:async_hooks';
import { randomBytes } from 'node:crypto';

/**
 * The trace of the present work: the id by which the log lines of several services belong together (W3C Trace Context).
 * It follows the work through calls and timers, so nobody passes it on.
 */
const present = new AsyncLocalStorage<{ traceId: string | null }>();

/** Version, trace id, id of the caller's part, flags. Versions after 00 may add a part. */
const TRACEPARENT = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}(-.*)?$/;
const MAX_CHARACTERS = 256;
const INVALID_VERSION = 'ff';
const ALL_ZERO = /^0+$/;
const TRACE_ID_BYTES = 16;
const PART_ID_BYTES = 8;

/** Returns the trace id of a `traceparent`; null for a value that the specification does not allow. */
export function readTraceparent(value: unknown): string | null {
  if (typeof value !== 'string' || value.length > MAX_CHARACTERS) return null;
  const [, version, traceId = '', partId = '', more] = TRACEPARENT.exec(value) ?? [];
  if (version === undefined || version === INVALID_VERSION || (version === '00' && more !== undefined)) return null;
  return ALL_ZERO.test(traceId) || ALL_ZERO.test(partId) ? null : traceId;
}

/** Runs the work with this trace id; null: without one, whatever the trace of the caller is. */
export function traced<T>(traceId: string | null, work: () => T): T {
  return present.run({ traceId }, work);
}

/** Returns the trace id of the present work; null when it has none. */
export function currentTraceId(): string | null {
  return present.getStore()?.traceId ?? null;
}

/** Sets the trace id of the present work from now on, for example to that of the request that decided it. */
export function setTraceId(traceId: string): void {
  const store = present.getStore();
  if (store !== undefined) store.traceId = traceId;
}

export function newTraceId(): string {
  return randomBytes(TRACE_ID_BYTES).toString('hex');
}

/** Returns a `traceparent` for a request that is sent as a part of this trace. Its flag: nothing is sampled. */
export function traceparentOf(traceId: string): string {
  return `00-${traceId}-${randomBytes(PART_ID_BYTES).toString('hex')}-00`;
}
