import { types } from 'node:util';

const PATIENCE_MS = 10_000;

/**
 * `fetch` that gives up after 10 seconds and fails with the reason: fetch itself says only that it failed, its cause
 * says why.
 */
export async function fetchPlainly(url: string, request: RequestInit = {}): Promise<Response> {
  return await fetch(url, { ...request, signal: AbortSignal.timeout(PATIENCE_MS) }).catch((error: unknown) => {
    throw types.isNativeError(error) ? (error.cause ?? error) : error;
  });
}
