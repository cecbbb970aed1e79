import { types } from 'node:util';

const TIMEOUT_MS = 10_000;

/**
 * Calls `fetch` with a time-out of 10 seconds.
 *
 * @throws the cause of fetch's error, because fetch's own message does not contain the reason.
 */
export async function fetchPlainly(url: string, request: RequestInit = {}): Promise<Response> {
  return await fetch(url, { ...request, signal: AbortSignal.timeout(TIMEOUT_MS) }).catch((error: unknown) => {
    throw types.isNativeError(error) ? (error.cause ?? error) : error;
  });
}
