import type { DeliveredMessage } from './delivered-message.js';

/** The most that one report holds; `POST /transfer/increments` takes no more. */
export const MAX_REPORTED = 1_000;

/** Hands inbound bytes to Mailstead. */
export abstract class TransferReporter {
  /**
   * Resolves when all of these are counted, or are of domains that Mailstead does not have (any more). Each `id` counts once within
   * 24 hours, however often it is reported. Throws when nobody can say whether they are counted: they are reported again.
   */
  abstract report(deliveries: readonly DeliveredMessage[]): Promise<void>;
}
