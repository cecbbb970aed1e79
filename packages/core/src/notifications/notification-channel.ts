import { token } from '../needs.js';

/** One event that operators are notified of, once per transition. */
export interface Notification {
  /** The same in all deliveries of this notification; receivers use it to detect duplicates. */
  id: string;
  type: NotificationType;
  /** When the event happened. */
  at: Date;
  /** The members of the event, snake_case, without secrets. */
  data: Record<string, unknown>;
}

/** `docs/notifications.md` describes each type, and a test compares the two. */
export const NOTIFICATION_TYPES = [
  'domain.verified',
  'domain.verification_failed',
  'domain.verification_lost',
  'domain.verification_at_risk',
  'domain.outbound_blocked',
  'domain.limit_reached',
  'domain.suspended',
  'domain.activated',
  'domain.expiring',
  'domain.expired',
  'domain.retention_lowered',
  'partner.relay_paused',
  'partner.relay_resumed',
  'purge.braked',
  'relay.warning',
  'database.several_writers',
  'worker.stopped',
  'job.missed',
  'job.future_periods',
] as const;
export type NotificationType = (typeof NOTIFICATION_TYPES)[number];

/** `gone`: the receiver responded with HTTP 410. Nothing more is delivered on this channel. */
export type DeliveryOutcome = 'delivered' | 'gone';

/** One way to deliver a notification: a signed webhook, an e-mail. */
export abstract class NotificationChannel {
  abstract readonly name: string;
  /** @throws Error with a sentence for the list of failures; the caller retries on its schedule. */
  abstract deliver(notification: Notification): Promise<DeliveryOutcome>;
}

/** All configured channels. */
export type NotificationChannels = readonly NotificationChannel[];
export const NotificationChannels = token<NotificationChannels>('NotificationChannels');
