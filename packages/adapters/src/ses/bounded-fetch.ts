import { SECOND_MS } from '@mailstead/core/clock';

export type Fetch = (url: string, init: { signal: AbortSignal; redirect: 'error' }) => Promise<Response>;

const TIMEOUT_MS = 5 * SECOND_MS;
const MAX_BYTES = 16 * 1_024;

/** @throws Error when the status is not 2xx, for a redirect, after 5 seconds, and when the body is longer than 16 KB */
export async function fetchText(url: string, fetch: Fetch): Promise<string> {
  const response = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS), redirect: 'error' });
  if (!response.ok) {
    await response.body?.cancel();
    throw new Error(`${new URL(url).host} answered ${response.status}`);
  }
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength;
    // An error thrown in the loop cancels the rest of the body.
    if (bytes > MAX_BYTES) throw new Error(`${new URL(url).host} answered with more than ${MAX_BYTES} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
