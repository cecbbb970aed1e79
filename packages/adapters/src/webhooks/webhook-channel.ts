import { createHmac } from 'node:crypto';
import { type Clock, SECOND_MS, zonelessTime } from '@mailstead/core/clock';
import {
  type DeliveryOutcome,
  type Notification,
  NotificationChannel,
} from '@mailstead/core/notifications/notification-channel';
import type { Agent } from 'undici';
import { createGuardedAgent } from './guarded-agent.js';

export interface WebhookChannelOptions {
  /** The URL that notifications are posted to (`NOTIFY_WEBHOOK_URL`). */
  url: string;
  /** `whsec_` and the key in base64. */
  secret: string;
  /** Whether an IP address may be connected to; `isPublicAddress` unless the receiver is in the same network. */
  allow: (address: string) => boolean;
  /**
   * The time limit of one delivery, from the DNS look-up to the end of the response, milliseconds; 15,000 by default.
   */
  timeoutMs?: number;
}

const MAX_RESPONSE_BYTES = 64 * 1024;
const HTTP_GONE = 410;

/**
 * Posts notifications as Standard Webhooks (https://www.standardwebhooks.com): the body is `{type, timestamp, data}`,
 * and the signature covers the id, the time of the attempt and the body. Only a 2xx status is a delivery. A redirect is
 * a failure. A 410 returns `gone`: the receiver wants no more notifications.
 */
export class WebhookChannel extends NotificationChannel {
  readonly name = 'webhook';
  private readonly url: string;
  private readonly key: Buffer;
  private readonly allow: (address: string) => boolean;
  private readonly timeoutMs: number;
  private agent: Promise<Agent> | null = null;

  constructor(
    { url, secret, allow, timeoutMs = 15 * SECOND_MS }: WebhookChannelOptions,
    private readonly clock: Clock,
  ) {
    super();
    this.url = url;
    this.key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
    this.allow = allow;
    this.timeoutMs = timeoutMs;
  }

  override async deliver(notification: Notification): Promise<DeliveryOutcome> {
    const status = await this.post(notification);
    if (status === HTTP_GONE) return 'gone';
    if (status < 200 || status > 299) throw new Error(`The receiver answered ${status}`);
    return 'delivered';
  }

  private async post(notification: Notification): Promise<number> {
    const body = JSON.stringify({
      type: notification.type,
      timestamp: zonelessTime(notification.at),
      data: notification.data,
    });
    const signal = AbortSignal.timeout(this.timeoutMs);
    try {
      const { request } = await import('undici');
      const response = await request(this.url, {
        method: 'POST',
        headers: this.headers(notification.id, body),
        body,
        dispatcher: await this.connect(),
        reset: true,
        signal,
      });
      // Reads the whole body, so that the connection closes cleanly. The agent limits its size, the signal its time.
      for await (const _chunk of response.body) continue;
      return response.statusCode;
    } catch (error) {
      const reason = signal.aborted ? `no answer within ${this.timeoutMs} ms` : reasonOf(error);
      throw new Error(`The receiver could not be reached: ${reason}`, { cause: error });
    }
  }

  private headers(id: string, body: string): Record<string, string> {
    const timestamp = Math.floor(this.clock.now().getTime() / SECOND_MS);
    const signature = createHmac('sha256', this.key).update(`${id}.${timestamp}.${body}`).digest('base64');
    return {
      'content-type': 'application/json',
      'user-agent': 'Mailstead',
      'webhook-id': id,
      'webhook-timestamp': String(timestamp),
      'webhook-signature': `v1,${signature}`,
    };
  }

  private connect(): Promise<Agent> {
    this.agent ??= createGuardedAgent({
      allow: this.allow,
      connectTimeoutMs: this.timeoutMs,
      maxResponseBytes: MAX_RESPONSE_BYTES,
    });
    return this.agent;
  }
}

function reasonOf(error: unknown): string {
  const isNamed = typeof error === 'object' && error !== null && 'message' in error;
  const message = isNamed ? String(error.message) : '';
  if (message !== '') return message;
  return isNamed && 'code' in error ? String(error.code) : 'the connection failed';
}
