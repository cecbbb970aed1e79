import { boundedText } from '../bounded-text.js';

export type Fetch = (url: string, init: { signal: AbortSignal; redirect: 'error' }) => Promise<Response>;

const MAX_BYTES = 16 * 1_024;

/** @throws Error when the status is not 2xx, for a redirect, after the time-out, and for a body of more than 16 KB */
export async function fetchText(url: string, fetch: Fetch, timeoutMs: number): Promise<string> {
  const response = await fetch(url, { signal: AbortSignal.timeout(timeoutMs), redirect: 'error' });
  if (!response.ok) {
    await response.body?.cancel();
    throw new Error(`${new URL(url).host} answered ${response.status}`);
  }
  return response.body === null ? '' : boundedText(response.body, MAX_BYTES, new URL(url).host);
}
