import type { DeliveredMessage } from './delivered-message.js';

/** The limit of `POST /transfer/increments`. */
export const MAX_REPORTED = 1_000;

/** Reports inbound bytes to Mailstead. */
export abstract class TransferReporter {
  /**
   * Resolves when all deliveries are counted, or belong to domains that Mailstead does not have. Each `id` counts once
   * within 24 hours. @throws Error when it is unknown whether they were counted; they are then reported again.
   */
  abstract report(deliveries: readonly DeliveredMessage[]): Promise<void>;
}
