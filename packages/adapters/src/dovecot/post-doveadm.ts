import type { Dispatcher } from 'undici';
import type { DoveadmRequest } from './doveadm-answer.js';

export interface DoveadmEndpoint {
  /** The doveadm HTTP API, like `http://127.0.0.1:2180/doveadm/v1`. */
  url: string;
  /** Dovecot's `doveadm_api_key`. */
  apiKey: string;
}

/**
 * Sends commands, which Dovecot carries out one after the other. The caller must read the body of the response.
 *
 * @throws Error when Dovecot cannot be reached or sends no headers within `timeoutMs`
 */
export async function postDoveadm(
  { url, apiKey }: DoveadmEndpoint,
  requests: readonly DoveadmRequest[],
  timeoutMs: number,
  signal: AbortSignal,
): Promise<Dispatcher.ResponseData> {
  const { request } = await import('undici');
  return await request(url, {
    method: 'POST',
    headers: {
      authorization: `X-Dovecot-API ${Buffer.from(apiKey).toString('base64')}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify(requests.map(({ command, parameters }) => [command, parameters, 'mailstead'])),
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
    reset: true,
    signal,
  });
}
