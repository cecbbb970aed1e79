import type { Notification, NotificationType } from './notification-channel.js';

/** A notification that waits for delivery on one channel. */
export interface PendingNotification {
  id: number;
  channel: string;
  notification: Notification;
  attempts: number;
}

/** A notification whose last attempt on its channel failed. */
export interface DeadNotification {
  id: number;
  channel: string;
  type: NotificationType;
  /** Why its last attempt failed. */
  reason: string;
  attempts: number;
  happenedAt: Date;
}

/** Stores notifications in the unit of work of the change, until they are delivered. */
export abstract class NotificationOutbox {
  /** Reserves up to `limit` due rows for `leaseMs`. A row whose lease has expired (after a crash) is due again. */
  abstract lease(limit: number, now: Date, leaseMs: number): Promise<PendingNotification[]>;
  /** When the next waiting row is due; null when no row waits. */
  abstract nextDueAt(): Promise<Date | null>;
  abstract markDelivered(id: number): Promise<void>;
  /** Stores the reason and the time of the next attempt; null marks the delivery as dead. */
  abstract markFailed(id: number, reason: string, nextAttemptAt: Date | null): Promise<void>;
  /** Marks every waiting row of a channel as dead, because its receiver wants no more notifications. */
  abstract closeChannel(channel: string, reason: string): Promise<void>;
  /** The newest dead deliveries, at most `limit`. */
  abstract dead(limit: number): Promise<DeadNotification[]>;
  /** Deletes rows delivered before `before`, at most `limit`. @returns the number of deleted rows. */
  abstract deleteDelivered(before: Date, limit: number): Promise<number>;
}
