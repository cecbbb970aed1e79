import { createHmac } from 'node:crypto';
import { type Clock, SECOND_MS } from '@mailstead/core/clock';
import {
  type DeliveryOutcome,
  type Notification,
  NotificationChannel,
} from '@mailstead/core/notifications/notification-channel';
import type { Agent } from 'undici';
import { createGuardedAgent } from './guarded-agent.js';

export interface WebhookChannelOptions {
  /** Where notifications are posted (`NOTIFY_WEBHOOK_URL`). */
  url: string;
  /** `whsec_` and the key in base64. */
  secret: string;
  /** Which IP addresses may be connected to; `isPublicAddress` unless the receiver is in the same network. */
  allow: (address: string) => boolean;
  /** The longest that one delivery may take, from the look-up to the end of the response; 15,000 by default (Standard Webhooks). */
  timeoutMs?: number;
}

const MAX_ANSWER_BYTES = 64 * 1024;
const HTTP_GONE = 410;

/**
 * Posts notifications as Standard Webhooks (https://www.standardwebhooks.com): `{type, timestamp, data}`, signed over id,
 * time of the attempt and body. Only a 2xx is a delivery; a redirect is a failure; after a 410 nothing more is sent.
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
      timestamp: notification.at.toISOString().replace(/Z$/, ''),
      data: notification.data,
    });
    const signal = AbortSignal.timeout(this.timeoutMs);
    try {
      const { request } = await import('undici');
      const answer = await request(this.url, {
        method: 'POST',
        headers: this.headers(notification.id, body),
        body,
        dispatcher: await this.connect(),
        reset: true,
        signal,
      });
      // Read to the end, so that the connection is closed cleanly. The agent bounds the size, the signal the time.
      for await (const _chunk of answer.body) continue;
      return answer.statusCode;
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
      maxAnswerBytes: MAX_ANSWER_BYTES,
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
