import { createHmac, randomUUID } from 'node:crypto';
import { CountRelayEvents } from '@mailstead/core/relay-events/count-relay-events';
import type { RelayEvent } from '@mailstead/core/relay-events/relay-event';
import { UnitOfWork } from '@mailstead/core/unit-of-work';
import type { TestApi } from './api-fixture.js';

/** The secret of the sandbox's webhook in tests, base64. */
const KEY = Buffer.from('a secret that only the tests know').toString('base64');
export const WEBHOOK_SECRET = `whsec_${KEY}`;

/** Returns an SES event for a permanent bounce. The message id is new unless `messageId` is given. */
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

/** Returns an SES event for a complaint of each recipient. The message id is new unless `messageId` is given. */
export function complaintOf(
  domain: string,
  recipients: string[],
  { feedback = 'abuse', ...given }: { feedback?: string; messageId?: string; at?: Date } = {},
) {
  const { bounce, ...rest } = bounceOf(domain, recipients, given);
  const { bouncedRecipients: complainedRecipients, timestamp } = bounce;
  return {
    ...rest,
    notificationType: 'Complaint',
    complaint: { timestamp, complainedRecipients, complaintFeedbackType: feedback },
  };
}

/** Returns an event as SES publishes it for a configuration set: with other names, and the domain as a tag. */
export function asPublished({ notificationType, mail, ...rest }: ReturnType<typeof bounceOf>, domain: string) {
  return { eventType: notificationType, mail: { ...mail, tags: { 'ses:from-domain': [domain] } }, ...rest };
}

/** Returns `count` different recipients that are as short as possible. */
export function manyRecipients(count: number): string[] {
  return Array.from({ length: count }, (_, index) => index.toString(36));
}

/** Posts an event of the sandbox provider, signed with the time `at`. @returns the status of the response. */
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

/** Counts a part of a complaint in a transaction, as the job does. @param part `named`: how many all parts name */
export function countComplaint(
  api: TestApi,
  { domain, ...part }: { domain: string; messageId: string; recipients: string[]; named: number },
): Promise<string | undefined> {
  const at = api.clock.now();
  const event: RelayEvent = {
    ...part,
    providerId: `${part.messageId} ${part.recipients[0]}`,
    kind: 'complaint',
    bounceType: null,
    attempted: true,
    subType: null,
    notSpam: false,
    sentAt: at,
    sourceDomain: domain,
    sender: null,
    diagnostics: new Map(),
    statuses: new Map(),
    occurredAt: at,
  };
  const counting = api.container.get(CountRelayEvents);
  return api.container.get(UnitOfWork).run(async () => (await counting.execute([{ id: 1, event }], at)).get(1));
}
