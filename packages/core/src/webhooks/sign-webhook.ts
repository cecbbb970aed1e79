import { createHmac } from 'node:crypto';
import { SECOND_MS } from '../clock.js';

/**
 * The headers of Standard Webhooks (https://www.standardwebhooks.com): one signature for each secret, over the id, the
 * time of the attempt and the body.
 *
 * @param secrets each `whsec_` and the key in base64
 */
export function signedHeaders(id: string, now: Date, body: string, secrets: readonly string[]): Record<string, string> {
  const timestamp = Math.floor(now.getTime() / SECOND_MS);
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
    return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
  });
  return {
    'content-type': 'application/json',
    'user-agent': 'Mailstead',
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signatures.join(' '),
  };
}
