import { createHmac, randomUUID } from 'node:crypto';

/** The secret of the sandbox's webhook in tests: base64, and as the setting takes it. */
const KEY = Buffer.from('a secret that only the tests know').toString('base64');
export const WEBHOOK_SECRET = `whsec_${KEY}`;

/** A permanent bounce as SES tells of it; one message of its own unless an id is given. */
export function bounceOf(
  domain: string,
  recipients: string[],
  { messageId = randomUUID(), at = new Date() }: { messageId?: string; at?: Date } = {},
) {
  return {
    notificationType: 'Bounce',
    mail: { timestamp: at.toISOString(), messageId, source: `news@${domain}` },
    bounce: {
      bounceType: 'Permanent',
      bounceSubType: 'General',
      bouncedRecipients: recipients.map((emailAddress) => ({ emailAddress })),
      timestamp: at.toISOString(),
    },
  };
}

/** So many different recipients, in as few bytes as it takes. */
export function manyRecipients(count: number): string[] {
  return Array.from({ length: count }, (_, index) => index.toString(36));
}

/** Posts an event as the sandbox's provider does, signed at the given time. @returns the status. */
export async function postSigned(
  url: string,
  payload: unknown,
  { id = randomUUID(), at = new Date() }: { id?: string; at?: Date } = {},
): Promise<number> {
  const body = JSON.stringify(payload);
  const timestamp = String(Math.floor(at.getTime() / 1_000));
  const signature = createHmac('sha256', Buffer.from(KEY, 'base64'))
    .update(`${id}.${timestamp}.${body}`)
    .digest('base64');
  const response = await fetch(`${url}/webhooks/relay`, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      'webhook-id': id,
      'webhook-timestamp': timestamp,
      'webhook-signature': `v1,${signature}`,
    },
    body,
  });
  await response.arrayBuffer();
  return response.status;
}
