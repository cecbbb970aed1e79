import type { Notification, NotificationType } from './notification-channel.js';

/** One notification that waits for one channel. */
export interface PendingNotification {
  id: number;
  channel: string;
  notification: Notification;
  attempts: number;
}

/** A notification that is no longer tried on its channel. */
export interface DeadNotification {
  id: number;
  channel: string;
  type: NotificationType;
  /** Why its last attempt failed. */
  reason: string;
  attempts: number;
  happenedAt: Date;
}

/** Notifications that were stored in the unit of work of the change, until they are delivered. */
export abstract class NotificationOutbox {
  /** Reserves up to `limit` due rows for `leaseMs`. A row whose lease has expired (after a crash) is due again. */
  abstract lease(limit: number, now: Date, leaseMs: number): Promise<PendingNotification[]>;
  /** When the next waiting row is due; null when none waits. */
  abstract nextDueAt(): Promise<Date | null>;
  abstract markDelivered(id: number): Promise<void>;
  /** Plans the next attempt; null gives up, keeping the reason for the list of failures. */
  abstract markFailed(id: number, reason: string, nextAttemptAt: Date | null): Promise<void>;
  /** Ends every waiting row of a channel whose receiver wants no more. */
  abstract closeChannel(channel: string, reason: string): Promise<void>;
  /** The newest deliveries that were given up, at most `limit`. */
  abstract dead(limit: number): Promise<DeadNotification[]>;
  /** Removes delivered rows from before the moment, at most `limit`. @returns how many. */
  abstract deleteDelivered(before: Date, limit: number): Promise<number>;
}
