import type { PartnerScope } from '../partners/partner-scope.js';

/**
 * Hashes mailbox passwords outside the main thread, in a form that Dovecot verifies. Waiting requests are served
 * partner by partner in rotation. Requests of operators have the scope `all` and count together, whichever mailbox they
 * change.
 */
export abstract class PasswordHasher {
  /**
   * @param signal aborted when no caller waits for the hash; a hash that has started is still finished
   * @throws AppError `hashing_busy` when too many hashes of this partner wait, `overloaded` when too many hashes wait
   * in total, `request_cancelled` when the signal was aborted before the hash started
   */
  abstract hash(scope: PartnerScope, password: string, signal: AbortSignal): Promise<string>;
  /**
   * Hashes the password that takes the place of another one. Waits once for both, the comparison and the hash.
   *
   * @param former the stored hash
   * @returns `isSame`: whether the stored hash is of this password; false for one that this service cannot make, like
   * SHA512-CRYPT
   * @throws AppError as `hash`
   */
  abstract hashInPlaceOf(
    scope: PartnerScope,
    former: string,
    password: string,
    signal: AbortSignal,
  ): Promise<{ hash: string; isSame: boolean }>;
}
