import type { Notification, NotificationType } from './notification-channel.js';

/** A notification that waits for delivery on one channel. */
export interface PendingNotification {
  id: number;
  channel: string;
  notification: Notification;
  attempts: number;
}

/** A notification that could not be delivered on its channel so far. */
export interface UndeliveredNotification {
  id: number;
  channel: string;
  type: NotificationType;
  /** Why its last attempt failed. */
  reason: string;
  attempts: number;
  happenedAt: Date;
  /** When it is tried again; null when it is dead. */
  nextAttemptAt: Date | null;
}

/** Numbers of notifications, each counted once for each channel. */
export interface OutboxBacklog {
  /** Not tried yet. */
  waiting: number;
  /** Failed, and tried again. */
  retried: number;
  /** Not tried again. Old ones are deleted. */
  dead: number;
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
  /** The newest undelivered notifications, at most `limit`: from their first failure on, with the dead ones. */
  abstract undelivered(limit: number): Promise<UndeliveredNotification[]>;
  /**
   * Whether a notification that happened at `failingSince` or before failed and is tried again, or one is dead whose
   * last attempt was due after `deadAfter`.
   */
  abstract hasUndelivered(times: { failingSince: Date; deadAfter: Date }): Promise<boolean>;
  abstract backlog(): Promise<OutboxBacklog>;
  /**
   * Deletes rows of this state whose last attempt was due before `before`, at most `limit`. @returns the number of
   * deleted rows
   */
  abstract deleteEnded(state: 'delivered' | 'dead', before: Date, limit: number): Promise<number>;
}
