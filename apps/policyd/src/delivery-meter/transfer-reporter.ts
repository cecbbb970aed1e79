import type { DeliveredMessage } from './delivered-message.js';
import type { EndedSession } from './ended-session.js';

/** The limit of `POST /transfer/increments`. */
export const MAX_REPORTED = 1_000;

/** What moved bytes of a domain. */
export type Transfer = DeliveredMessage | EndedSession;

/** Reports bytes to the API. */
export abstract class TransferReporter {
  /**
   * Resolves when all transfers are counted; those of unknown domains are ignored. Each `id` counts once within 24
   * hours.
   *
   * @throws Error when it is unknown whether the transfers were counted. The caller reports them again.
   */
  abstract report(transfers: readonly Transfer[]): Promise<void>;
}
