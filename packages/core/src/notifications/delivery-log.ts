import type { NotificationType } from './notification-channel.js';

/** An attempt to deliver a notification that failed. */
export interface FailedDelivery {
  /** The id of the notification, which its receiver sees. */
  id: string;
  type: NotificationType;
  channel: string;
  /** Without URLs, since they may contain credentials. */
  reason: string;
  /** Includes this attempt. */
  attempts: number;
  /** When the next attempt is due; null after the last one. */
  nextAttemptAt: Date | null;
}

/** Logs the deliveries that failed. */
export abstract class DeliveryLog {
  abstract undelivered(delivery: FailedDelivery): void;
}
