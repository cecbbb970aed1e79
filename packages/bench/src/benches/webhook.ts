import { createHmac, randomUUID } from 'node:crypto';
import { against, compared, type Load } from '../load.js';
import type { Report } from '../report.js';
import { call, type DatabaseKind, JSON_TYPE, startFloor, startService, WEBHOOK_KEY } from '../service.js';

export async function webhook(kind: DatabaseKind, report: Report): Promise<void> {
  const service = await startService(kind);
  await call(service, 'POST', '/domains/', { name: 'sender.example' });
  const floor = await startFloor(null, { status: 'stored' }, '1mb');
  const { ratio, ...measured } = await against(floor, service, bounces('sender.example'));
  report.note(`webhook intake, ${kind}`, compared(measured, ratio), '≥ 0.5 of bare Express', ratio >= 0.5);
  await floor.stop();
  await service.stop();
}

/** Permanent bounces of a domain's mail, each for another message, signed for the sandbox. */
export function bounces(domain: string): Load {
  const request = () => {
    const id = randomUUID();
    const now = new Date();
    const body = JSON.stringify({
      notificationType: 'Bounce',
      mail: {
        timestamp: now.toISOString(),
        messageId: id,
        source: `a@${domain}`,
        destination: ['b@example.net'],
      },
      bounce: {
        bounceType: 'Permanent',
        bounceSubType: 'General',
        bouncedRecipients: [{ emailAddress: 'b@example.net' }],
        timestamp: now.toISOString(),
        feedbackId: id,
      },
    });
    const timestamp = String(Math.floor(now.getTime() / 1_000));
    const signature = createHmac('sha256', Buffer.from(WEBHOOK_KEY, 'base64'))
      .update(`${id}.${timestamp}.${body}`)
      .digest('base64');
    return {
      path: '/webhooks/relay',
      body,
      headers: {
        ...JSON_TYPE,
        'webhook-id': id,
        'webhook-timestamp': timestamp,
        'webhook-signature': `v1,${signature}`,
      },
    };
  };
  return { method: 'POST', request, accepts: (body) => body === '{"status":"stored"}' };
}
