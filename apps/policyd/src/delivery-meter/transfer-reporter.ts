import type { DeliveredMessage } from './delivered-message.js';

/** The limit of `POST /transfer/increments`. */
export const MAX_REPORTED = 1_000;

/** Reports inbound bytes to the API. */
export abstract class TransferReporter {
  /**
   * Resolves when all deliveries are counted; those of unknown domains are ignored. Each `id` counts once within 24
   * hours.
   *
   * @throws Error when it is unknown whether the deliveries were counted. The caller reports them again.
   */
  abstract report(deliveries: readonly DeliveredMessage[]): Promise<void>;
}
